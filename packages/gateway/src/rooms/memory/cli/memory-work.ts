// Waits for work on memory that goes on behind, and shows how far it is.
import type { CommandCall } from "@chela/sdk/command-line";
import type { Ask, MemoryProgress, MethodAnswer } from "@chela/sdk/protocol";
import { ProgressBar } from "../../../base/terminal/progress-bar.ts";

export type AgentStatus = MethodAnswer<"memory.status">["agents"][number];

export interface MemoryWork {
  readonly ask: Ask;
  /** Resolves when nothing is done for this agent any more. */
  settled(agentId: string): Promise<AgentStatus | undefined>;
}

const SAYS = { text: "Reading", vectors: "Making vectors", learning: "Learning from conversations" } as const;
const LOOK_EVERY_MS = 300;
/** One quiet look may fall between two pieces of work. */
const QUIET_LOOKS = 3;

/** One connection for a command whose questions take as long as they take; a person sees how far they are. */
export async function doMemoryWork(
  call: CommandCall,
  work: (work: MemoryWork) => Promise<void>,
  usualTimeoutMs?: number,
): Promise<number> {
  const { flags, terminal } = call;
  const timeoutMs = flags.number("timeout") ?? usualTimeoutMs;
  const link = await call.gateway.connect({ timeoutMs });
  const bar = new ProgressBar(terminal, !flags.has("json"));
  const latest = new Map<string, MemoryProgress>();
  link.onEvent(({ event, payload }) => {
    if (event !== "memory.progress") return;
    const progress = payload as MemoryProgress;
    latest.set(progress.agentId, progress);
    bar.show(SAYS[progress.phase], progress.done, progress.of);
  });
  const ask: Ask = async (method, ...params) => {
    const answer = await link.ask(method, ...params);
    bar.clear();
    return answer;
  };
  const settled: MemoryWork["settled"] = async (agentId) => {
    for (let quiet = 0; ;) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      const { agents } = await link.ask("memory.status", { agentId });
      const progress = latest.get(agentId);
      const isBusy = agents[0]?.isIndexing === true || (progress !== undefined && progress.done < progress.of);
      quiet = isBusy ? 0 : quiet + 1;
      if (quiet < QUIET_LOOKS) continue;
      bar.clear();
      return agents[0];
    }
  };
  try {
    await work({ ask, settled });
  } finally {
    bar.clear();
    link.close();
  }
  return 0;
}
