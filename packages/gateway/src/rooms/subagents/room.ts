// Sub-agents: helpers an agent starts for a part of its work. Owns: who may start how many of whom, the walk of one from
// its start to the news of its result, the wait for several of them, and when their conversations are put away.
export type { SubagentsParts, SubagentView } from "./parts.ts";
export type { Subagents } from "./subagents.ts";

/** The rest is loaded when there is a sub-agent. */
export const loadSubagents = () => import("./subagents.ts");
