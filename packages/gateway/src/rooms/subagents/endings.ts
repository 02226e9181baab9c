// How sub-agents are ended: those that work are stopped, and news of those that are done are for nobody any more.
import type { ErrandRecord } from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";
import { announceIds } from "./announcer.ts";
import type { SubagentsParts, SubagentWorkHouse } from "./parts.ts";

export interface Endings {
  /** Tells how many were at work. */
  end(open: readonly ErrandRecord[], reason: string): number;
  /** The same; resolves when their ends are written, or when that takes too long. */
  endWritten(open: readonly ErrandRecord[], reason: string): Promise<number>;
}

/** A turn lets go of its tools within moments; whoever stops it need not wait longer for the record of that. */
const END_PATIENCE_MS = 5000;

export function createEndings(
  { clock, errands }: Pick<SubagentWorkHouse, "clock" | "errands">,
  { isClosing }: Pick<SubagentsParts, "isClosing">,
): Endings {
  function end(open: readonly ErrandRecord[], reason: string): number {
    if (isClosing()) return 0;
    const atWork = open.filter(({ state }) => state === "waiting" || state === "running");
    // Of those that are done nobody is left to hear.
    const news = open.filter(({ state }) => state === "executed").flatMap(({ runId }) => announceIds(runId));
    for (const runId of news) errands.stop(runId, reason);
    return atWork.filter(({ runId }) => errands.stop(runId, reason)).length;
  }

  async function endWritten(open: readonly ErrandRecord[], reason: string): Promise<number> {
    const count = end(open, reason);
    const ends = open.filter(({ state }) => state !== "executed").map(({ runId }) => errands.executed(runId));
    await waitAtMost(END_PATIENCE_MS, Promise.all(ends), clock);
    return count;
  }

  return { end, endWritten };
}
