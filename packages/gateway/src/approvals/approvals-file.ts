// exec-approvals.json: what was allowed for good. Read again whenever it changes; a broken file allows nothing.
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { GatewayError, type Clock, type Ids, type Logger } from "@chela/sdk";
import * as z from "zod";
import { errnoOf, writeFileAtomic } from "../base/files.ts";
import {
  allowEntrySchema,
  approvalsToReadSchema,
  approvalsToWriteSchema,
  type AllowEntry,
  type ApprovalsDocument,
} from "./approvals-schema.ts";
import type { ExecRules } from "./policy.ts";

export interface ApprovalsSnapshot {
  readonly path: string;
  readonly exists: boolean;
  /** sha256 of the file's bytes; of no bytes when there is none. */
  readonly hash: string;
  /** Without the socket's token. */
  readonly file: Readonly<Record<string, unknown>>;
}

export interface ApprovalsFile {
  /** Throws APPROVALS_FILE when the file cannot be used. */
  rulesFor(agentId: string): ExecRules;
  entriesFor(agentId: string): readonly AllowEntry[];
  add(agentId: string, entries: readonly AllowEntry[]): void;
  /** Remembers the last use, at most once an hour, so that the file's hash does not change under a person's hands. */
  noteUse(entries: readonly AllowEntry[], use: { readonly command: string; readonly file: string }): void;
  snapshot(): ApprovalsSnapshot;
  replace(file: unknown, baseHash: string | undefined): ApprovalsSnapshot;
}

interface Loaded {
  readonly stamp: string;
  readonly raw: string | undefined;
  /** As it stands there; this is what is changed and written, so that nothing foreign is lost. */
  readonly original: OriginalDocument;
  readonly document: ApprovalsDocument;
  /** Parsed once, so that an entry keeps its identity. */
  readonly entries: ReadonlyMap<string, readonly AllowEntry[]>;
}

/** What is known of a document's shape once it could be read. */
interface OriginalDocument {
  socket?: Record<string, unknown>;
  agents?: Record<string, { allowlist?: unknown[]; [field: string]: unknown }>;
  [field: string]: unknown;
}

const NOTE_USE_EVERY_MS = 60 * 60_000;

export interface ApprovalsFileParts {
  readonly path: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Called after the file was written. */
  saved(): void;
}

export function createApprovalsFile({ path, clock, ids, log, saved }: ApprovalsFileParts): ApprovalsFile {
  let loaded: Loaded | undefined;

  const load = (): Loaded => {
    const stamp = stampOf(path);
    if (loaded?.stamp === stamp) return loaded;
    const raw = stamp === "" ? undefined : readText(path);
    const parsed = raw === undefined ? { original: { version: 1 }, document: {} } : parseDocument(path, raw);
    loaded = { stamp, raw, ...parsed, entries: parseEntries(parsed.document, path, log) };
    return loaded;
  };

  const save = (document: unknown): void => {
    try {
      writeFileAtomic(path, `${JSON.stringify(document, null, 2)}\n`);
    } catch (error) {
      throw new GatewayError("APPROVALS_FILE", `${path} cannot be written (${errnoOf(error) ?? "unknown reason"})`, {
        cause: error,
      });
    }
    loaded = undefined;
    saved();
  };

  const snapshot = (): ApprovalsSnapshot => {
    const { raw, original } = load();
    return { path, exists: raw !== undefined, hash: hashOf(raw), file: withoutToken(original) };
  };

  return {
    rulesFor: (agentId) => rulesOf(load().document, agentId),
    entriesFor(agentId) {
      const { entries } = load();
      return [...(entries.get(agentId) ?? []), ...(agentId === "*" ? [] : (entries.get("*") ?? []))];
    },
    add(agentId, added) {
      const { original } = load();
      const agents = original.agents ?? {};
      const agent = Object.hasOwn(agents, agentId) ? agents[agentId] : undefined;
      const withIds = added.map((entry) => ({ id: ids.uuid(), ...entry }));
      const changed = { ...agent, allowlist: [...(agent?.allowlist ?? []), ...withIds] };
      save({ ...original, version: 1, agents: { ...agents, [agentId]: changed } });
    },
    noteUse(used, { command, file }) {
      const now = clock.now();
      const stale = used.filter((entry) => now - (entry.lastUsedAt ?? 0) >= NOTE_USE_EVERY_MS);
      if (stale.length === 0) return;
      const note = { lastUsedAt: now, lastUsedCommand: command, lastResolvedPath: file };
      const changed = structuredClone(load().original);
      for (const { allowlist } of Object.values(changed.agents ?? {})) {
        for (const entry of allowlist ?? []) if (isOneOf(entry, stale)) Object.assign(entry as object, note);
      }
      save(changed);
    },
    snapshot,
    replace(file, baseHash) {
      const { raw, original } = load();
      if (raw !== undefined) checkBaseHash(hashOf(raw), baseHash);
      const parsed = approvalsToWriteSchema().safeParse(file);
      if (!parsed.success)
        throw new GatewayError("PROTOCOL_REQUEST", `invalid exec approvals: ${z.prettifyError(parsed.error)}`);
      save(keepToken(parsed.data, original));
      return snapshot();
    },
  };
}

function checkBaseHash(current: string, baseHash: string | undefined): void {
  if (!baseHash) {
    throw new GatewayError(
      "PROTOCOL_REQUEST",
      "exec approvals base hash required: read them with exec.approvals.get and send its hash as baseHash",
    );
  }
  if (baseHash !== current) {
    throw new GatewayError(
      "PROTOCOL_REQUEST",
      "exec approvals changed since last load: read them again with exec.approvals.get and repeat the change",
    );
  }
}

/** Changes whenever the file is replaced; empty when there is none. */
function stampOf(path: string): string {
  let facts;
  try {
    facts = statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw brokenFile(path, `cannot be read (${errnoOf(error) ?? "unknown reason"})`, error);
  }
  if (!facts) return "";
  if (!facts.isFile()) throw brokenFile(path, "is not a file");
  if ((facts.mode & 0o002n) !== 0n)
    throw brokenFile(path, "can be written by every user of this machine (chmod 600 helps)");
  return `${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}`;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw brokenFile(path, `cannot be read (${errnoOf(error) ?? "unknown reason"})`, error);
  }
}

function parseDocument(path: string, raw: string): Pick<Loaded, "original" | "document"> {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    throw brokenFile(path, "is not valid JSON", error);
  }
  const parsed = approvalsToReadSchema().safeParse(value);
  if (!parsed.success) throw brokenFile(path, `has another shape than expected: ${z.prettifyError(parsed.error)}`);
  return { original: value as OriginalDocument, document: parsed.data };
}

function brokenFile(path: string, what: string, cause?: unknown): GatewayError {
  return new GatewayError("APPROVALS_FILE", `${path} ${what}`, { cause });
}

function parseEntries(document: ApprovalsDocument, path: string, log: Logger): Map<string, AllowEntry[]> {
  const all = new Map<string, AllowEntry[]>();
  for (const [agentId, agent] of Object.entries(document.agents ?? {})) {
    const entries: AllowEntry[] = [];
    for (const [index, value] of (agent.allowlist ?? []).entries()) {
      const parsed = allowEntrySchema().safeParse(value);
      if (parsed.success) entries.push(parsed.data);
      else {
        const why = z.prettifyError(parsed.error);
        log.warn("An entry of the exec allow-list cannot be used and allows nothing", { path, agentId, index, why });
      }
    }
    all.set(agentId, entries);
  }
  return all;
}

function rulesOf(document: ApprovalsDocument, agentId: string): ExecRules {
  const agents = document.agents ?? {};
  const places = [Object.hasOwn(agents, agentId) ? agents[agentId] : undefined, agents["*"], document.defaults];
  const first = <K extends "security" | "ask" | "askFallback">(key: K) =>
    places.find((place) => place?.[key] !== undefined)?.[key];
  return { security: first("security"), ask: first("ask"), askFallback: first("askFallback") };
}

/** An entry as it stands in the document has the same content as the parsed one, since nothing is changed by parsing. */
function isOneOf(value: unknown, entries: readonly AllowEntry[]): boolean {
  const parsed = allowEntrySchema().safeParse(value);
  return parsed.success && entries.some((entry) => JSON.stringify(entry) === JSON.stringify(parsed.data));
}

function hashOf(raw: string | undefined): string {
  return createHash("sha256")
    .update(raw ?? "")
    .digest("hex");
}

function withoutToken(document: OriginalDocument): Record<string, unknown> {
  if (!document.socket) return document;
  const { token: _token, ...socket } = document.socket;
  return { ...document, socket };
}

/** The token is never shown, so a document that comes back without it means the one that is there. */
function keepToken(written: Record<string, unknown>, current: OriginalDocument): Record<string, unknown> {
  if (!current.socket) return written;
  const socket = typeof written["socket"] === "object" ? written["socket"] : {};
  return { ...written, socket: { ...current.socket, ...socket } };
}
