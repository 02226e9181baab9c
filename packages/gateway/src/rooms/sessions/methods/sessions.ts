// Methods that list, change and end sessions.
import { defined } from "@chela/sdk/base";
import {
  agentOfSessionKey,
  GatewayError,
  namedAgentId,
  type SessionEntry,
  type TranscriptEntry,
  canonicalSessionKey,
  mainSessionKey,
} from "@chela/sdk";
import { type SESSION_METHODS, type MethodParams, invalid, type CallContext, type Handlers } from "@chela/sdk/protocol";
import { join } from "node:path";
import { jobOf } from "../../../base/text/job-prompt.ts";
import type { House } from "../../../house/house.ts";
import { sessionRow } from "./row.ts";
import { previewItems } from "./preview.ts";

type SessionMethods = Pick<Handlers, keyof typeof SESSION_METHODS>;

const MOST_PREVIEWS = 64;
const TITLE_CHARS = 60;

export function sessionMethods(gateway: House): SessionMethods {
  const { ledger, clock, sessions } = gateway;
  const keyOf = (written: string): string => {
    const key = canonicalSessionKey(written, gateway.keys());
    if (!key) throw invalid(`malformed session key "${written}"`);
    return key;
  };

  return {
    async "sessions.list"(params) {
      const now = clock.now();
      const query = {
        ...(params.sort ? { sort: params.sort } : {}),
        ...(params.kind ? { kind: params.kind } : {}),
        ...(params.channel ? { channel: params.channel } : {}),
        ...(params.activeMinutes ? { updatedSince: now - params.activeMinutes * 60_000 } : {}),
        ...(params.includeGlobal || params.kind === "global" ? { includeGlobal: true } : {}),
        ...(params.includeUnknown || params.kind === "unknown" ? { includeUnknown: true } : {}),
        ...(params.label ? { label: params.label } : {}),
        ...(params.spawnedBy ? { spawnedBy: params.spawnedBy } : {}),
        ...(params.agentId ? { agentId: namedAgentId(params.agentId) } : {}),
        ...(params.search ? { search: params.search } : {}),
      };
      const { limit, offset } = params;
      const rows = await ledger.sessions({ ...query, ...(limit ? { limit } : {}), ...(offset ? { offset } : {}) });
      // Whoever has everything need not count.
      const isAll = !offset && (limit === undefined || rows.length < limit);
      const wantsText = params.includeDerivedTitles || params.includeLastMessage;
      const shown = [];
      const { model } = await gateway.models.defaultModel();
      const contextWindow = await gateway.usedWindow(model);
      const shownModel = { ...model, contextWindow };
      for (const { key, entry, createdAt } of rows) {
        const texts = wantsText ? await titleAndPreview(gateway, entry.sessionId, params) : {};
        const row = sessionRow(key, entry, shownModel, gateway.liveRuns.answering(key));
        shown.push({ ...row, ...defined({ createdAt }), ...texts });
      }
      return {
        ts: now,
        path: params.agentId ? storePath(gateway, namedAgentId(params.agentId)) : "(multiple)",
        count: shown.length,
        total: isAll ? rows.length : await ledger.countMatching(query),
        defaults: { modelProvider: model.provider, model: model.id, contextTokens: contextWindow },
        sessions: shown,
      };
    },

    async "sessions.preview"({ keys, limit = 12, maxChars = 240 }) {
      const previews = [];
      for (const written of keys.slice(0, MOST_PREVIEWS)) {
        const key = canonicalSessionKey(written, gateway.keys());
        const entry = key ? await ledger.session(key) : undefined;
        if (!entry) {
          previews.push({ key: written, status: "missing" as const, items: [] });
          continue;
        }
        const path = await gateway.transcripts.path(entry.sessionId, limit * 3);
        const items = path.flatMap((one) => previewItems(one, maxChars)).slice(-limit);
        previews.push({ key: written, status: items.length > 0 ? ("ok" as const) : ("empty" as const), items });
      }
      return { ts: clock.now(), previews };
    },

    async "sessions.resolve"(params) {
      const given = [params.key, params.sessionId, params.label].filter(Boolean);
      if (given.length === 0) throw invalid("Either key, sessionId, or label is required");
      if (given.length > 1) throw invalid("Provide either key, sessionId, or label (not multiple)");
      return { ok: true as const, key: await resolveKey(gateway, params) };
    },

    async "sessions.patch"(params, call) {
      refuseWebchat(call, "patch");
      const key = keyOf(params.key);
      const fallback = (await gateway.models.defaultModel()).model;
      const { key: _key, ...patch } = params;
      const entry = await patchSession(gateway, key, patch);
      gateway.subscribers.note(key, "patch");
      return {
        ok: true as const,
        path: storePath(gateway, agentOfSessionKey(key) ?? gateway.keys().defaultAgentId),
        key,
        entry: { ...entry, ...(await fileOf(gateway, entry)) },
        resolved: {
          modelProvider: entry.providerOverride ?? fallback.provider,
          model: entry.modelOverride ?? fallback.id,
        },
      };
    },

    async "sessions.reset"({ key: written, reason = "reset" }, { client }) {
      const key = keyOf(written);
      const by = { source: "rpc", senderId: client.deviceId ?? client.info.id };
      const entry = await gateway.inbound.reset(key, reason, by);
      gateway.subscribers.note(key, reason);
      return { ok: true as const, key, entry: { ...(await modelOf(gateway)), ...entry } };
    },

    async "sessions.delete"(params, call) {
      refuseWebchat(call, "delete");
      const key = keyOf(params.key);
      const main = mainSessionKey(agentOfSessionKey(key) ?? gateway.keys().defaultAgentId, gateway.keys());
      if (key === main) throw invalid(`Cannot delete the main session (${key}).`);
      await gateway.endHelpers(key, "session-delete");
      gateway.inbound.stop(key, "rpc");
      await gateway.lanes.settled(key);
      const result = await sessions.delete(key, { archiveTranscript: params.deleteTranscript ?? true });
      if (result.deleted) gateway.subscribers.note(key, "delete");
      return { ok: true as const, key, ...result };
    },

    async "sessions.compact"({ key: written, maxLines = 400 }) {
      const key = keyOf(written);
      const entry = await ledger.session(key);
      if (!entry) return { ok: true as const, key, compacted: false, reason: "no sessionId" };
      const result = await sessions.compact(key, maxLines);
      if (result.compacted) gateway.subscribers.note(key, "compact", { compacted: true });
      return { ok: true as const, key, ...result };
    },
  };
}

export function storePath({ stateDir }: Pick<House, "stateDir">, agentId: string): string {
  return join(stateDir, "agents", agentId, "sessions", "sessions.json");
}

/** Changes settings of a session, or opens it with them. */
export async function patchSession(
  gateway: House,
  key: string,
  params: Omit<MethodParams<"sessions.patch">, "key"> & { readonly parentSessionKey?: string },
): Promise<SessionEntry> {
  const { sessions, clock } = gateway;
  const model = params.model ? findModel(gateway, params.model) : undefined;
  const fallback = (await gateway.models.defaultModel()).model;
  const patch = async (): Promise<SessionEntry> => {
    await checkPatch(gateway, key, params);
    return sessions.update(key, (old) => ({ ...applyPatch(old, params, model, fallback), updatedAt: clock.now() }));
  };
  // A label belongs to one session, so those who want the same one come one after the other.
  return params.label ? sessions.alone(`label ${params.label}`, patch) : patch();
}

/** Where the mirror keeps what was said. */
async function fileOf(gateway: House, { sessionId }: SessionEntry): Promise<{ sessionFile?: string }> {
  const transcript = await gateway.ledger.transcript(sessionId);
  if (!transcript) return {};
  return { sessionFile: join(gateway.stateDir, "agents", transcript.agentId, "sessions", transcript.file) };
}

/** What will answer in a session that nobody spoke in yet. */
async function modelOf(gateway: House): Promise<Pick<SessionEntry, "model" | "modelProvider">> {
  const { model } = await gateway.models.defaultModel();
  return { model: model.id, modelProvider: model.provider };
}

async function titleAndPreview(
  gateway: House,
  sessionId: string,
  wanted: { includeDerivedTitles?: boolean | undefined; includeLastMessage?: boolean | undefined },
): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  if (wanted.includeDerivedTitles) {
    const first = await gateway.ledger.entries(sessionId, { limit: 10 });
    const entries = first.map(({ line }) => JSON.parse(line) as TranscriptEntry);
    const title = titleOf(entries);
    if (title) texts["derivedTitle"] = title;
  }
  if (wanted.includeLastMessage) {
    const last = await gateway.transcripts.path(sessionId, 5);
    const preview = last.flatMap((entry) => previewItems(entry, 200)).at(-1)?.text;
    if (preview) texts["lastMessagePreview"] = preview;
  }
  return texts;
}

/** What a person said first; where only jobs and other conversations ask, the job's name or what was asked. */
function titleOf(entries: readonly TranscriptEntry[]): string | undefined {
  const said = entries.flatMap((entry) => previewItems(entry, TITLE_CHARS));
  const [job] = entries.flatMap(({ message }) => jobOf(message) ?? []);
  const ofPeople = said.find(({ role }) => role === "user");
  return ofPeople?.text ?? job?.name ?? said.find(({ role }) => role === "system")?.text;
}

async function resolveKey(gateway: House, params: MethodParams<"sessions.resolve">): Promise<string> {
  const name = params.key ?? params.sessionId ?? params.label ?? "";
  if (params.key) {
    const key = canonicalSessionKey(params.key, gateway.keys());
    if (key && (await gateway.ledger.session(key))) return key;
    throw invalid(`No session found: ${name}`);
  }
  if (params.sessionId) {
    const key = await gateway.ledger.sessionKeyOf(params.sessionId);
    if (key) return key;
    throw invalid(`No session found: ${name}`);
  }
  const found = await gateway.ledger.sessions({
    label: name,
    ...(params.agentId ? { agentId: namedAgentId(params.agentId) } : {}),
    ...(params.spawnedBy ? { spawnedBy: params.spawnedBy } : {}),
    includeGlobal: params.includeGlobal ?? false,
    includeUnknown: params.includeUnknown ?? false,
    limit: 2,
  });
  if (found.length > 1) throw invalid(`Multiple sessions found with label: ${name}`);
  if (!found[0]) throw invalid(`No session found with label: ${name}`);
  return found[0].key;
}

/** A chat window must not change how other windows work; the control page may. */
function refuseWebchat(call: CallContext, verb: "patch" | "delete"): void {
  const { mode, id } = call.client.info;
  if (mode === "webchat" && id !== "openclaw-control-ui") {
    throw invalid(`webchat clients cannot ${verb} sessions; use chat.send for session-scoped updates`);
  }
}

function findModel(gateway: House, ref: string): { provider: string; id: string } {
  try {
    return gateway.models.resolve(ref);
  } catch (error) {
    throw GatewayError.is(error) ? invalid(error.message) : error;
  }
}

/** Settings of sub-agents that are fixed when they are started. */
const SET_ONCE = ["spawnedBy", "spawnDepth", "spawnedWorkspaceDir", "subagentRole", "subagentControlScope"] as const;

type Patch = Omit<MethodParams<"sessions.patch">, "key">;

async function checkPatch(gateway: House, key: string, params: Patch): Promise<void> {
  if (params.label) {
    const [holder] = await gateway.ledger.sessions({ label: params.label, includeHidden: true, limit: 1 });
    if (holder && holder.key !== key) throw invalid(`label already in use: ${params.label}`);
  }
  const given = SET_ONCE.filter((field) => params[field] !== undefined);
  const [first] = given;
  if (first === undefined) return;
  if (!/:(subagent|acp|acp-bridge):/.test(key))
    throw invalid(`${first} is only supported for subagent:* or acp:* sessions`);
  const old = await gateway.ledger.session(key);
  for (const field of given) {
    if (old?.[field] === undefined || params[field] === old[field]) continue;
    throw invalid(`${field} cannot be ${params[field] === null ? "cleared" : "changed"} once set`);
  }
}

function applyPatch(
  old: SessionEntry,
  params: Patch & { readonly parentSessionKey?: string },
  model: { provider: string; id: string } | undefined,
  fallback: { provider: string; id: string },
): SessionEntry {
  const { model: modelRef, responseUsage, ...fields } = params;
  const next: Record<string, unknown> = { ...old };
  const set = (field: string, value: unknown): void => {
    if (value === null) delete next[field];
    else if (value !== undefined) next[field] = value;
  };
  for (const [field, value] of Object.entries(fields)) set(field, value);
  set("responseUsage", responseUsage === "off" ? null : responseUsage);
  if (modelRef !== undefined) {
    const isDefault = !model || (model.provider === fallback.provider && model.id === fallback.id);
    set("providerOverride", isDefault ? null : model.provider);
    set("modelOverride", isDefault ? null : model.id);
  }
  return next as SessionEntry;
}
