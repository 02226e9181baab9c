// What the configuration says about the sub-agents of one agent, with what holds where it says nothing.
import { DEFAULTS } from "./default-values.ts";
import { writtenAgent } from "./defaults.ts";
import type { ChelaConfig } from "./schema/sections.ts";

interface SubagentLimits {
  readonly maxSpawnDepth: number;
  readonly maxChildrenPerAgent: number;
  readonly archiveAfterMinutes: number;
  readonly runTimeoutSeconds: number;
  readonly announceTimeoutMs: number | undefined;
  readonly allowAgents: readonly string[] | undefined;
  readonly model: string | undefined;
  readonly fallbacks: readonly string[] | undefined;
  readonly thinking: string | undefined;
}

export function subagentSettings(config: ChelaConfig, agentId: string): SubagentLimits {
  const all = config.agents?.defaults?.subagents;
  const own = writtenAgent(config, agentId)?.subagents;
  const choice = own?.model ?? all?.model;
  const of = (key: keyof typeof LIMITS) => all?.[key] ?? LIMITS[key];
  return {
    maxSpawnDepth: of("maxSpawnDepth"),
    maxChildrenPerAgent: of("maxChildrenPerAgent"),
    archiveAfterMinutes: of("archiveAfterMinutes"),
    runTimeoutSeconds: of("runTimeoutSeconds"),
    announceTimeoutMs: all?.announceTimeoutMs,
    allowAgents: own?.allowAgents,
    model: (typeof choice === "string" ? choice : choice?.primary) || undefined,
    fallbacks: typeof choice === "object" ? choice.fallbacks : undefined,
    thinking: own?.thinking ?? all?.thinking,
  };
}

const LIMITS = {
  maxSpawnDepth: DEFAULTS["agents.defaults.subagents.maxSpawnDepth"],
  maxChildrenPerAgent: DEFAULTS["agents.defaults.subagents.maxChildrenPerAgent"],
  archiveAfterMinutes: DEFAULTS["agents.defaults.subagents.archiveAfterMinutes"],
  runTimeoutSeconds: DEFAULTS["agents.defaults.subagents.runTimeoutSeconds"],
};
