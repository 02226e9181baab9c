// The walk of an errand: given, carried out, delivered, settled. Each step is written before the next is taken.
import {
  GatewayError,
  OPEN_ERRANDS,
  toGatewayError,
  type Change,
  type Clock,
  type Errand,
  type ErrandDelivered,
  type ErrandDelivery,
  type ErrandOutcome,
  type ErrandRecord,
  type Ledger,
  type Logger,
  type ErrandHandler,
  type ErrandTurn,
} from "@chela/sdk";

export interface ErrandsParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  /** What carries a kind out; undefined when nothing here does. Rejects when it cannot be loaded now. */
  handlerOf(kind: string): Promise<ErrandHandler> | undefined;
  /**
   * Undefined when the gateway stops before its end: the next start goes on with it. One that was stopped before its turn was
   * admitted has to be stopped behind that: `signal` says so.
   */
  runTurn(errand: Errand, turn: ErrandTurn, signal: AbortSignal): Promise<ErrandOutcome | undefined>;
  stopTurn(errand: Errand): void;
  /** Brings the texts to their place, once whatever happens; undefined when the gateway stops before it is known. */
  deliver(
    errand: ErrandRecord,
    delivery: ErrandDelivery,
    texts: readonly string[],
  ): Promise<ErrandDelivered | undefined>;
}

export interface Errands {
  /** Commits the errand together with `changes` and sets out. False when one of its name was given before: then nothing is written. */
  begin(errand: Errand, changes?: readonly Change[]): Promise<boolean>;
  /** Sets out with one that was written together with the end of another. */
  goOn(runId: string): Promise<void>;
  /**
   * After a start: what an earlier process left is gone on with, when those who carry it out are there. What nothing here
   * carries out is told of, and stays as it is. Tells how many go on.
   */
  takeUp(): Promise<number>;
  /** When it is settled; of one that is not under way here, what the ledger knows. */
  settled(runId: string): Promise<ErrandRecord | undefined>;
  /** When it is carried out, whether or not its result has arrived. */
  executed(runId: string): Promise<ErrandRecord | undefined>;
  /** Ends it where it is. False when it is not under way. */
  stop(runId: string, reason: string): boolean;
  isUnderWay(runId: string): boolean;
  /** Every step, as it is written. */
  onStep(listener: (errand: ErrandRecord) => void): () => void;
  /** Nothing more begins; what is under way is left to the next start. */
  close(): void;
}

interface UnderWay {
  readonly stop: AbortController;
  readonly executed: PromiseWithResolvers<ErrandRecord | undefined>;
  readonly settled: PromiseWithResolvers<ErrandRecord | undefined>;
}

const AT_ONCE = 500;
/** What could not be written is tried again: the disk may have room again. */
const AGAIN_MS = 5_000;
const NOT_ASKED: ErrandDelivered = { status: "not-requested" };

export function createErrands(parts: ErrandsParts): Errands {
  const { ledger, clock, log } = parts;
  const underWay = new Map<string, UnderWay>();
  const listeners = new Set<(errand: ErrandRecord) => void>();
  let isClosed = false;

  async function handlerOf(kind: string): Promise<ErrandHandler> {
    const handler = parts.handlerOf(kind);
    if (!handler) throw new GatewayError("ERRAND_KIND", kind);
    return handler;
  }

  async function begin(errand: Errand, changes: readonly Change[] = []): Promise<boolean> {
    if (isClosed) throw new GatewayError("PROTOCOL_UNAVAILABLE", "the gateway is stopping");
    if (!parts.handlerOf(errand.kind)) throw new GatewayError("ERRAND_KIND", errand.kind);
    const { runId } = errand;
    const at = clock.now();
    try {
      await ledger.commit([
        { kind: "errand-add", errand },
        { kind: "errand-state", runId, state: "running", at },
        ...changes,
      ]);
    } catch (error) {
      if (!GatewayError.is(error) || error.code !== "STORE_CONFLICT" || !(await ledger.errand(runId))) throw error;
      return false;
    }
    const record = await ledger.errand(runId);
    if (record) setOut(record);
    return true;
  }

  /** Never rejects. */
  function setOut(record: ErrandRecord, isTakenUp = false): void {
    const way: UnderWay = {
      stop: new AbortController(),
      executed: Promise.withResolvers(),
      settled: Promise.withResolvers(),
    };
    underWay.set(record.runId, way);
    if (!isTakenUp) tell(record);
    void walk(record, way, isTakenUp)
      .catch((error: unknown) => {
        log.error("an errand could not be finished; the next start goes on with it", {
          run: record.runId,
          error: error instanceof Error ? error.stack : String(error),
        });
        return undefined;
      })
      .then(async (end) => {
        underWay.delete(record.runId);
        way.executed.resolve(end);
        way.settled.resolve(end);
        if (end) (await handlerOf(end.kind)).settled?.(end);
      })
      .catch((error: unknown) =>
        log.error("what follows an errand failed", { run: record.runId, error: String(error) }),
      );
  }

  /** Undefined when the gateway stopped on the way. */
  async function walk(record: ErrandRecord, way: UnderWay, isTakenUp: boolean): Promise<ErrandRecord | undefined> {
    const outcome = record.outcome ?? (await carryOut(record, way.stop.signal, isTakenUp));
    if (!outcome) return undefined;
    const executed = { ...record, outcome };
    const texts = (await handlerOf(record.kind)).tidings?.(executed, outcome) ?? usualTidings(outcome);
    if (!record.delivery || texts.length === 0) {
      const delivered = NOT_ASKED;
      return settle({ ...executed, delivered }, { outcome, delivered });
    }
    // Whoever waits for the outcome of one that an earlier process carried out has it already.
    way.executed.resolve(record.outcome ? record : await write(executed, "executed", { outcome }));
    const { delivery } = record;
    const delivered = await patiently(record, () => parts.deliver(executed, delivery, texts));
    return delivered && settle({ ...executed, delivered }, { delivered });
  }

  async function carryOut(
    record: ErrandRecord,
    signal: AbortSignal,
    isTakenUp: boolean,
  ): Promise<ErrandOutcome | undefined> {
    const handler = await handlerOf(record.kind);
    if (isTakenUp && record.state === "running") {
      const verdict = await handler.afterCrash(record);
      if (verdict !== "again") {
        parts.stopTurn(record);
        return verdict;
      }
    }
    let isStopping = false;
    const turn = async (asked: ErrandTurn): Promise<ErrandOutcome> => {
      if (signal.aborted) return { status: "killed", texts: [] };
      const outcome = await parts.runTurn(record, asked, signal);
      isStopping ||= outcome === undefined;
      return outcome ?? { status: "error", texts: [], error: "The gateway is stopping." };
    };
    try {
      const outcome = await handler.carryOut(record, { signal, turn });
      return isStopping || isClosed ? undefined : asStopped(outcome, signal);
    } catch (thrown) {
      if (isStopping || isClosed) return undefined;
      if (hasNoRoom(thrown) && !signal.aborted) {
        // Nobody knows how far it came, as after a crash: its kind says what that means.
        await pause(record, thrown);
        return isClosed ? undefined : carryOut(record, signal, true);
      }
      const error = toGatewayError(thrown, "TURN_FAILED");
      log.error("an errand failed", { run: record.runId, kind: record.kind, error: error.stack });
      return asStopped({ status: "error", texts: [], error: error.message }, signal);
    }
  }

  async function settle(
    record: ErrandRecord,
    news: { readonly outcome?: ErrandOutcome; readonly delivered: ErrandDelivered },
  ): Promise<ErrandRecord> {
    const more = await patiently(record, async () => (await handlerOf(record.kind)).settling?.(record));
    return write(record, "settled", news, more);
  }

  /** Nothing is lost because the disk is full for a while. Only for what may be done again. */
  async function patiently<T>(record: ErrandRecord, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (isClosed || !hasNoRoom(error)) throw error;
        await pause(record, error);
      }
    }
  }

  function pause({ runId }: ErrandRecord, error: unknown): Promise<void> {
    log.error("an errand waits, because nothing can be written", { run: runId, error: String(error) });
    return new Promise<void>((resolve) => clock.after(AGAIN_MS, resolve));
  }

  async function write(
    record: ErrandRecord,
    state: "executed" | "settled",
    news: { readonly outcome?: ErrandOutcome; readonly delivered?: ErrandDelivered },
    more: readonly Change[] = [],
  ): Promise<ErrandRecord> {
    const { runId } = record;
    await patiently(record, () =>
      ledger.commit([{ kind: "errand-state", runId, state, at: clock.now(), ...news }, ...more]),
    );
    const written = (await ledger.errand(runId)) ?? { ...record, state };
    tell(written);
    return written;
  }

  function tell(errand: ErrandRecord): void {
    for (const listener of listeners) listener(errand);
  }

  /** All of them before any sets out: what ends meanwhile would move the others to another page. */
  async function readOpen(): Promise<ErrandRecord[]> {
    const all: ErrandRecord[] = [];
    for (;;) {
      const query = { states: OPEN_ERRANDS, order: "oldest", limit: AT_ONCE, offset: all.length } as const;
      const page = await ledger.errands(query);
      all.push(...page);
      if (page.length < AT_ONCE) return all;
    }
  }

  /** Those who carry these out, before any of them goes on. Gives the kinds that can. */
  async function openHandlers(left: readonly ErrandRecord[]): Promise<ReadonlySet<string>> {
    const kinds = new Set<string>();
    for (const [kind, ofKind] of Map.groupBy(left, (record): string => record.kind)) {
      const count = ofKind.length;
      await handlerOf(kind).then(
        () => kinds.add(kind),
        (error: unknown) =>
          log.error(
            "work of an earlier process waits, because nothing can carry it out; a later start goes on with it",
            {
              kind,
              count,
              error: String(error),
            },
          ),
      );
    }
    return kinds;
  }

  return {
    begin,
    async goOn(runId) {
      const record = isClosed || underWay.has(runId) ? undefined : await ledger.errand(runId);
      if (record && record.state !== "settled") setOut(record);
    },
    async takeUp() {
      const kinds = await openHandlers(await readOpen());
      // Read anew: who carries them out may have settled some. Those that came in meanwhile are under way already.
      const left = (await readOpen()).filter(({ kind, runId }) => kinds.has(kind) && !underWay.has(runId));
      for (const record of left) setOut(record, true);
      return left.length;
    },
    settled: async (runId) => underWay.get(runId)?.settled.promise ?? ledger.errand(runId),
    executed: async (runId) => underWay.get(runId)?.executed.promise ?? ledger.errand(runId),
    stop(runId, reason) {
      const way = underWay.get(runId);
      if (!way || way.stop.signal.aborted) return false;
      way.stop.abort(reason);
      void ledger.errand(runId).then((errand) => errand && parts.stopTurn(errand));
      return true;
    },
    isUnderWay: (runId) => underWay.has(runId),
    onStep(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      isClosed = true;
    },
  };
}

/** What was ended from outside has not failed by itself. */
function asStopped(outcome: ErrandOutcome, signal: AbortSignal): ErrandOutcome {
  if (!signal.aborted) return outcome;
  return { ...outcome, status: "killed", reason: String(signal.reason) };
}

function usualTidings({ status, texts }: ErrandOutcome): readonly string[] {
  return status === "ok" ? texts.filter((text) => text.trim() !== "") : [];
}

function hasNoRoom(error: unknown): boolean {
  return GatewayError.is(error) && error.code.startsWith("STORE_") && error.row.retry === "later";
}
