// The walk of an errand: given, carried out, delivered, settled. Each step is written before the next is taken.
import {
  GatewayError,
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
import { carryOut } from "./carry-out.ts";
import { openHandlers, readOpen } from "./left-open.ts";
import { createPatience } from "./patience.ts";

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

const NOT_ASKED: ErrandDelivered = { status: "not-requested" };

export function createErrands(parts: ErrandsParts): Errands {
  const { ledger, clock, log } = parts;
  const underWay = new Map<string, UnderWay>();
  const listeners = new Set<(errand: ErrandRecord) => void>();
  let isClosed = false;
  const { patiently, pause } = createPatience(parts, () => isClosed);

  async function handlerOf(kind: string): Promise<ErrandHandler> {
    const handler = parts.handlerOf(kind);
    if (!handler) throw new GatewayError("ERRAND_KIND", kind);
    return handler;
  }

  const { runTurn, stopTurn } = parts;
  const means = { log, handlerOf, runTurn, stopTurn, pause, isClosed: () => isClosed };

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
    const outcome = record.outcome ?? (await carryOut(record, { signal: way.stop.signal, isTakenUp }, means));
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

  async function settle(
    record: ErrandRecord,
    news: { readonly outcome?: ErrandOutcome; readonly delivered: ErrandDelivered },
  ): Promise<ErrandRecord> {
    const more = await patiently(record, async () => (await handlerOf(record.kind)).settling?.(record));
    return write(record, "settled", news, more);
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

  return {
    begin,
    async goOn(runId) {
      const record = isClosed || underWay.has(runId) ? undefined : await ledger.errand(runId);
      if (record && record.state !== "settled") setOut(record);
    },
    async takeUp() {
      const kinds = await openHandlers(await readOpen(ledger), handlerOf, log);
      // Read anew: who carries them out may have settled some. Those that came in meanwhile are under way already.
      const left = (await readOpen(ledger)).filter(({ kind, runId }) => kinds.has(kind) && !underWay.has(runId));
      for (const record of left) setOut(record, true);
      return left.length;
    },
    settled: async (runId) => underWay.get(runId)?.settled.promise ?? ledger.errand(runId),
    executed: async (runId) => underWay.get(runId)?.executed.promise ?? ledger.errand(runId),
    stop(runId, reason) {
      const way = underWay.get(runId);
      if (!way || way.stop.signal.aborted) return false;
      way.stop.abort(reason);
      void ledger.errand(runId).then((errand) => errand && stopTurn(errand));
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

function usualTidings({ status, texts }: ErrandOutcome): readonly string[] {
  return status === "ok" ? texts.filter((text) => text.trim() !== "") : [];
}
