// exec-approvals.json: what was allowed for good. Read again whenever it changes; a broken file allows nothing.
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { GatewayError, type Clock, type Ids, type Logger } from "@chela/sdk";
import * as z from "zod";
import type { Believed } from "../../base/files/believed.ts";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
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
  /** What somebody else wrote there while agents could run commands: it is not in force until it is accepted. */
  readonly notBelieved?: readonly string[];
}

export interface ApprovalsFile {
  /** The strictest of them holds. Throws APPROVALS_FILE when the file cannot be used. */
  rulesFor(agentId: string): readonly ExecRules[];
  entriesFor(agentId: string): readonly AllowEntry[];
  add(agentId: string, entries: readonly AllowEntry[]): void;
  /** Remembers the last use, at most once an hour, so that the file's hash does not change under a person's hands. */
  noteUse(entries: readonly AllowEntry[], use: { readonly command: string; readonly file: string }): void;
  snapshot(): ApprovalsSnapshot;
  /** `accepts` also believes what somebody else wrote into the file. */
  replace(file: unknown, baseHash: string | undefined, accepts?: boolean): ApprovalsSnapshot;
}

interface Loaded {
  readonly stamp: string;
  readonly raw: string | undefined;
  /** As it stands there; this is what is changed and written, so that nothing foreign is lost. */
  readonly original: OriginalDocument;
  readonly document: ApprovalsDocument;
  /** Parsed once, so that an entry keeps its identity. Only what is believed. */
  readonly entries: ReadonlyMap<string, readonly AllowEntry[]>;
  readonly notBelieved: readonly string[];
  /** Rules that were believed and are not in the file any more, or preset ones: nothing widens unseen. */
  readonly floor: ApprovalsDocument | undefined;
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
  readonly believed: Pick<Believed, "sift" | "known" | "remember">;
  /** Called after the file was written. */
  saved(): void;
}

const NAME = "exec-approvals.json";
/** What holds where nobody says anything. */
const PRESET = { security: "allowlist", ask: "on-miss" } as const;

export function createApprovalsFile({ path, clock, ids, log, believed, saved }: ApprovalsFileParts): ApprovalsFile {
  let loaded: Loaded | undefined;

  const load = (): Loaded => {
    const stamp = stampOf(path);
    if (loaded?.stamp === stamp) return loaded;
    const raw = stamp === "" ? undefined : readText(path);
    const parsed = raw === undefined ? { original: { version: 1 }, document: {} } : parseDocument(path, raw);
    const entries = parseEntries(parsed.document, path, log);
    const items = itemsOf(parsed.document, entries);
    const sifted = believed.sift(NAME, items);
    forgetTaken(believed, items);
    loaded = {
      stamp,
      raw,
      ...parsed,
      entries: believedEntries(entries, sifted),
      notBelieved: items.filter((item) => !sifted.has(item)),
      floor: floorOf(items, sifted, believed.known(NAME)),
    };
    return loaded;
  };

  /** What was not believed before stays so, unless it is accepted. */
  const save = (document: unknown, accepts: boolean): void => {
    const { document: parsed } = parseDocument(path, JSON.stringify(document));
    const { notBelieved } = load();
    const items = itemsOf(parsed, parseEntries(parsed, path, log));
    believed.remember(NAME, accepts ? items : items.filter((item) => !notBelieved.includes(item)));
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
    const { raw, original, notBelieved } = load();
    return {
      path,
      exists: raw !== undefined,
      hash: hashOf(raw),
      file: withoutToken(original),
      ...(notBelieved.length > 0 ? { notBelieved } : {}),
    };
  };

  return {
    rulesFor(agentId) {
      const { document, floor } = load();
      return [rulesOf(document, agentId), ...(floor ? [rulesOf(floor, agentId), PRESET] : [])];
    },
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
      save({ ...original, version: 1, agents: { ...agents, [agentId]: changed } }, false);
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
      save(changed, false);
    },
    snapshot,
    replace(file, baseHash, accepts = false) {
      const { raw, original } = load();
      if (raw !== undefined) checkBaseHash(hashOf(raw), baseHash);
      const parsed = approvalsToWriteSchema().safeParse(file);
      if (!parsed.success)
        throw new GatewayError("PROTOCOL_REQUEST", `invalid exec approvals: ${z.prettifyError(parsed.error)}`);
      save(keepToken(parsed.data, original), accepts);
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

const RULES_MARK = "rules of ";

/** Whoever takes an entry away may do so; putting it back is another matter. */
function forgetTaken(believed: ApprovalsFileParts["believed"], items: readonly string[]): void {
  const known = believed.known(NAME);
  const left = known.filter((item) => item.startsWith(RULES_MARK) || items.includes(item));
  if (left.length < known.length) believed.remember(NAME, left);
}

/** Everything in the file that could widen what is allowed, each as a text of its own. */
function itemsOf({ defaults, agents = {} }: ApprovalsDocument, entries: Loaded["entries"]): string[] {
  const places = [...(defaults ? [["", defaults] as const] : []), ...Object.entries(agents)];
  const rules = places.flatMap(([of, { security, ask, askFallback }]) => {
    const said = Object.entries({ security, ask, askFallback }).filter(([, value]) => value !== undefined);
    return said.length > 0 ? [`${RULES_MARK}${JSON.stringify([of, Object.fromEntries(said)])}`] : [];
  });
  return [...rules, ...[...entries].flatMap(([agentId, list]) => list.map((entry) => itemOf(agentId, entry)))];
}

/** Without what is only noted with each use. */
function itemOf(agentId: string, entry: AllowEntry): string {
  const { id: _id, lastUsedAt: _at, lastUsedCommand: _command, lastResolvedPath: _path, ...meant } = entry;
  return `${agentId}: ${JSON.stringify(meant)}`;
}

function believedEntries(entries: Loaded["entries"], believed: ReadonlySet<string>): Loaded["entries"] {
  return new Map(
    [...entries].map(([agentId, list]) => [agentId, list.filter((entry) => believed.has(itemOf(agentId, entry)))]),
  );
}

/** Where the rules are not those that are believed, the believed ones hold beside them. */
function floorOf(
  items: readonly string[],
  sifted: ReadonlySet<string>,
  known: readonly string[],
): ApprovalsDocument | undefined {
  const isRule = (item: string): boolean => item.startsWith(RULES_MARK);
  const missing = known.filter((item) => isRule(item) && !items.includes(item));
  if (missing.length === 0 && items.every((item) => !isRule(item) || sifted.has(item))) return undefined;
  const places = known
    .filter(isRule)
    .map((item) => JSON.parse(item.slice(RULES_MARK.length)) as [string, Record<string, string>]);
  const { "": defaults, ...agents } = Object.fromEntries(places);
  return approvalsToReadSchema().parse({ ...(defaults ? { defaults } : {}), agents });
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
