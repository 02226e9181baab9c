// Jobs in a world that tests own: their clock, their ledger, and a small engine that walks errands as the real one does.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  GatewayError,
  type Change,
  type Errand,
  type ErrandDelivered,
  type ErrandOutcome,
  type ErrandRecord,
  type Ledger,
  type ErrandTurn,
} from "@chela/sdk";
import { createFakeClock, createMemoryLedger, type FakeClock } from "@chela/sdk/testing";
import type { CronEvent, CronHouse, CronParts, CronSettings } from "./parts.ts";
import { createCron, type Cron } from "./room.ts";

export const START = Date.UTC(2026, 5, 1, 7, 0, 30);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const AGENTS = ["main", "other"];

export interface WorldOptions {
  readonly ledger?: Ledger;
  readonly clock?: FakeClock;
  readonly directory?: string;
  turn?(errand: ErrandRecord, turn: ErrandTurn): Promise<ErrandOutcome>;
  deliver?(errand: ErrandRecord, texts: readonly string[]): Promise<ErrandDelivered>;
  readonly settings?: Partial<CronSettings>;
  readonly house?: Partial<Pick<CronHouse, "placeFor">>;
  readonly parts?: Partial<CronParts>;
}

export interface World extends AsyncDisposable {
  readonly cron: Cron;
  readonly clock: FakeClock;
  readonly ledger: Ledger;
  readonly directory: string;
  /** Turns that began, as `job@instant`. */
  readonly turns: string[];
  readonly asked: ErrandTurn[];
  readonly delivered: string[];
  readonly events: CronEvent[];
  readonly woken: string[];
  readonly logged: string[];
  /** Lets time pass, with everything that happens in it. */
  pass(ms: number, step?: number): Promise<void>;
  /** Everything that can happen without time has happened. */
  settle(): Promise<void>;
  /** The process is gone; another one begins on the same ledger and files. */
  crash(options?: WorldOptions): Promise<World>;
  runs(jobId?: string): Promise<ErrandRecord[]>;
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const ownsDirectory = options.directory === undefined;
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "chela-cron-"));
  const ledger = options.ledger ?? createMemoryLedger();
  const clock = options.clock ?? createFakeClock(START);
  const notes = { turns: [] as string[], asked: [] as ErrandTurn[], delivered: [] as string[], woken: [] as string[] };
  const events: CronEvent[] = [];
  const logged: string[] = [];
  const log = loggerInto(logged);
  let isDead = false;
  let count = 0;
  const listeners = new Set<(errand: ErrandRecord) => void>();
  const ends = new Map<string, PromiseWithResolvers<ErrandRecord | undefined>>();

  async function begin(errand: Errand, changes: readonly Change[] = []): Promise<boolean> {
    const { runId } = errand;
    const at = clock.now();
    try {
      await commit([{ kind: "errand-add", errand }, { kind: "errand-state", runId, state: "running", at }, ...changes]);
    } catch (error) {
      if (!GatewayError.is(error) || error.code !== "STORE_CONFLICT") throw error;
      return false;
    }
    await setOut(runId, false);
    return true;
  }

  function commit(changes: readonly Change[]): Promise<void> {
    return isDead ? new Promise<void>(() => {}) : ledger.commit(changes);
  }

  async function setOut(runId: string, isTakenUp: boolean): Promise<void> {
    const record = await ledger.errand(runId);
    if (!record) return;
    const end = Promise.withResolvers<ErrandRecord | undefined>();
    ends.set(runId, end);
    if (!isTakenUp) for (const listener of listeners) listener(record);
    void walk(record, isTakenUp).then((settled) => {
      end.resolve(settled);
      cron.handler.settled(settled);
    });
  }

  async function walk(record: ErrandRecord, isTakenUp: boolean): Promise<ErrandRecord> {
    const outcome = record.outcome ?? (await carryOut(record, isTakenUp));
    const executed = { ...record, outcome };
    const texts = cron.handler.tidings(executed, outcome);
    if (!record.delivery || texts.length === 0)
      return write(executed, { outcome, delivered: { status: "not-requested" } });
    if (!record.outcome) await write(executed, { outcome });
    notes.delivered.push(`${record.owner}: ${texts.join("|")}`);
    const delivered = await (options.deliver?.(executed, texts) ?? { status: "delivered" as const, receipts: [] });
    return write({ ...executed, delivered }, { delivered });
  }

  async function carryOut(record: ErrandRecord, isTakenUp: boolean): Promise<ErrandOutcome> {
    const verdict = isTakenUp ? await cron.handler.afterCrash(record) : "again";
    if (verdict !== "again") return verdict;
    const turn = async (asked: ErrandTurn): Promise<ErrandOutcome> => {
      notes.turns.push(`${record.owner}@${new Date(record.dueAt).toISOString().slice(11, 19)}`);
      notes.asked.push(asked);
      return options.turn ? options.turn(record, asked) : { status: "ok", texts: ["done"] };
    };
    return cron.handler.carryOut(record, { signal: new AbortController().signal, turn });
  }

  async function write(
    record: ErrandRecord,
    news: { outcome?: ErrandOutcome; delivered?: ErrandDelivered },
  ): Promise<ErrandRecord> {
    const { runId } = record;
    const state = news.delivered ? ("settled" as const) : ("executed" as const);
    const more = news.delivered ? await cron.handler.settling({ ...record, ...news }) : [];
    await commit([{ kind: "errand-state", runId, state, at: clock.now(), ...news }, ...more]);
    const written = (await ledger.errand(runId)) ?? record;
    for (const listener of listeners) listener(written);
    return written;
  }

  const house: CronHouse = {
    believed: { sift: (_file, items) => new Set(items) },
    clock,
    ledger: { ...bound(ledger), commit },
    log,
    ids: { uuid: () => `id-${(count += 1)}`, entryId: () => "00000000", secretHex: () => "00" },
    errands: {
      begin,
      async goOn(runId) {
        const record = ends.has(runId) ? undefined : await ledger.errand(runId);
        if (record && record.state !== "settled") await setOut(runId, false);
      },
      settled: async (runId) => ends.get(runId)?.promise ?? ledger.errand(runId),
      onStep(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    cronSettings: () => ({
      isEnabled: true,
      storePath: join(directory, "cron", "jobs.json"),
      runLog: { maxBytes: 2_000_000, keepLines: 2000 },
      sessionRetentionMs: 24 * HOUR,
      commandsAtOnce: 4,
      ...options.settings,
    }),
    isAlone: () => true,
    agents: () => AGENTS.map((id) => ({ id, isDefault: id === "main" })),
    keys: () => ({ defaultAgentId: "main", mainKey: "main", scope: "per-sender" }),
    placeFor: async (_agent, { channel = "webchat", to = "agent:main:main" }) => ({ mode: "chat", channel, to }),
    wake: async ({ text, mode, key }) => void notes.woken.push(`${mode} ${text} ${key}`),
    ...options.house,
  };
  const cron = await createCron(house, {
    isOwner: async () => true,
    whyNoModel: () => undefined,
    commandTerms: () => ({ kind: "allowed", workspace: directory, environment: { PATH: process.env["PATH"] ?? "" } }),
    deleteSession: async () => {},
    tell: (event) => void events.push(event),
    ...options.parts,
  });
  const open = await ledger.errands({
    kind: "cron",
    states: ["waiting", "running", "executed"],
    order: "oldest",
    limit: 1000,
  });
  for (const { runId } of open) await setOut(runId, true);
  cron.start();
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 25; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  await settle();
  return {
    cron,
    clock,
    ledger,
    directory,
    ...notes,
    events,
    logged,
    settle,
    async pass(ms, step = 30_000) {
      for (let left = ms; left > 0; left -= step) {
        await clock.advance(Math.min(step, left));
        await settle();
      }
    },
    async crash(next = {}) {
      isDead = true;
      listeners.clear();
      return openWorld({ ...options, ledger, clock: createFakeClock(clock.now()), directory, ...next });
    },
    async runs(owner) {
      return ledger.errands({ kind: "cron", order: "oldest", limit: 5000, ...(owner ? { owner } : {}) });
    },
    async [Symbol.asyncDispose]() {
      if (!isDead) {
        await cron.stop();
        await cron.leave();
      }
      if (ownsDirectory) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Methods of a class do not come along with a copy. */
function bound(ledger: Ledger): Ledger {
  return new Proxy(ledger, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
    ownKeys: (target) => [...Reflect.ownKeys(target), ...Object.getOwnPropertyNames(Object.getPrototypeOf(target))],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

function loggerInto(lines: string[]): CronHouse["log"] {
  const log = (text: string, fields: object = {}): void => void lines.push(`${text} ${JSON.stringify(fields)}`);
  const logger: CronHouse["log"] = {
    log: (_level, text, fields) => log(text, fields),
    trace: log,
    debug: log,
    info: log,
    warn: log,
    error: log,
    child: () => logger,
    redact: (text) => text,
  };
  return logger;
}

export const ok = (text = "done"): ErrandOutcome => ({ status: "ok", texts: [text] });
export const failed = (error = "no model answered"): ErrandOutcome => ({ status: "error", texts: [], error });

export const skippedOf = (run: ErrandRecord | undefined): object => ({
  reason: run?.outcome?.reason,
  ...run?.outcome?.details,
});
