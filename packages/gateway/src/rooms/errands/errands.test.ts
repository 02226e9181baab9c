// Errands are carried out and delivered once, whatever happens between the steps.
import { describe, expect, it } from "vitest";
import {
  GatewayError,
  type Errand,
  type ErrandDelivered,
  type ErrandOutcome,
  type ErrandHandler,
  type ErrandRecord,
  type Ledger,
  type Logger,
} from "@chela/sdk";
import { createFakeClock, createMemoryLedger, type FakeClock } from "@chela/sdk/testing";
import { lazy } from "../../base/lazy.ts";
import { createErrands, type Errands } from "./room.ts";

const AT = Date.UTC(2026, 5, 1, 7);
const silent: Logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

const errandOf = (runId: string, over: Partial<Errand> = {}): Errand => ({
  runId,
  kind: "cron",
  owner: "job",
  agentId: "main",
  sessionKey: "agent:main:cron:job:run:1",
  dueAt: AT,
  createdAt: AT,
  work: {},
  ...over,
});
const CHAT = { delivery: { mode: "chat", channel: "irc", to: "#room" } } as const;

/** One process: several may follow each other on the same ledger. */
function openProcess(
  ledger: Ledger,
  options: {
    readonly handler?: Partial<ErrandHandler>;
    /** What this process carries out. */
    readonly kinds?: readonly string[];
    /** What happens while what carries it out is opened. */
    readonly opening?: () => Promise<void>;
    readonly log?: Logger;
    readonly turn?: () => Promise<ErrandOutcome | undefined>;
    readonly deliver?: () => Promise<ErrandDelivered | undefined>;
  } = {},
): { errands: Errands; notes: string[]; clock: FakeClock } {
  const notes: string[] = [];
  const clock = createFakeClock(AT);
  const handler: ErrandHandler = {
    carryOut: (_errand, how) => how.turn({ text: "go", sender: { id: "cron:job", isOwner: false } }),
    afterCrash: async () => "again",
    ...options.handler,
  };
  const opened = lazy(options.opening ?? (async () => {}));
  const errands = createErrands({
    ledger,
    clock,
    log: options.log ?? silent,
    handlerOf: (kind) => ((options.kinds ?? ["cron"]).includes(kind) ? opened().then(() => handler) : undefined),
    async runTurn({ runId }) {
      notes.push(`turn ${runId}`);
      return options.turn ? options.turn() : { status: "ok", texts: ["done"] };
    },
    stopTurn: ({ runId }) => notes.push(`stop ${runId}`),
    async deliver({ runId }, _delivery, texts) {
      notes.push(`deliver ${runId}: ${texts.join("|")}`);
      return options.deliver ? options.deliver() : { status: "delivered", receipts: [] };
    },
  });
  return { errands, notes, clock };
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});
const stateOf = async (ledger: Ledger, runId: string): Promise<Partial<ErrandRecord>> => {
  const { state, outcome, delivered } = (await ledger.errand(runId)) ?? {};
  return {
    state: state as ErrandRecord["state"],
    ...(outcome ? { outcome } : {}),
    ...(delivered ? { delivered } : {}),
  };
};

describe("An errand", () => {
  it("is carried out, delivered and settled, each written before the next", async () => {
    const ledger = createMemoryLedger();
    const { errands, notes } = openProcess(ledger);
    const steps: string[] = [];
    errands.onStep(({ state }) => steps.push(state));
    expect(await errands.begin(errandOf("e1", CHAT))).toBe(true);
    expect(await errands.settled("e1")).toMatchObject({
      state: "settled",
      outcome: { status: "ok", texts: ["done"] },
      delivered: { status: "delivered" },
    });
    expect(notes).toEqual(["turn e1", "deliver e1: done"]);
    expect(steps).toEqual(["running", "executed", "settled"]);
  });

  it("is given once: one of the same name writes nothing, not even what came with it", async () => {
    const ledger = createMemoryLedger();
    const { errands, notes } = openProcess(ledger);
    await errands.begin(errandOf("e1"));
    await errands.settled("e1");
    expect(await errands.begin(errandOf("e1"), [{ kind: "value-put", key: "k", value: "v" }])).toBe(false);
    expect(await ledger.value("k")).toBeUndefined();
    expect(notes).toEqual(["turn e1"]);
  });

  it("writes what its kind has to say with its end, and not before", async () => {
    const ledger = createMemoryLedger();
    const { errands } = openProcess(ledger, {
      handler: {
        settling: async ({ delivered }) => [{ kind: "value-put", key: "end", value: delivered?.status ?? "" }],
      },
    });
    await errands.begin(errandOf("e1", CHAT));
    await errands.settled("e1");
    expect(await ledger.value("end")).toBe("delivered");
  });

  it.each<[string, ErrandOutcome]>([
    ["without a text", { status: "ok", texts: [" "] }],
    ["that failed", { status: "error", texts: ["half"], error: "no" }],
  ])("%s delivers nothing", async (_what, outcome) => {
    const ledger = createMemoryLedger();
    const { errands, notes } = openProcess(ledger, { turn: async () => outcome });
    await errands.begin(errandOf("e1", CHAT));
    await errands.settled("e1");
    expect(notes).toEqual(["turn e1"]);
    expect(await stateOf(ledger, "e1")).toMatchObject({ state: "settled", delivered: { status: "not-requested" } });
  });

  it("that throws is an error, and others go on", async () => {
    const ledger = createMemoryLedger();
    const { errands } = openProcess(ledger, {
      handler: {
        carryOut: async ({ runId }) => {
          if (runId === "e1") throw new TypeError("broken");
          return { status: "ok", texts: [] };
        },
      },
    });
    await errands.begin(errandOf("e1"));
    await errands.begin(errandOf("e2"));
    expect((await errands.settled("e1"))?.outcome).toMatchObject({ status: "error" });
    expect((await errands.settled("e2"))?.outcome).toMatchObject({ status: "ok" });
  });

  it("that is stopped ends as killed, with the reason", async () => {
    const ledger = createMemoryLedger();
    const { promise: end, resolve } = Promise.withResolvers<ErrandOutcome>();
    const { errands, notes } = openProcess(ledger, { turn: () => end });
    await errands.begin(errandOf("e1", CHAT));
    expect(errands.stop("e1", "session-reset")).toBe(true);
    expect(errands.stop("e1", "again")).toBe(false);
    resolve({ status: "killed", texts: [] });
    expect((await errands.settled("e1"))?.outcome).toMatchObject({ status: "killed", reason: "session-reset" });
    expect(notes).toContain("stop e1");
    expect(errands.stop("e1", "late")).toBe(false);
  });
});

describe("An errand whose result was on its way when the process died", () => {
  it("counts as carried out at once: nobody waits for the delivery to know the outcome", async () => {
    const ledger = createMemoryLedger();
    const first = openProcess(ledger, { deliver: never });
    await first.errands.begin(errandOf("e1", CHAT));
    await first.errands.executed("e1");
    const second = openProcess(ledger, { deliver: never });
    await second.errands.takeUp();
    expect(await second.errands.executed("e1")).toMatchObject({ state: "executed", outcome: { texts: ["done"] } });
  });
});

describe("An errand that is stopped before its turn was admitted", () => {
  it("has no turn", async () => {
    const ledger = createMemoryLedger();
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const { errands, notes } = openProcess(ledger, {
      handler: {
        async carryOut(_errand, how) {
          await ready;
          return how.turn({ text: "go", sender: { id: "cron:job", isOwner: false } });
        },
      },
    });
    await errands.begin(errandOf("e1", CHAT));
    errands.stop("e1", "session-reset");
    resolve();
    expect((await errands.settled("e1"))?.outcome).toMatchObject({ status: "killed", reason: "session-reset" });
    expect(notes).toEqual(["stop e1"]);
  });
});

describe("While nothing can be written", () => {
  /** Fails once, then does what it should. */
  const failingOnce = <T>(result: T): (() => Promise<T>) => {
    let isFirst = true;
    return async () => {
      if (!isFirst) return result;
      isFirst = false;
      throw new GatewayError("STORE_FULL", "no space left");
    };
  };
  const ok: ErrandOutcome = { status: "ok", texts: ["done"] };

  it.each<[string, Parameters<typeof openProcess>[1]]>([
    ["carried out", { turn: failingOnce(ok) }],
    ["delivered", { deliver: failingOnce<ErrandDelivered>({ status: "delivered" }) }],
    ["settled", { handler: { settling: failingOnce([]) } }],
  ])("an errand that is to be %s waits, and goes on", async (_what, options) => {
    const ledger = createMemoryLedger();
    const { errands, clock } = openProcess(ledger, options);
    await errands.begin(errandOf("e1", CHAT));
    for (let step = 0; step < 4; step += 1) await clock.advance(5_000);
    expect(await stateOf(ledger, "e1")).toMatchObject({
      state: "settled",
      outcome: ok,
      delivered: { status: "delivered" },
    });
  });

  it("one that must not be done twice ends as after a crash", async () => {
    const ledger = createMemoryLedger();
    const outcome: ErrandOutcome = { status: "error", texts: [], error: "broken off", reason: "crash" };
    const { errands, clock, notes } = openProcess(ledger, {
      turn: failingOnce(ok),
      handler: { afterCrash: async () => outcome },
    });
    await errands.begin(errandOf("e1", CHAT));
    for (let step = 0; step < 4; step += 1) await clock.advance(5_000);
    expect(await stateOf(ledger, "e1")).toMatchObject({ state: "settled", outcome });
    expect(notes.filter((note) => note.startsWith("turn"))).toHaveLength(1);
  });
});

describe("An errand that was written with the end of another", () => {
  it("is set out with once, and not when it is over", async () => {
    const ledger = createMemoryLedger();
    const { errands, notes } = openProcess(ledger);
    await errands.goOn("nobody");
    await ledger.commit([
      { kind: "errand-add", errand: errandOf("e1") },
      { kind: "errand-state", runId: "e1", state: "running", at: AT },
    ]);
    await errands.goOn("e1");
    expect(await errands.settled("e1")).toMatchObject({ state: "settled" });
    await errands.goOn("e1");
    expect(notes).toEqual(["turn e1"]);
  });
});

describe("After a crash", () => {
  it("all are gone on with, however many end while the others are looked for", async () => {
    // More than are looked for at once.
    const count = 600;
    const ledger = createMemoryLedger();
    const names = Array.from({ length: count }, (_, at) => `e${at}`);
    await ledger.commit(names.map((name) => ({ kind: "errand-add", errand: errandOf(name) })));
    const slow = {
      ...ledger,
      errands: async (query: Parameters<Ledger["errands"]>[0]) => {
        await new Promise((resolve) => setImmediate(resolve));
        return ledger.errands(query);
      },
    };
    const { errands, notes } = openProcess(slow);
    expect(await errands.takeUp()).toBe(count);
    for (const name of names) await errands.settled(name);
    expect(new Set(notes).size).toBe(count);
    expect(notes).toHaveLength(count);
    expect(await ledger.countErrands({ states: ["waiting", "running", "executed"] })).toBe(0);
  });

  it("one that came in before they were looked for is carried out once", async () => {
    const ledger = createMemoryLedger();
    const { promise: end, resolve } = Promise.withResolvers<ErrandOutcome>();
    const { errands, notes } = openProcess(ledger, { turn: () => end });
    await errands.begin(errandOf("e1"));
    expect(await errands.takeUp()).toBe(0);
    resolve({ status: "ok", texts: [] });
    await errands.settled("e1");
    expect(notes).toEqual(["turn e1"]);
  });

  it.each([
    ["before it was carried out", "turn"],
    ["while it was delivered", "deliver"],
  ] as const)("an errand that was cut off %s is gone on with", async (_when, where) => {
    const ledger = createMemoryLedger();
    const first = openProcess(ledger, { [where]: () => never() });
    await first.errands.begin(errandOf("e1", CHAT));
    if (where === "deliver") await first.errands.executed("e1");
    const second = openProcess(ledger);
    expect(await second.errands.takeUp()).toBe(1);
    expect(await second.errands.settled("e1")).toMatchObject({ state: "settled", delivered: { status: "delivered" } });
    expect(second.notes).toEqual(where === "turn" ? ["turn e1", "deliver e1: done"] : ["deliver e1: done"]);
    const third = openProcess(ledger);
    expect(await third.errands.takeUp()).toBe(0);
  });

  it("its kind may say that the crash was its end", async () => {
    const ledger = createMemoryLedger();
    await openProcess(ledger, { turn: () => never() }).errands.begin(errandOf("e1", CHAT));
    const outcome: ErrandOutcome = { status: "error", texts: [], error: "broken off", reason: "crash" };
    const { errands, notes } = openProcess(ledger, { handler: { afterCrash: async () => outcome } });
    await errands.takeUp();
    expect((await errands.settled("e1"))?.outcome).toEqual(outcome);
    expect(notes).toEqual(["stop e1"]);
  });
});

describe("An errand that nothing here carries out", () => {
  const listening = (lines: string[]): Logger => ({
    ...silent,
    error: (text, fields) => void lines.push(`${text} ${JSON.stringify(fields)}`),
  });

  it("is refused before anything is written", async () => {
    const ledger = createMemoryLedger();
    const { errands } = openProcess(ledger, { kinds: [] });
    await expect(errands.begin(errandOf("e1", CHAT))).rejects.toMatchObject({ code: "ERRAND_KIND" });
    expect(await ledger.errand("e1")).toBeUndefined();
  });

  it("is told of at a start, stays as it is, and is gone on with when something does again", async () => {
    const ledger = createMemoryLedger();
    await openProcess(ledger, { turn: () => never() }).errands.begin(errandOf("e1", CHAT));
    const lines: string[] = [];
    const without = openProcess(ledger, { kinds: [], log: listening(lines) });
    expect(await without.errands.takeUp()).toBe(0);
    expect(lines).toMatchObject([expect.stringContaining('"kind":"cron","count":1')]);
    expect(await stateOf(ledger, "e1")).toEqual({ state: "running" });
    const again = openProcess(ledger);
    expect(await again.errands.takeUp()).toBe(1);
    expect(await again.errands.settled("e1")).toMatchObject({ state: "settled", delivered: { status: "delivered" } });
  });

  it("does not keep others from going on", async () => {
    const ledger = createMemoryLedger();
    const first = openProcess(ledger, { turn: () => never(), kinds: ["cron", "hook"] });
    await first.errands.begin({ ...errandOf("e1", CHAT), kind: "hook" });
    await first.errands.begin(errandOf("e2", CHAT));
    const next = openProcess(ledger);
    expect(await next.errands.takeUp()).toBe(1);
    expect(await next.errands.settled("e2")).toMatchObject({ state: "settled" });
    expect(await stateOf(ledger, "e1")).toEqual({ state: "running" });
  });

  it("is read after those who carry it out have looked at what was left", async () => {
    const ledger = createMemoryLedger();
    await openProcess(ledger, { turn: () => never() }).errands.begin(errandOf("e1", CHAT));
    const withdraw = () => ledger.commit([{ kind: "errand-state", runId: "e1", state: "settled", at: AT }]);
    const { errands, notes } = openProcess(ledger, { opening: withdraw });
    expect(await errands.takeUp()).toBe(0);
    expect(notes).toEqual([]);
  });
});

describe("A stop of the gateway", () => {
  it("leaves an errand as it is, for the next start", async () => {
    const ledger = createMemoryLedger();
    const { promise: end, resolve } = Promise.withResolvers<ErrandOutcome | undefined>();
    const { errands } = openProcess(ledger, { turn: () => end });
    await errands.begin(errandOf("e1", CHAT));
    errands.close();
    resolve(undefined);
    expect(await errands.settled("e1")).toBeUndefined();
    expect(await stateOf(ledger, "e1")).toEqual({ state: "running" });
    await expect(errands.begin(errandOf("e2"))).rejects.toMatchObject({ code: "PROTOCOL_UNAVAILABLE" });
    expect(await ledger.errand("e2")).toBeUndefined();
  });
});
