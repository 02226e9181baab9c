// A small engine of errands for tests: the same steps in the same order, without lanes and models.
import type {
  Clock,
  ErrandDelivered,
  ErrandKind,
  ErrandOutcome,
  ErrandRecord,
  Ledger,
  ErrandTurn,
  ErrandHandler,
} from "@chela/sdk";
import type { ErrandEngine } from "./parts.ts";

export interface FakeEngine extends ErrandEngine {
  takeUp(): Promise<void>;
  /** When its turn was asked for. */
  begun(runId: string): Promise<void>;
  /** As if its turn had been stopped. */
  endTurn(runId: string): void;
}

interface EngineNeeds {
  handlerOf(kind: ErrandKind): ErrandHandler;
  turn(runId: string, turn: ErrandTurn): Promise<ErrandOutcome>;
  announceIn(errand: ErrandRecord, sessionKey: string): Promise<ErrandDelivered | undefined>;
}

interface Way {
  readonly stop: AbortController;
  readonly begun: PromiseWithResolvers<void>;
  readonly turnEnd: PromiseWithResolvers<ErrandOutcome>;
  readonly executed: PromiseWithResolvers<ErrandRecord | undefined>;
  readonly settled: PromiseWithResolvers<ErrandRecord | undefined>;
}

export function createFakeEngine(ledger: Ledger, clock: Clock, needs: EngineNeeds): FakeEngine {
  const ways = new Map<string, Way>();
  const wayOf = (runId: string): Way => {
    const way = ways.get(runId) ?? {
      stop: new AbortController(),
      begun: Promise.withResolvers<void>(),
      turnEnd: Promise.withResolvers<ErrandOutcome>(),
      executed: Promise.withResolvers<ErrandRecord | undefined>(),
      settled: Promise.withResolvers<ErrandRecord | undefined>(),
    };
    ways.set(runId, way);
    return way;
  };

  async function walk(runId: string): Promise<void> {
    const way = wayOf(runId);
    const record = (await ledger.errand(runId)) as ErrandRecord;
    const handler = needs.handlerOf(record.kind);
    const outcome = record.outcome ?? (await carryOut(record, handler, way));
    const at = clock.now();
    await ledger.commit([{ kind: "errand-state", runId, state: "executed", at, outcome }]);
    const executed = (await ledger.errand(runId)) as ErrandRecord;
    way.executed.resolve(executed);
    const { delivery } = record;
    const texts = handler.tidings?.(executed, outcome) ?? outcome.texts;
    const isTold = delivery?.mode === "session" && texts.length > 0;
    const delivered = isTold
      ? await needs.announceIn(executed, delivery.sessionKey)
      : { status: "not-requested" as const };
    if (!delivered) return;
    await ledger.commit([{ kind: "errand-state", runId, state: "settled", at, delivered }]);
    way.settled.resolve(await ledger.errand(runId));
  }

  async function carryOut(record: ErrandRecord, handler: ErrandHandler, way: Way): Promise<ErrandOutcome> {
    const { signal } = way.stop;
    const outcome = await handler.carryOut(record, {
      signal,
      turn(turn) {
        way.begun.resolve();
        return Promise.race([needs.turn(record.runId, turn), way.turnEnd.promise]);
      },
    });
    return signal.aborted ? { ...outcome, status: "killed", reason: String(signal.reason) } : outcome;
  }

  const engine: FakeEngine = {
    async begin(errand, changes = []) {
      const { runId } = errand;
      const running = { kind: "errand-state", runId, state: "running", at: clock.now() } as const;
      await ledger.commit([{ kind: "errand-add", errand }, running, ...changes]);
      wayOf(runId);
      void walk(runId);
      return true;
    },
    settled: (runId) => wayOf(runId).settled.promise,
    executed: (runId) => wayOf(runId).executed.promise,
    begun: (runId) => wayOf(runId).begun.promise,
    stop(runId, reason) {
      const way = ways.get(runId);
      if (!way || way.stop.signal.aborted) return false;
      way.stop.abort(reason);
      engine.endTurn(runId);
      return true;
    },
    endTurn: (runId) => wayOf(runId).turnEnd.resolve({ status: "killed", texts: [] }),
    isUnderWay: (runId) => ways.has(runId),
    onStep: () => () => {},
    async takeUp() {
      const open = await ledger.errands({ states: ["running", "executed"], order: "oldest", limit: 100 });
      for (const { runId } of open) {
        wayOf(runId);
        void walk(runId);
      }
    },
  };
  return engine;
}
