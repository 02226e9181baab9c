// Settings of the memory of one agent, with what holds where the configuration says nothing.
import { isAbsolute, join } from "node:path";
import { normalizeAgentId } from "@chela/sdk";
import { writtenAgent } from "./defaults.ts";
import { filled, filledSection, laidOver, type FilledPart } from "@chela/sdk/config";
import { memorySearch } from "../schema/agent-parts.ts";
import { memorySection } from "../schema/knowledge.ts";
import type { ChelaConfig } from "../schema/sections.ts";
import { expandHome, type StatePaths } from "../state/state-paths.ts";

type WrittenMemorySearch = NonNullable<NonNullable<NonNullable<ChelaConfig["agents"]>["defaults"]>["memorySearch"]>;
type Filled = FilledPart<ReturnType<typeof memorySearch>>;

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
  readonly remote: NonNullable<WrittenMemorySearch["remote"]>;
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
  const of = filled(memorySearch(), laidOver(all, own));
  const learning = filledSection(memorySection, config.memory).learning;
  // Ollama speaks the language of OpenAI, on this machine where no address is given.
  const isOllama = (own.provider ?? all.provider) === "ollama";
  const remote = isElsewhere(all, own) ? { ...own.remote } : { ...all.remote, ...own.remote };
  const hearsSessions = of.experimental.sessionMemory === true && !of.sources.includes("sessions");
  return {
    isOn: of.enabled,
    learns: learning.enabled,
    ...(learning.model ? { reads: { model: learning.model, maxTokensPerDay: learning.maxTokensPerDay } } : {}),
    sources: hearsSessions ? [...of.sources, "sessions"] : of.sources,
    extraPaths: (of.extraPaths ?? []).map((path) => placeOf(path, workspace, paths)),
    // Where nobody is named, it depends on what there is.
    provider: serviceOf(own.provider ?? all.provider),
    // What fails over to a service that nobody set up here goes on with the model of this machine.
    fallback: of.fallback === "ollama" ? "local" : of.fallback,
    model: of.model ?? (isOllama ? OLLAMA.model : undefined),
    modelPath: of.local.modelPath ? expandHome(of.local.modelPath, paths.home) : undefined,
    remote: isOllama ? { ...remote, baseUrl: remote.baseUrl ?? OLLAMA.baseUrl } : remote,
    path: own.store?.path
      ? storePath(own.store.path, agentId, paths)
      : sharedPath(config, all.store?.path, agentId, paths),
    usesVectors: of.store.vector.enabled,
    chunking: of.chunking,
    watches: of.sync.watch,
    watchDebounceMs: of.sync.watchDebounceMs,
    syncsOnSearch: of.sync.onSearch,
    query: querySettings(of.query),
    cacheEntries: of.cache.enabled ? of.cache.maxEntries : 0,
  };
}

const OLLAMA = { baseUrl: "http://127.0.0.1:11434/v1", model: "nomic-embed-text" };

function serviceOf(provider: WrittenMemorySearch["provider"]): MemoryConfig["provider"] {
  return provider === "ollama" ? "openai" : provider;
}

/** An agent with a service of its own is not given the key of the other one. */
function isElsewhere(all: WrittenMemorySearch, own: WrittenMemorySearch): boolean {
  const { provider = all.provider, remote: { baseUrl = all.remote?.baseUrl } = {} } = own;
  return provider !== all.provider || baseUrl !== all.remote?.baseUrl;
}

function querySettings({ maxResults, minScore, hybrid }: Filled["query"]): MemoryConfig["query"] {
  const { vectorWeight, textWeight, candidateMultiplier, mmr, temporalDecay } = hybrid;
  return {
    maxResults,
    minScore,
    isHybrid: hybrid.enabled,
    vectorWeight,
    textWeight,
    candidateMultiplier,
    ...(mmr.enabled ? { mmrLambda: mmr.lambda } : {}),
    ...(temporalDecay.enabled ? { halfLifeDays: temporalDecay.halfLifeDays } : {}),
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
