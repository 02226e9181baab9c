// Opens memory with the ledger, the configuration, the keys of services and the clients that watch.
import type { House } from "./house.ts";
import { createHash } from "node:crypto";
import { Secret, textOf, type AgentMessage, type HistoryEntry } from "@chela/sdk";
import type { LogSink } from "../base/log.ts";
import { createSafeFetch } from "../base/http/safe-fetch.ts";
import { defined, dayWriter } from "@chela/sdk/base";
import { readSaid } from "../base/text/said-text.ts";
import { memorySettings, type MemoryConfig } from "../rooms/config/room.ts";
import {
  defaultRemoteModel,
  installedModel,
  loadRemoteEmbedder,
  Memory,
  type EmbeddingChoice,
  type FedEntry,
  type MemorySettings,
  type RemoteEmbedder,
  type RemoteProvider,
} from "../rooms/memory/room.ts";
import { readWithModel } from "./memory-reading.ts";
import { shownWords } from "../base/text/shown-words.ts";

export type MemoryRoomParts = Pick<
  House,
  | "clock"
  | "log"
  | "ledger"
  | "config"
  | "paths"
  | "models"
  | "budgets"
  | "workspaceOf"
  | "agentOf"
  | "lanes"
  | "hub"
  | "changes"
  | "agents"
>;

export function openMemory(house: MemoryRoomParts): Memory {
  const { log, config, paths } = house;
  const configOf = (agentId: string): MemoryConfig =>
    memorySettings(config.current(), agentId, house.workspaceOf(agentId), paths);
  const remotes = new Map<string, Promise<RemoteEmbedder>>();
  // To find out takes as long as to remember is short, and every turn asks.
  const areKnown = new Map<string, boolean>();
  const zoneOf = (agentId: string): string | undefined => {
    const written = house.agentOf(agentId).userTimezone;
    if (written === undefined) return undefined;
    const isKnown = areKnown.get(written) ?? isZone(written);
    areKnown.set(written, isKnown);
    return isKnown ? written : undefined;
  };
  return new Memory(house, {
    settings: (agentId) =>
      settingsOf(agentId, configOf(agentId), {
        workspace: house.workspaceOf(agentId),
        modelFolder: installedModel(house.paths.stateDir),
        timeZone: zoneOf(agentId),
      }),
    readSaid: (entry) => saidOf(entry, log),
    readHeard: (line) => heardIn(line, log),
    async embed(agentId, texts, purpose) {
      const written = configOf(agentId);
      const key = JSON.stringify([agentId, written.provider, written.model, written.remote]);
      const remote = remotes.get(key) ?? openRemote(agentId, written, house);
      remotes.set(key, remote);
      remote.catch(() => remotes.delete(key));
      // What leaves the machine has no known secret in it, wherever somebody noted it down.
      const safe = texts.map((text) => log.redact(text));
      return (await remote).embed(safe, purpose);
    },
    askModel: readWithModel(house),
    dayOf: (agentId, at) => dayWriter(zoneOf(agentId))(at),
    progressed: (agentId, progress) =>
      house.hub.broadcast("memory.progress", { agentId, ...progress }, { scope: "operator.read", dropIfSlow: true }),
  });
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

/** Under which name the keys of a service are known to the models, and in the environment. */
const KEYS: Readonly<Record<RemoteProvider, { readonly provider: string; readonly variable: string }>> = {
  openai: { provider: "openai", variable: "OPENAI_API_KEY" },
  gemini: { provider: "google", variable: "GEMINI_API_KEY" },
  voyage: { provider: "voyage", variable: "VOYAGE_API_KEY" },
  mistral: { provider: "mistral", variable: "MISTRAL_API_KEY" },
};

async function openRemote(agentId: string, written: MemoryConfig, house: MemoryRoomParts): Promise<RemoteEmbedder> {
  const { clock, log, config, models } = house;
  const { provider, model, remote } = written;
  if (provider === undefined || provider === "local") throw new TypeError("no service is configured");
  const createRemoteEmbedder = await loadRemoteEmbedder();
  const keys = KEYS[provider];
  return createRemoteEmbedder({
    provider,
    model,
    baseUrl: remote.baseUrl,
    headers: plainTexts(remote.headers),
    async apiKey() {
      if (typeof remote.apiKey === "string" && remote.apiKey !== "") return new Secret(remote.apiKey);
      // A key of one place is not sent to another.
      if (remote.baseUrl !== undefined) return undefined;
      const known = await models.keyFor(keys.provider, agentId);
      const value = config.effectiveEnv()[keys.variable];
      return known ?? (value ? new Secret(value) : undefined);
    },
    fetch: createSafeFetch({ clock }),
    clock,
    log,
  });
}

/** References that could not be read are left out; the configuration's check has said so. */
function plainTexts(headers: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

function settingsOf(
  agentId: string,
  written: MemoryConfig,
  {
    workspace,
    modelFolder,
    timeZone,
  }: { readonly workspace: string; readonly modelFolder: string | undefined; readonly timeZone: string | undefined },
): MemorySettings {
  const { path, extraPaths, sources, chunking, query, cacheEntries } = written;
  const { isOn, learns, reads, watches, watchDebounceMs, syncsOnSearch } = written;
  const index = { agentId, path, workspace, extraPaths, sources, chunking, query, cacheEntries };
  const settings = { isOn, learns, watches, watchDebounceMs, syncsOnSearch };
  return {
    ...settings,
    ...(reads ? { reads } : {}),
    index: { ...index, ...(timeZone ? { timeZone } : {}), embedding: choose(written, modelFolder) },
  };
}

/** `modelFolder`: of the model for all languages, where it is installed. */
function choose(written: MemoryConfig, modelFolder: string | undefined): EmbeddingChoice {
  const { usesVectors, provider, modelPath, model, remote, fallback } = written;
  if (!usesVectors) return { kind: "none" };
  if (provider === undefined || provider === "local") {
    if (modelPath) return { kind: "gguf", modelPath };
    return { kind: "local", ...defined({ modelFolder }) };
  }
  const account = createHash("sha256").update(
    JSON.stringify([remote.baseUrl ?? "", Object.keys(remote.headers ?? {})]),
  );
  return {
    kind: "remote",
    provider,
    model: model ?? defaultRemoteModel(provider),
    providerKey: account.digest("hex").slice(0, 16),
    // Only what was chosen is sent to a service: whoever is named here, it is the model on this machine that stands in.
    fallsBackToLocal: fallback !== "none",
  };
}

/** What a tool told, without known secrets. */
function heardIn(line: string, log: LogSink): string | undefined {
  const { message } = JSON.parse(line) as { message?: AgentMessage };
  return message?.role === "toolResult" ? log.redact(textOf(message)) : undefined;
}

/** What a person or the agent said, without known secrets; the owner's own words are told from the entry, never from the text. */
function saidOf(entry: HistoryEntry, log: LogSink): FedEntry | undefined {
  const said = readSaid(entry.line, shownWords);
  if (!said) return undefined;
  const { by } = JSON.parse(entry.line) as { by?: { person?: unknown; isOwner?: unknown } };
  const isAlone = !/:(?:group|channel|cron|subagent|hook)\b/.test(entry.sessionKey);
  return {
    seq: entry.seq,
    sessionKey: entry.sessionKey,
    sessionId: entry.sessionId,
    entryId: said.entryId,
    at: said.at,
    role: said.role,
    text: log.redact(said.text),
    ...(typeof by?.person === "string" ? { person: by.person } : {}),
    isOwner: said.role === "user" && by?.isOwner === true && isAlone,
  };
}
