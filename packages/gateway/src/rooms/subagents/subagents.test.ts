// The room with a ledger and an engine of its own: which one is meant, what a call starts, and who hears of a result once.
import { describe, expect, it } from "vitest";
import { GatewayError, type Change, type Errand, type ErrandOutcome, type Ledger, type ErrandTurn } from "@chela/sdk";
import { createFakeClock, createMemoryLedger, type FakeClock } from "@chela/sdk/testing";
import { pickChildren } from "./children.ts";
import type { SubagentSettings, SubagentView, SubagentWorkHouse } from "./parts.ts";
import { createFakeEngine, type FakeEngine } from "./engine.test-support.ts";
import { createSubagents, type Subagents } from "./subagents.ts";

const PARENT = "agent:main:main";
const SETTINGS: SubagentSettings = {
  maxSpawnDepth: 1,
  maxChildrenPerAgent: 5,
  archiveAfterMinutes: 60,
  runTimeoutSeconds: 0,
};
const ASKING = {
  agentId: "main",
  sessionKey: PARENT,
  runId: "parent-run",
  toolCallId: "call-1",
  requester: {
    channel: "irc",
    account: "default",
    id: "alice",
    name: "Alice",
    isOwner: true,
    standing: "owner" as const,
  },
  tools: ["read", "sessions_spawn"],
};
const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };

interface Process {
  readonly subagents: Subagents;
  readonly engine: FakeEngine;
  readonly clock: FakeClock;
  readonly turns: Array<ErrandTurn & { readonly runId: string }>;
  /** What was waited for on the clock, in milliseconds. */
  readonly rests: number[];
  /** When a turn began to wait for others. */
  readonly isWaiting: Promise<void>;
}

interface ProcessOptions {
  readonly settings?: Partial<SubagentSettings>;
  readonly isSandboxed?: (sessionKey: string) => boolean;
  turn?(runId: string): Promise<ErrandOutcome>;
}

/** A process that has the ledger to itself. */
function openProcess(ledger: Ledger, { settings, isSandboxed, turn }: ProcessOptions = {}): Process {
  const clock = createFakeClock(1_000_000);
  const turns: Process["turns"] = [];
  const rests: number[] = [];
  const waiting = Promise.withResolvers<void>();
  let ids = 0;
  const engine = createFakeEngine(ledger, clock, {
    turn(runId, asked) {
      turns.push({ ...asked, runId });
      return turn?.(runId) ?? Promise.resolve({ status: "ok", texts: [`answer of ${runId.slice(-10)}`] });
    },
    handlerOf: (kind) => subagents.handlers[kind === "announce" ? kind : "subagent"],
    announceIn: (errand, sessionKey) => subagents.announceIn(errand, sessionKey),
  });
  const house: SubagentWorkHouse = {
    clock: {
      now: () => clock.now(),
      steady: () => clock.steady(),
      after(ms, task) {
        rests.push(ms);
        return clock.after(ms, task);
      },
    },
    ids: { uuid: () => `id-${(ids += 1)}`, entryId: () => "", secretHex: () => "" },
    log: SILENT,
    ledger,
    errands: engine,
    paths: { stateDir: "/nowhere" },
    agents: () => [{ id: "main", isDefault: true }],
    models: {
      resolve(ref) {
        throw new GatewayError("MODEL_UNKNOWN", ref);
      },
    },
    lanes: {
      runIds: () => [],
      whileWaiting(_sessionKey, work) {
        waiting.resolve();
        return work;
      },
    },
    runs: { waitFor: () => undefined },
    inbound: {
      stop(_sessionKey, why, runId) {
        if (why === "rpc" && runId !== undefined) engine.endTurn(runId);
        return [];
      },
    },
    sessions: { delete: async () => ({ deleted: true, archived: [] }) },
  };
  const subagents: Subagents = createSubagents(house, {
    settings: () => ({ ...SETTINGS, ...settings }),
    findWorker: () => ({ kind: "refused", why: "There is no worker here." }),
    isSandboxed: (_agentId, sessionKey) => isSandboxed?.(sessionKey) ?? false,
    placeOf: async () => undefined,
    say: async () => {},
    isClosing: () => false,
    lastMessages: async () => [],
  });
  return { subagents, engine, clock, turns, rests, isWaiting: waiting.promise };
}

async function openLedger(): Promise<Ledger> {
  const ledger = createMemoryLedger();
  await ledger.commit([{ kind: "session-put", key: PARENT, entry: { sessionId: "s1", updatedAt: 1 } }]);
  await ledger.admit({
    runId: "parent-run",
    channel: "webchat",
    account: "default",
    messageId: "m1",
    agentId: "main",
    sessionKey: PARENT,
    body: {},
    admittedAt: 1,
  });
  return ledger;
}

const limits = () => ({ timeoutMs: 60_000, signal: new AbortController().signal });
const call = (toolCallId: string) => ({ sessionKey: PARENT, runId: "parent-run", toolCallId });
const toolStart = (toolCallId: string): Change => ({
  kind: "tool-start",
  runId: "parent-run",
  toolCallId,
  name: "subagents",
  args: {},
  at: 1,
});
const toolEnd = (toolCallId: string, isError: boolean): Change => ({
  kind: "tool-end",
  runId: "parent-run",
  toolCallId,
  isError,
  at: 2,
});

describe("A call that starts a sub-agent", () => {
  it("writes errand and conversation together, and gives it no more than its parent has", async () => {
    const ledger = await openLedger();
    const { subagents, turns } = openProcess(ledger, { turn: () => new Promise(() => {}) });
    const spawned = await subagents.spawn(ASKING, { task: "count", label: "  the\n count " });
    expect(spawned).toMatchObject({ kind: "accepted", isOld: false });
    const [view] = await subagents.list(PARENT, { recentMinutes: 1 });
    expect(view).toMatchObject({ label: "the count", depth: 1, state: "running", parentKey: PARENT });
    expect(await ledger.session(view?.sessionKey ?? "")).toMatchObject({ spawnedBy: PARENT, spawnDepth: 1 });
    expect(turns[0]).toMatchObject({
      text: "count",
      sender: { id: "alice", name: "Alice", isOwner: false },
      terms: { tools: { allow: ["read", "sessions_spawn"] } },
    });
  });

  it("is the same one however often it is made", async () => {
    const ledger = await openLedger();
    const { subagents } = openProcess(ledger);
    const first = await subagents.spawn(ASKING, { task: "count" });
    expect(await subagents.spawn(ASKING, { task: "count" })).toEqual({ ...first, isOld: true });
    expect(await subagents.spawn({ ...ASKING, toolCallId: "call-2" }, { task: "count" })).toMatchObject({
      isOld: false,
    });
    expect(await subagents.list(PARENT, { recentMinutes: 1 })).toHaveLength(2);
  });

  it("that was cut off by a crash is found again when the model asks once more", async () => {
    const ledger = await openLedger();
    const { subagents } = openProcess(ledger);
    const first = await subagents.spawn(ASKING, { task: "count" });
    await ledger.commit([toolStart("call-1"), toolEnd("call-1", true)]);
    const again = await subagents.spawn({ ...ASKING, toolCallId: "call-2" }, { task: "count" });
    expect(again).toEqual({ ...first, isOld: true });
    expect(await subagents.list(PARENT, { recentMinutes: 1 })).toHaveLength(1);
  });

  it.each<[string, ProcessOptions, string, RegExp]>([
    ["at the deepest place", { settings: { maxSpawnDepth: 1 } }, "agent:main:subagent:unknown", /depth Infinity of 1/],
    ["when there are enough", { settings: { maxChildrenPerAgent: 0 } }, PARENT, /0 is the most/],
    [
      "that would lead out of a sandbox",
      { isSandboxed: (key) => key === PARENT },
      PARENT,
      /sandboxed, so it cannot start/,
    ],
  ])("is refused %s", async (_where, options, sessionKey, why) => {
    const { subagents } = openProcess(await openLedger(), options);
    const refused = await subagents.spawn({ ...ASKING, sessionKey }, { task: "count" });
    expect(refused).toMatchObject({ kind: "refused", status: "forbidden", why: expect.stringMatching(why) });
    expect(await subagents.list(sessionKey, { recentMinutes: 1 })).toEqual([]);
  });

  it("without any tools gives its sub-agent none", async () => {
    const { subagents, turns } = openProcess(await openLedger(), { turn: () => new Promise(() => {}) });
    await subagents.spawn({ ...ASKING, tools: [] }, { task: "count" });
    expect(turns[0]?.terms?.tools).toEqual({ deny: ["*"] });
  });
});

describe("A result that a wait has taken", () => {
  async function spawnAndWait(ledger: Ledger, process: Process) {
    await ledger.commit([toolStart("wait")]);
    const spawned = await process.subagents.spawn(ASKING, { task: "count" });
    const waited = await process.subagents.wait(call("wait"), [], limits());
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    return { waited, runId };
  }

  it("is not announced once the answer of the call is written", async () => {
    const ledger = await openLedger();
    const process = openProcess(ledger);
    const { waited, runId } = await spawnAndWait(ledger, process);
    expect(waited).toMatchObject({ kind: "waited", done: [{ runId, outcome: "ok" }], open: [] });
    expect((await ledger.errand(runId))?.state).toBe("executed");
    await ledger.commit([toolEnd("wait", false)]);
    expect(await process.engine.settled(runId)).toMatchObject({ delivered: { status: "delivered" } });
    expect(process.turns.map((turn) => turn.runId)).toEqual([runId]);
  });

  it("is announced when the gateway died before that", async () => {
    const ledger = await openLedger();
    const { runId } = await spawnAndWait(ledger, openProcess(ledger));
    const next = openProcess(ledger);
    await next.engine.takeUp();
    expect(await next.engine.settled(runId)).toMatchObject({ delivered: { status: "delivered" } });
    expect(next.turns.map((turn) => turn.runId)).toEqual([`${runId}:announce:1`]);
  });

  it("is announced when the gateway died before that, though a later call has the lost one's id", async () => {
    const ledger = await openLedger();
    const first = openProcess(ledger);
    const spawned = await first.subagents.spawn(ASKING, { task: "count" });
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    // Neither the call nor its answer was written.
    await first.subagents.wait(call("wait"), [], limits());
    const at = first.clock.now() + 1;
    const again = { kind: "tool-start", runId: "parent-run", toolCallId: "wait", name: "read", args: {}, at } as const;
    await ledger.commit([again, { kind: "tool-end", runId: "parent-run", toolCallId: "wait", isError: false, at }]);
    const next = openProcess(ledger);
    await next.subagents.takeUp();
    await next.engine.takeUp();
    expect(await next.engine.settled(runId)).toMatchObject({ delivered: { status: "delivered" } });
    expect(next.turns.map((turn) => turn.runId)).toEqual([`${runId}:announce:1`]);
  });

  it("is announced when the call failed all the same", async () => {
    const ledger = await openLedger();
    const process = openProcess(ledger);
    const { runId } = await spawnAndWait(ledger, process);
    await ledger.commit([toolEnd("wait", true)]);
    await process.engine.settled(runId);
    expect(process.turns.map((turn) => turn.runId)).toEqual([runId, `${runId}:announce:1`]);
  });

  it("takes back an announcement that waits behind the call", async () => {
    const ledger = await openLedger();
    const process = openProcess(ledger, {
      turn: (runId) =>
        runId.includes(":announce:") ? new Promise(() => {}) : Promise.resolve({ status: "ok", texts: ["3"] }),
    });
    const spawned = await process.subagents.spawn(ASKING, { task: "count" });
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    await process.engine.begun(`${runId}:announce:1`);
    await ledger.commit([toolStart("wait")]);
    await process.subagents.wait(call("wait"), [], limits());
    await ledger.commit([toolEnd("wait", false)]);
    expect(await process.engine.settled(runId)).toMatchObject({ delivered: { status: "delivered" } });
    expect((await ledger.errand(`${runId}:announce:1`))?.outcome).toMatchObject({
      status: "killed",
      reason: "handed-over",
    });
  });

  it("is not announced when the wait took it between two attempts to announce it", async () => {
    const ledger = await openLedger();
    const failed: ErrandOutcome = { status: "error", texts: [], error: "no model" };
    const process = openProcess(ledger, {
      turn: async (runId) => (runId.includes(":announce:") ? failed : { status: "ok", texts: ["3"] }),
    });
    const spawned = await process.subagents.spawn(ASKING, { task: "count" });
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    await process.engine.settled(`${runId}:announce:1`);
    await ledger.commit([toolStart("wait")]);
    expect(await process.subagents.wait(call("wait"), [], limits())).toMatchObject({ done: [{ runId }] });
    await ledger.commit([toolEnd("wait", false)]);
    let isSettled = false;
    void process.engine.settled(runId).then(() => (isSettled = true));
    while (!isSettled) await process.clock.advance(500);
    expect(await process.engine.settled(runId)).toMatchObject({ delivered: { status: "delivered" } });
    expect(process.turns.map((turn) => turn.runId)).toEqual([runId, `${runId}:announce:1`]);
  });

  it("is not announced after a crash either, though its news waited behind the call", async () => {
    const ledger = await openLedger();
    // It dies with the answer of the call: nothing that would follow from it happens any more.
    const first = openProcess(
      { ...ledger, onCommit: () => () => {} },
      {
        turn: (runId) =>
          runId.includes(":announce:") ? new Promise(() => {}) : Promise.resolve({ status: "ok", texts: ["3"] }),
      },
    );
    const spawned = await first.subagents.spawn(ASKING, { task: "count" });
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    await first.engine.begun(`${runId}:announce:1`);
    await ledger.commit([toolStart("wait")]);
    await first.subagents.wait(call("wait"), [], limits());
    await ledger.commit([toolEnd("wait", false)]);
    const next = openProcess(ledger);
    await next.subagents.takeUp();
    await next.engine.takeUp();
    expect(await next.engine.settled(runId)).toMatchObject({ delivered: { status: "delivered" } });
    expect(next.turns).toEqual([]);
  });

  it("is not the one that the waiting turn itself announces: that goes on, and hears of the others only", async () => {
    const ledger = await openLedger();
    const process = openProcess(ledger, {
      turn: (runId) =>
        runId.includes(":announce:") ? new Promise(() => {}) : Promise.resolve({ status: "ok", texts: ["3"] }),
    });
    const spawned = await process.subagents.spawn(ASKING, { task: "count" });
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    const news = `${runId}:announce:1`;
    await process.engine.begun(news);
    const inNews = { sessionKey: PARENT, runId: news, toolCallId: "wait" };
    expect(await process.subagents.wait(inNews, [], limits())).toEqual({ kind: "waited", done: [], open: [] });
    expect(await process.subagents.wait(inNews, [runId], limits())).toMatchObject({ done: [{ runId }] });
    expect(process.engine.stop(news, "still there")).toBe(true);
  });

  it("is not there yet when the time is over", async () => {
    const ledger = await openLedger();
    const process = openProcess(ledger, { turn: () => new Promise(() => {}) });
    await process.subagents.spawn(ASKING, { task: "count" });
    const waiting = process.subagents.wait(call("wait"), [], limits());
    await process.isWaiting;
    await process.clock.advance(60_000);
    expect(await waiting).toMatchObject({ kind: "waited", done: [], open: [{ task: "count", state: "running" }] });
  });
});

describe("A kill", () => {
  it("of one that comes to its own end meanwhile says so", async () => {
    const ledger = await openLedger();
    const end = Promise.withResolvers<ErrandOutcome>();
    const process = openProcess(ledger, {
      turn: (runId) => (runId.includes(":announce:") ? new Promise(() => {}) : end.promise),
    });
    await process.subagents.spawn(ASKING, { task: "count" });
    const killing = process.subagents.kill(PARENT, "last");
    process.engine.stop = () => (end.resolve({ status: "ok", texts: ["3"] }), true);
    expect(await killing).toMatchObject({ kind: "refused", why: "It is not running any more." });
  });
});

describe("News that fail", () => {
  it("are tried three times, 1 s and 2 s apart, and then reported", async () => {
    const ledger = await openLedger();
    const failed: ErrandOutcome = { status: "error", texts: [], error: "no model" };
    const process = openProcess(ledger, {
      turn: async (runId) => (runId.includes(":announce:") ? failed : { status: "ok", texts: ["3"] }),
    });
    const spawned = await process.subagents.spawn(ASKING, { task: "count" });
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    let isSettled = false;
    void process.engine.settled(runId).then(() => (isSettled = true));
    while (!isSettled) await process.clock.advance(500);
    expect(process.turns.filter((turn) => turn.runId.includes(":announce:"))).toHaveLength(3);
    expect(process.rests.filter((ms) => ms < 60_000)).toEqual([1000, 2000]);
    expect(await process.engine.settled(runId)).toMatchObject({ delivered: { status: "not-delivered" } });
    expect(JSON.stringify(await ledger.asides(PARENT))).toContain("you were not told at once");
  });

  it("are not tried again in a conversation that was deleted meanwhile", async () => {
    const ledger = await openLedger();
    const process = openProcess(ledger, {
      async turn(runId) {
        if (!runId.includes(":announce:")) return { status: "ok", texts: ["3"] };
        await ledger.commit([{ kind: "session-delete", key: PARENT }]);
        return { status: "error", texts: [], error: "no model" };
      },
    });
    const spawned = await process.subagents.spawn(ASKING, { task: "count" });
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    let isSettled = false;
    void process.engine.settled(runId).then(() => (isSettled = true));
    while (!isSettled) await process.clock.advance(500);
    expect(process.turns.filter((turn) => turn.runId.includes(":announce:"))).toHaveLength(1);
    expect(await process.engine.settled(runId)).toMatchObject({
      delivered: { status: "not-delivered", error: "Its conversation was deleted." },
    });
  });
});

describe("News for a sub-agent that has ended", () => {
  const OUTER = "agent:main:subagent:outer";
  const isNews = ({ runId }: { readonly runId: string }): boolean => runId.includes(":announce:");
  const asOuter = { ...ASKING, sessionKey: OUTER, runId: "outer-run" };

  /** The one that starts others, killed at this time. */
  async function endOuter(ledger: Ledger, at: number): Promise<void> {
    const outcome: ErrandOutcome = { status: "killed", texts: [], reason: "killed" };
    await ledger.commit([{ kind: "errand-state", runId: "outer-run", state: "settled", at, outcome }]);
  }

  async function openOuter(): Promise<Ledger> {
    const ledger = await openLedger();
    const entry = { sessionId: "s2", updatedAt: 1, spawnDepth: 1 };
    const errand: Errand = {
      runId: "outer-run",
      kind: "subagent",
      owner: PARENT,
      agentId: "main",
      sessionKey: OUTER,
      dueAt: 1,
      createdAt: 1,
      work: {},
    };
    await ledger.commit([
      { kind: "session-put", key: OUTER, entry },
      { kind: "errand-add", errand },
    ]);
    return ledger;
  }

  it("do not set it to work again, and are noted", async () => {
    const ledger = await openOuter();
    const end = Promise.withResolvers<ErrandOutcome>();
    const process = openProcess(ledger, { settings: { maxSpawnDepth: 2 }, turn: () => end.promise });
    const spawned = await process.subagents.spawn(asOuter, { task: "count" });
    await endOuter(ledger, process.clock.now());
    end.resolve({ status: "ok", texts: ["3"] });
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    expect(await process.engine.settled(runId)).toMatchObject({ delivered: { status: "not-delivered" } });
    expect(process.turns.filter(isNews)).toEqual([]);
    expect(JSON.stringify(await ledger.asides(OUTER))).toContain("it came after your end");
  });

  it("do so neither after a crash, though they were under way", async () => {
    const ledger = await openOuter();
    const first = openProcess(ledger, {
      settings: { maxSpawnDepth: 2 },
      turn: (runId) => (isNews({ runId }) ? new Promise(() => {}) : Promise.resolve({ status: "ok", texts: ["3"] })),
    });
    const spawned = await first.subagents.spawn(asOuter, { task: "count" });
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    await first.engine.begun(`${runId}:announce:1`);
    await endOuter(ledger, first.clock.now());
    const next = openProcess(ledger);
    await next.subagents.takeUp();
    await next.engine.takeUp();
    expect(await ledger.errand(`${runId}:announce:1`)).toMatchObject({
      state: "settled",
      outcome: { status: "killed" },
    });
    expect(next.turns).toEqual([]);
  });

  it("reach it all the same when somebody talked to it after its end", async () => {
    const ledger = await openOuter();
    const process = openProcess(ledger, { settings: { maxSpawnDepth: 2 } });
    await endOuter(ledger, process.clock.now() - 1);
    const spawned = await process.subagents.spawn({ ...asOuter, runId: "person" }, { task: "count" });
    const runId = spawned.kind === "accepted" ? spawned.runId : "";
    expect(await process.engine.settled(runId)).toMatchObject({ delivered: { status: "delivered" } });
    expect(process.turns.filter(isNews)).toHaveLength(1);
  });
});

describe("Which one is meant", () => {
  const child = (runId: string, more: Partial<SubagentView> = {}): SubagentView => ({
    runId,
    sessionKey: `agent:main:subagent:${runId}`,
    parentKey: PARENT,
    agentId: "main",
    task: "t",
    depth: 1,
    cleanup: "keep",
    state: "running",
    createdAt: 1,
    runtimeMs: 1,
    isArchived: false,
    ...more,
  });
  const ALL = [
    child("aaa11111", { label: "Plan" }),
    child("aaa22222", { label: "Planes", state: "ended" }),
    child("bbb33333"),
  ];

  it.each([
    ["#1", ["aaa11111"]],
    ["3", ["bbb33333"]],
    ["last", ["aaa11111"]],
    ["all", ["aaa11111", "bbb33333"]],
    ["plan", ["aaa11111"]],
    ["plane", ["aaa22222"]],
    ["bbb", ["bbb33333"]],
    ["agent:main:subagent:bbb33333", ["bbb33333"]],
    ["#4", "There is no #4: the list has 3."],
    ["aaa", '"aaa" may be several; use one of: aaa11111, aaa22222.'],
    ["nobody", 'is called "nobody"'],
    ["b", 'is called "b"'],
    [" ", "Say which one"],
  ] as const)("by %j", (target, expected) => {
    const found = pickChildren(target, ALL, ALL);
    if (typeof expected === "string")
      expect(found).toMatchObject({ kind: "refused", why: expect.stringContaining(expected) });
    else expect(found).toMatchObject({ kind: "found", children: expected.map((runId) => ({ runId })) });
  });

  it("is nobody where there are none", () => {
    expect(pickChildren("all", [], [])).toMatchObject({ kind: "refused", why: "This conversation has no sub-agents." });
  });
});
