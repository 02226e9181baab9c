// What the configuration says about the memory of one agent, with what holds where it says nothing.
import { isAbsolute, join } from "node:path";
import { normalizeAgentId } from "@chela/sdk";
import { DEFAULTS } from "./default-values.ts";
import { writtenAgent } from "./defaults.ts";
import type { ChelaConfig } from "./schema/sections.ts";
import { expandHome, type StatePaths } from "./state-paths.ts";

type Written = NonNullable<NonNullable<NonNullable<ChelaConfig["agents"]>["defaults"]>["memorySearch"]>;

export interface MemoryConfig {
  readonly isOn: boolean;
  readonly learns: boolean;
  /** The model that reads conversations, when there is one. */
  readonly reads?: { readonly model: string; readonly maxTokensPerDay: number };
  readonly sources: ReadonlyArray<"memory" | "sessions">;
  readonly extraPaths: readonly string[];
  readonly provider: "local" | "openai" | "gemini" | "voyage" | "mistral" | undefined;
  readonly fallback: "local" | "openai" | "gemini" | "voyage" | "mistral" | "none";
  readonly model: string | undefined;
  readonly modelPath: string | undefined;
  readonly remote: NonNullable<Written["remote"]>;
  readonly path: string;
  readonly usesVectors: boolean;
  readonly chunking: { readonly tokens: number; readonly overlap: number };
  readonly watches: boolean;
  readonly watchDebounceMs: number;
  readonly syncsOnSearch: boolean;
  readonly query: {
    readonly maxResults: number;
    readonly minScore: number;
    readonly isHybrid: boolean;
    readonly vectorWeight: number;
    readonly textWeight: number;
    readonly candidateMultiplier: number;
    readonly mmrLambda?: number;
    readonly halfLifeDays?: number;
  };
  readonly cacheEntries: number;
}

export function memorySettings(
  config: ChelaConfig,
  agentId: string,
  workspace: string,
  paths: StatePaths,
): MemoryConfig {
  const all = config.agents?.defaults?.memorySearch ?? {};
  const own = writtenAgent(config, agentId)?.memorySearch ?? {};
  const of = <K extends keyof Written>(key: K): Written[K] => own[key] ?? all[key];
  const sync = { ...all.sync, ...own.sync };
  const local = { ...all.local, ...own.local };
  const chunking = { ...all.chunking, ...own.chunking };
  const hearsSessions = own.experimental?.sessionMemory ?? all.experimental?.sessionMemory ?? false;
  const sources: MemoryConfig["sources"] = of("sources") ?? DEFAULTS["agents.defaults.memorySearch.sources"];
  const learning = config.memory?.learning ?? {};
  const modelPath = local.modelPath ? expandHome(local.modelPath, paths.home) : undefined;
  return {
    isOn: of("enabled") ?? DEFAULTS["agents.defaults.memorySearch.enabled"],
    learns: learning.enabled ?? DEFAULTS["memory.learning.enabled"],
    ...(learning.model
      ? {
          reads: {
            model: learning.model,
            maxTokensPerDay: learning.maxTokensPerDay ?? DEFAULTS["memory.learning.maxTokensPerDay"],
          },
        }
      : {}),
    sources: hearsSessions && !sources.includes("sessions") ? [...sources, "sessions"] : sources,
    extraPaths: (of("extraPaths") ?? []).map((path) => placeOf(path, workspace, paths)),
    provider: of("provider"),
    fallback: of("fallback") ?? DEFAULTS["agents.defaults.memorySearch.fallback"],
    model: of("model"),
    modelPath,
    remote: isElsewhere(all, own) ? { ...own.remote } : { ...all.remote, ...own.remote },
    path: own.store?.path
      ? storePath(own.store.path, agentId, paths)
      : sharedPath(config, all.store?.path, agentId, paths),
    usesVectors: own.store?.vector?.enabled ?? all.store?.vector?.enabled ?? true,
    chunking: {
      tokens: chunking.tokens ?? DEFAULTS["agents.defaults.memorySearch.chunking.tokens"],
      overlap: chunking.overlap ?? DEFAULTS["agents.defaults.memorySearch.chunking.overlap"],
    },
    watches: sync.watch ?? DEFAULTS["agents.defaults.memorySearch.sync.watch"],
    watchDebounceMs: sync.watchDebounceMs ?? DEFAULTS["agents.defaults.memorySearch.sync.watchDebounceMs"],
    syncsOnSearch: sync.onSearch ?? DEFAULTS["agents.defaults.memorySearch.sync.onSearch"],
    query: querySettings(all.query, own.query),
    cacheEntries:
      own.cache?.enabled === false || (own.cache?.enabled === undefined && all.cache?.enabled === false)
        ? 0
        : (own.cache?.maxEntries ?? all.cache?.maxEntries ?? DEFAULTS["agents.defaults.memorySearch.cache.maxEntries"]),
  };
}

/** An agent with a service of its own is not given the key of the other one. */
function isElsewhere(all: Written, own: Written): boolean {
  const { provider = all.provider, remote: { baseUrl = all.remote?.baseUrl } = {} } = own;
  return provider !== all.provider || baseUrl !== all.remote?.baseUrl;
}

function querySettings(all: Written["query"], own: Written["query"]): MemoryConfig["query"] {
  const query = { ...all, ...own };
  const hybrid = { ...all?.hybrid, ...own?.hybrid };
  const mmr = { ...all?.hybrid?.mmr, ...own?.hybrid?.mmr };
  const decay = { ...all?.hybrid?.temporalDecay, ...own?.hybrid?.temporalDecay };
  const place = "agents.defaults.memorySearch.query.hybrid";
  return {
    maxResults: query.maxResults ?? DEFAULTS["agents.defaults.memorySearch.query.maxResults"],
    minScore: query.minScore ?? DEFAULTS["agents.defaults.memorySearch.query.minScore"],
    isHybrid: hybrid.enabled ?? DEFAULTS[`${place}.enabled`],
    vectorWeight: hybrid.vectorWeight ?? DEFAULTS[`${place}.vectorWeight`],
    textWeight: hybrid.textWeight ?? DEFAULTS[`${place}.textWeight`],
    candidateMultiplier: hybrid.candidateMultiplier ?? DEFAULTS[`${place}.candidateMultiplier`],
    ...(mmr.enabled ? { mmrLambda: mmr.lambda ?? DEFAULTS[`${place}.mmr.lambda`] } : {}),
    ...(decay.enabled ? { halfLifeDays: decay.halfLifeDays ?? DEFAULTS[`${place}.temporalDecay.halfLifeDays`] } : {}),
  };
}

/** `{agentId}` stands for the agent, as in OpenClaw's own setting. */
function storePath(written: string | undefined, agentId: string, paths: StatePaths): string {
  if (!written) return join(paths.stateDir, "memory", `${agentId}.sqlite`);
  return placeOf(written.replaceAll("{agentId}", agentId), paths.stateDir, paths);
}

/** A file is the memory of one agent: where all are told the same, all but the default one add their name. */
function sharedPath(config: ChelaConfig, written: string | undefined, agentId: string, paths: StatePaths): string {
  const path = storePath(written, agentId, paths);
  if (!written || written.includes("{agentId}")) return path;
  const list = config.agents?.list ?? [];
  const first = (list.find((agent) => agent.default) ?? list[0])?.id;
  return first === undefined || normalizeAgentId(first) === agentId ? path : `${path}.${agentId}`;
}

/** From the home folder with `~`; what is not absolute lies below `folder`. */
function placeOf(written: string, folder: string, { home }: StatePaths): string {
  return isAbsolute(written) || written.startsWith("~") ? expandHome(written, home) : join(folder, written);
}
