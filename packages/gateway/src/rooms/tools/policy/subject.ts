// Subject of a tool policy: the agent, the conversation, the model and the person behind a turn.
import type { ModelInfo, Requester } from "@chela/sdk";
import type { GroupToolsView, ToolListsView } from "./config-view.ts";

export interface ToolSubject {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly model: ModelInfo;
  readonly requester: Requester;
  readonly sandboxed: boolean;
  /** 1 for a sub-agent, 2 for its sub-agent, and so on; absent for a conversation with people. */
  readonly subagentDepth?: number;
  /** How the person takes part, such as "voice". */
  readonly surface?: string;
  readonly group?: GroupToolsView;
  /** Tools the conversation has used that it had to search for, by their first use. */
  readonly used?: readonly string[];
  /** What the turn itself was narrowed to: by a job, a webhook, the agent that asked for help. */
  readonly limits?: ToolListsView;
}

/** How deep a conversation lies below the first one. A sub-agent whose depth is not known counts as the deepest. */
export function depthOf(subject: ToolSubject): number {
  if (subject.subagentDepth !== undefined)
    return Number.isNaN(subject.subagentDepth) ? Infinity : subject.subagentDepth;
  return subject.sessionKey.includes(":subagent:") ? Infinity : 0;
}
