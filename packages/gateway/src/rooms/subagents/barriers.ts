// The wait for several helpers: their results are handed to the waiting turn, and then not announced a second time.
import * as z from "zod";
import { once, type ErrandRecord, type ToolCallRecord, OneAtATime } from "@chela/sdk";
import type { SubagentWorkHouse } from "./parts.ts";
import { leaveTurn, stopTurn } from "./stop-turn.ts";

/** The tool call that waits. */
export interface WaitingCall {
  readonly sessionKey: string;
  readonly runId: string;
  readonly toolCallId: string;
}

export interface Barriers {
  /** Waits until all are carried out, the time is over, or `signal` aborts. Gives those that are. */
  wait(
    call: WaitingCall,
    runIds: readonly string[],
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<readonly ErrandRecord[]>;
  /** Whether a result has reached its agent by a call. Waits while one waits for it, or is about to be written down. */
  handedOver(runId: string, sessionKey: string): Promise<boolean>;
  /** Begins the news of a result, unless a call has taken it or takes it first. Tells whether it was begun. */
  beginUnlessTaken(runId: string, sessionKey: string, begin: () => Promise<unknown>): Promise<boolean>;
  /** Turns that only wait are left to the next start. */
  close(): void;
}

const Handed = once(() =>
  z.array(z.object({ child: z.string(), runId: z.string(), toolCallId: z.string(), at: z.number() })),
);
type Handed = z.infer<ReturnType<typeof Handed>>;

/** Why news are withdrawn. */
export const HANDED_OVER = "handed-over";
/** Older ones were settled long ago. */
const MOST_REMEMBERED = 50;
const MOST_LIVE = 1000;

/** `announcementsOf` names the turns in which a result may be under way already. */
export function createBarriers(house: SubagentWorkHouse, announcementsOf: (runId: string) => string[]): Barriers {
  const { ledger, clock, errands, lanes } = house;
  const oneAtATime = new OneAtATime();
  /** Who is waited for, with the end of the wait. */
  const awaited = new Map<string, Promise<unknown>>();
  const waiting = new Set<WaitingCall>();
  /** Calls of this process that took results: their end will be written. One of an earlier process has none. */
  const live = new Set<string>();

  const wait: Barriers["wait"] = async (call, runIds, { timeoutMs, signal }) => {
    const over = Promise.withResolvers<void>();
    for (const runId of runIds) awaited.set(runId, over.promise);
    waiting.add(call);
    try {
      const end = Promise.withResolvers<void>();
      const cancel = clock.after(timeoutMs, () => end.resolve());
      const stop = (): void => end.reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      const all = Promise.all(runIds.map((runId) => errands.executed(runId)));
      await lanes.whileWaiting(call.sessionKey, Promise.race([all, end.promise])).finally(() => {
        cancel();
        signal.removeEventListener("abort", stop);
      });
      return await handOver(call, runIds);
    } finally {
      waiting.delete(call);
      for (const runId of runIds) awaited.delete(runId);
      over.resolve();
    }
  };

  /** Written down before the call answers. Whether the answer was, too, is looked up before anybody relies on it. */
  async function handOver(call: WaitingCall, runIds: readonly string[]): Promise<ErrandRecord[]> {
    const records = await Promise.all(runIds.map((runId) => ledger.errand(runId)));
    const done = records.filter((record) => record?.outcome !== undefined) as ErrandRecord[];
    // What this very turn announces was told with its first words.
    const open = done.filter(
      ({ state, runId }) => state === "executed" && !announcementsOf(runId).includes(call.runId),
    );
    if (open.length === 0) return done;
    live.add(callId(call));
    if (live.size > MOST_LIVE) for (const oldest of [...live].slice(0, -MOST_LIVE)) live.delete(oldest);
    await oneAtATime.run(call.sessionKey, async () => {
      const { runId, toolCallId } = call;
      const at = clock.now();
      const more = open.map((record) => ({ child: record.runId, runId, toolCallId, at }));
      const all = [...(await read(call.sessionKey)), ...more].slice(-MOST_REMEMBERED);
      await ledger.commit([{ kind: "value-put", key: keyOf(call.sessionKey), value: JSON.stringify(all) }]);
    });
    withdrawWhenWritten(call, open);
    return done;
  }

  /** Not before the answer of the call is safe: until then a crash would take both from the agent. */
  function withdrawWhenWritten({ sessionKey, runId, toolCallId }: WaitingCall, taken: readonly ErrandRecord[]): void {
    const stopListening = ledger.onCommit(({ commits }) => {
      const changes = commits.flat();
      const end = changes.find(
        (one) => one.kind === "tool-end" && one.runId === runId && one.toolCallId === toolCallId,
      );
      const isOver = changes.some((one) => one.kind === "turn-end" && one.runId === runId);
      if (end || isOver) stopListening();
      if (end?.kind !== "tool-end" || end.isError) return;
      // At once: those that wait behind the turn may begin with its end, which may be part of the same commit.
      for (const child of taken) for (const id of announcementsOf(child.runId)) withdraw(id, sessionKey);
    });
  }

  function withdraw(runId: string, sessionKey: string): void {
    if (errands.stop(runId, HANDED_OVER)) stopTurn(house, sessionKey, runId);
  }

  const handedOver: Barriers["handedOver"] = async (runId, sessionKey) => {
    await awaited.get(runId);
    const calls = (await read(sessionKey)).filter(({ child }) => child === runId);
    for (const call of calls) if (await wasWritten(call)) return true;
    return false;
  };

  const beginUnlessTaken: Barriers["beginUnlessTaken"] = async (runId, sessionKey, begin) => {
    for (;;) {
      const known = await countCalls(runId, sessionKey);
      if (await handedOver(runId, sessionKey)) return false;
      // A call that takes it meanwhile is looked at first; one that comes later finds the news under way and withdraws them.
      const isBegun = await oneAtATime.run(sessionKey, async () => {
        if ((await countCalls(runId, sessionKey)) > known) return false;
        await begin();
        return true;
      });
      if (isBegun) return true;
    }
  };

  async function countCalls(runId: string, sessionKey: string): Promise<number> {
    return (await read(sessionKey)).filter(({ child }) => child === runId).length;
  }

  /** Whether the model has the answer of the call, or will have it whatever happens. */
  async function wasWritten({ runId, toolCallId, at }: Handed[number]): Promise<boolean> {
    let news = Promise.withResolvers<void>();
    const stopListening = ledger.onCommit(({ commits }) => {
      const isNews = commits
        .flat()
        .some((one) => (one.kind === "tool-end" || one.kind === "turn-end") && one.runId === runId);
      if (!isNews) return;
      news.resolve();
      news = Promise.withResolvers();
    });
    try {
      for (;;) {
        const { promise: changed } = news;
        // A call that a crash took back without a trace may have left its id to a later one.
        const fits = (one: ToolCallRecord): boolean => one.toolCallId === toolCallId && one.startedAt <= at;
        const call = (await ledger.toolCalls(runId)).find(fits);
        if (call?.endedAt !== undefined) return !call.isError;
        const isOpen = live.has(callId({ runId, toolCallId })) && (await ledger.run(runId))?.state !== "done";
        if (!isOpen) return false;
        await changed;
      }
    } finally {
      stopListening();
    }
  }

  async function read(sessionKey: string): Promise<Handed> {
    const value = await ledger.value(keyOf(sessionKey));
    return value === undefined ? [] : Handed().parse(JSON.parse(value));
  }

  return {
    wait,
    handedOver,
    beginUnlessTaken,
    close() {
      for (const { sessionKey, runId } of waiting) leaveTurn(house, sessionKey, runId);
    },
  };
}

const keyOf = (sessionKey: string): string => `subagents.handed:${sessionKey}`;
const callId = ({ runId, toolCallId }: Pick<WaitingCall, "runId" | "toolCallId">): string => `${runId}\n${toolCallId}`;
