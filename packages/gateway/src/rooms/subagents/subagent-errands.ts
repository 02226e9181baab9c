// Carries out a sub-agent: its turn, the wait for its own helpers, and the last thing it said as its result.
import { OPEN_ERRANDS, type ErrandOutcome, type ErrandRecord, type CarryOut, type ErrandHandler } from "@chela/sdk";
import { resultOf } from "./announce-text.ts";
import { openBelow } from "./children.ts";
import type { SubagentWorkHouse } from "./parts.ts";
import { turnOf, workOf } from "./work.ts";

export interface SubagentErrandNeeds {
  /** Ends a sub-agent with all below it. */
  end(errands: readonly ErrandRecord[], reason: string): void;
  /** One is over: its conversation may be put away. */
  settled(errand: ErrandRecord): void;
}

/** Ends its parent knows of, because it or a person wanted them. */
const KNOWN_ENDS: ReadonlySet<string> = new Set(["killed", "session-reset", "session-delete"]);
/** How many are remembered, whoever their parents are: many conversations start one and are never heard of again. */
const KEPT = 2_000;
const MOST_TURNS = 50;

export function subagentErrands(house: SubagentWorkHouse, needs: SubagentErrandNeeds): ErrandHandler {
  const { ledger, clock, errands, log, runs } = house;

  async function carryOut(errand: ErrandRecord, how: CarryOut): Promise<ErrandOutcome> {
    // Its deadline was written down as a time; from here on it is a while, whatever becomes of the clock.
    const until = clock.steady() + deadlineOf(errand) - clock.now();
    const outcome = await how.turn(turnOf(errand, workOf(errand).task));
    if (outcome.status === "ok") await waitForOthers(errand, how.signal, until);
    const isLate = outcome.status === "ok" && !how.signal.aborted && clock.steady() >= until;
    const isEarly = outcome.status !== "ok" || how.signal.aborted || isLate;
    if (isEarly) needs.end(await openBelow(ledger, errand.sessionKey), "killed");
    const timedOut = isLate && { status: "error" as const, reason: "timeout", error: "It ran out of time." };
    return {
      ...outcome,
      ...timedOut,
      texts: await lastAnswer(errand, outcome),
      details: await detailsOf(errand, outcome),
    };
  }

  /** Its own helpers report to it, and what is said to it is answered, before it is done. */
  async function waitForOthers({ runId, sessionKey }: ErrandRecord, signal: AbortSignal, until: number): Promise<void> {
    const end = Promise.withResolvers<void>();
    const late = until - clock.steady();
    const cancel = late < Infinity ? clock.after(Math.max(0, late), () => end.resolve()) : () => {};
    const stop = (): void => end.resolve();
    signal.addEventListener("abort", stop, { once: true });
    let isOver = signal.aborted;
    void end.promise.then(() => (isOver = true));
    try {
      while (!isOver) {
        const open = await othersOf(sessionKey, runId);
        if (open.length === 0) return;
        await Promise.race([Promise.all(open), end.promise]);
      }
    } finally {
      cancel();
      signal.removeEventListener("abort", stop);
    }
  }

  async function othersOf(sessionKey: string, runId: string): Promise<Promise<unknown>[]> {
    const children = await ledger.errands({ kind: "subagent", owner: sessionKey, states: OPEN_ERRANDS, limit: 100 });
    const waits = children
      .filter((child) => errands.isUnderWay(child.runId))
      .map((child) => errands.settled(child.runId));
    const turns = await ledger.runs({ sessionKey, limit: MOST_TURNS });
    const said = turns.filter((turn) => turn.state !== "done" && turn.runId !== runId && isOurs(turn.channel));
    return [...waits, ...said.flatMap((turn) => runs.waitFor(turn.runId) ?? [])];
  }

  async function lastAnswer(
    { sessionKey, createdAt }: ErrandRecord,
    { texts }: ErrandOutcome,
  ): Promise<readonly string[]> {
    const turns = await ledger.runs({ sessionKey, limit: MOST_TURNS });
    const answers = turns.flatMap(({ channel, admittedAt, endedAt = 0, outcome }) => {
      const isAnswer = isOurs(channel) && admittedAt >= createdAt && outcome?.status === "ok";
      const said = outcome?.texts.filter((text) => text.trim() !== "") ?? [];
      return isAnswer && said.length > 0 ? [{ endedAt, said }] : [];
    });
    const last = answers.reduce<(typeof answers)[number] | undefined>(
      (newest, one) => (newest && newest.endedAt >= one.endedAt ? newest : one),
      undefined,
    );
    return last?.said ?? texts;
  }

  async function detailsOf({ sessionKey, createdAt }: ErrandRecord, { details }: ErrandOutcome) {
    const range = { from: createdAt, to: clock.now() + 1, of: { session: sessionKey } };
    const { input, output, cacheRead, cacheWrite } = await ledger.usageTotal(range);
    return { ...details, tokens: input + output + cacheRead + cacheWrite };
  }

  /** What came in between the order to end it and the record of that. */
  async function endRest({ sessionKey, runId }: ErrandRecord): Promise<void> {
    const [newest] = await ledger.errands({ kind: "subagent", sessionKey, limit: 1 });
    if (newest?.runId === runId) needs.end(await openBelow(ledger, sessionKey), "killed");
  }

  return {
    carryOut,
    async afterCrash({ sessionKey }) {
      if (await ledger.session(sessionKey)) return "again";
      return { status: "killed", texts: [], reason: "session-delete" };
    },
    /** Its parent is told of every end it does not know of. */
    tidings(_errand, outcome) {
      if (outcome.status === "killed" && KNOWN_ENDS.has(outcome.reason ?? "")) return [];
      return [resultOf(outcome)];
    },
    settling: async () => [{ kind: "errands-forget", errandKind: "subagent", keep: KEPT }],
    settled(errand) {
      needs.settled(errand);
      if (errand.outcome?.status !== "killed") return;
      endRest(errand).catch((error: unknown) => {
        log.warn("what worked for a sub-agent that was ended could not be looked for", { error: String(error) });
      });
    },
  };
}

function deadlineOf(errand: Pick<ErrandRecord, "startedAt" | "createdAt" | "work">): number {
  const { timeoutSeconds } = workOf(errand);
  return timeoutSeconds ? (errand.startedAt ?? errand.createdAt) + timeoutSeconds * 1000 : Infinity;
}

/** Turns of the sub-agent itself, as opposed to the gateway's own chores in its conversation. */
function isOurs(channel: string): boolean {
  return channel === "subagent" || channel === "announce";
}
