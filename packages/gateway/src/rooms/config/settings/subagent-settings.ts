// Settings of the sub-agents of one agent, with what holds where the configuration says nothing.
import { writtenAgent } from "./defaults.ts";
import { filled } from "@chela/sdk/config";
import { agentDefaults } from "../schema/agents.ts";
import type { ChelaConfig } from "../schema/sections.ts";

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
  const all = filled(agentDefaults(), config.agents?.defaults).subagents;
  const own = writtenAgent(config, agentId)?.subagents;
  const choice = own?.model ?? all.model;
  return {
    maxSpawnDepth: all.maxSpawnDepth,
    maxChildrenPerAgent: all.maxChildrenPerAgent,
    archiveAfterMinutes: all.archiveAfterMinutes,
    runTimeoutSeconds: all.runTimeoutSeconds,
    announceTimeoutMs: all.announceTimeoutMs,
    allowAgents: own?.allowAgents,
    model: (typeof choice === "string" ? choice : choice?.primary) || undefined,
    fallbacks: typeof choice === "object" ? choice.fallbacks : undefined,
    thinking: own?.thinking ?? all.thinking,
  };
}
