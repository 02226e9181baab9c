// Puts the conversations of sub-agents away some time after their end. Looks once a minute while there is one left.
import { OPEN_ERRANDS, type ErrandRecord } from "@chela/sdk";
import type { SubagentsParts, SubagentWorkHouse } from "./parts.ts";
import { workOf } from "./work.ts";

export interface Sweeper {
  /** There may be something to put away later. */
  wake(): void;
  /** One is over: whoever wanted it forgotten at once gets that now. */
  ended(errand: ErrandRecord): Promise<void>;
  close(): void;
}

const EVERY_MS = 60_000;
const MINUTE_MS = 60_000;
const AT_ONCE = 500;

export function createSweeper(house: SubagentWorkHouse, parts: Pick<SubagentsParts, "settings">): Sweeper {
  const { ledger, clock, log } = house;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  function wake(): void {
    if (isClosed || cancel) return;
    cancel = clock.after(EVERY_MS, () => {
      cancel = undefined;
      sweep().catch((error: unknown) => {
        log.warn("the conversations of sub-agents could not be put away yet", { error: String(error) });
        wake();
      });
    });
  }

  async function sweep(): Promise<void> {
    const search = (word: string) => ledger.sessions({ search: word, includeHidden: true, limit: AT_ONCE });
    const rows = [...(await search(":subagent:")), ...(await search(":acp:"))];
    let left = 0;
    for (const { key, entry } of rows) {
      const [newest] = await ledger.errands({ kind: "subagent", sessionKey: key, limit: 1 });
      // One that nobody started as a sub-agent is somebody's conversation.
      if (!newest || entry.spawnedBy === undefined) continue;
      const isDue = clock.now() >= dueAt(newest, entry.updatedAt);
      if (isDue && !(await isInUse(key))) await putAway(key);
      else left += 1;
    }
    if (left > 0) wake();
  }

  function dueAt(errand: ErrandRecord, updatedAt: number): number {
    if (errand.state !== "settled") return Infinity;
    if (isForgettable(errand)) return 0;
    return Math.max(archiveAt(errand, parts) ?? 0, updatedAt + archiveAfterMs(errand, parts));
  }

  /** What was said in it is kept. */
  async function putAway(sessionKey: string): Promise<void> {
    await house.sessions.delete(sessionKey, { archiveTranscript: true });
  }

  async function isInUse(sessionKey: string): Promise<boolean> {
    if (house.lanes.runIds(sessionKey).length > 0) return true;
    return (await ledger.countErrands({ kind: "subagent", owner: sessionKey, states: OPEN_ERRANDS })) > 0;
  }

  return {
    wake,
    async ended(errand) {
      wake();
      if (isClosed || !isForgettable(errand) || (await isInUse(errand.sessionKey))) return;
      await putAway(errand.sessionKey);
    },
    close() {
      isClosed = true;
      cancel?.();
    },
  };
}

/** From when on its conversation leaves the list, unless somebody talks with it later; undefined before its end. */
export function archiveAt(errand: ErrandRecord, parts: Pick<SubagentsParts, "settings">): number | undefined {
  if (errand.settledAt === undefined) return undefined;
  if (isForgettable(errand)) return errand.settledAt;
  return workOf(errand).archiveAtMs ?? errand.settledAt + archiveAfterMs(errand, parts);
}

function archiveAfterMs({ agentId }: ErrandRecord, parts: Pick<SubagentsParts, "settings">): number {
  return parts.settings(agentId).archiveAfterMinutes * MINUTE_MS;
}

/** A result nobody heard of is kept for a while, whatever was wished. */
function isForgettable(errand: ErrandRecord): boolean {
  return workOf(errand).cleanup === "delete" && errand.delivered?.status !== "not-delivered";
}
