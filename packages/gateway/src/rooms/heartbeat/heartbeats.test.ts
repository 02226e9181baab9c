// The beats of an agent, with everything around them played by the test.
import { expect, test } from "vitest";
import {
  GatewayError,
  type Change,
  type Errand,
  type ErrandDelivery,
  type ErrandOutcome,
  type ErrandTurn,
  type ErrandRecord,
} from "@chela/sdk";
import type { HeartbeatEvent } from "@chela/sdk/protocol";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { createHeartbeats, type BeatTurn, type HeartbeatHouse, type HeartbeatParts } from "./room.ts";
import { beatSettings } from "./settings.ts";

const MAIN = "agent:main:main";
const GROUP = "agent:main:fake:group:1";
const DAY = 86_400_000;

/** `answers`: what the model says, one after another; undefined is a failure. */
function stage({
  answers = [] as Array<string | undefined>,
  heartbeat = {},
  parts: more = {} as Partial<HeartbeatParts>,
  errands = {} as Partial<HeartbeatHouse["errands"]>,
}) {
  const clock = createFakeClock();
  const ledger = createMemoryLedger();
  const events: HeartbeatEvent[] = [];
  const turns: BeatTurn[] = [];
  const begun: Errand[] = [];
  const ends = new Map<string, Promise<ErrandRecord | undefined>>();
  const lines: string[] = [];
  const log = { error: (text: string, fields: object) => void lines.push(`${text} ${JSON.stringify(fields)}`) };

  async function carryOut(errand: Errand): Promise<ErrandRecord | undefined> {
    const { runId } = errand;
    const record = (await ledger.errand(runId)) as ErrandRecord;
    const turn = async (asked: ErrandTurn): Promise<ErrandOutcome> => {
      turns.push(asked as BeatTurn);
      const answer = answers.shift();
      return answer === undefined
        ? { status: "error", texts: [], error: "the model is ill" }
        : { status: "ok", texts: [answer] };
    };
    const outcome = await room.handler.carryOut(record, { turn, signal: new AbortController().signal });
    const isSent = outcome.texts.length > 0 && errand.delivery !== undefined;
    const delivered = { status: isSent ? ("delivered" as const) : ("not-requested" as const) };
    const changes = await room.handler.settling({ ...record, outcome, delivered });
    const at = clock.now();
    await ledger.commit([{ kind: "errand-state", runId, state: "settled", at, outcome, delivered }, ...changes]);
    const end = (await ledger.errand(runId)) as ErrandRecord;
    room.handler.settled(end);
    return end;
  }

  const house: HeartbeatHouse = {
    ledger,
    clock,
    log: log as unknown as HeartbeatHouse["log"],
    agents: () => [{ id: "main", isDefault: true }],
    keys: () => ({ defaultAgentId: "main", mainKey: "main", scope: "per-sender" }),
    agentOf: () => ({ userTimezone: "UTC" }),
    lanes: { runIds: () => [], settled: async () => {} },
    errands: {
      async begin(errand: Errand, changes: readonly Change[] = []) {
        begun.push(errand);
        const running = { kind: "errand-state", runId: errand.runId, state: "running", at: clock.now() } as const;
        await ledger.commit([{ kind: "errand-add", errand }, running, ...changes]);
        ends.set(errand.runId, carryOut(errand));
        return true;
      },
      settled: async (runId) => ends.get(runId),
      ...errands,
    },
  };
  const room = createHeartbeats(house, {
    settings: (agentId) => beatSettings({ agents: { defaults: { heartbeat } } }, agentId),
    isSwitchedOn: () => true,
    nextAt: () => undefined,
    readTasks: async () => "- look at the door",
    isEmpty: () => false,
    isFromPerson: () => true,
    findPlace: async (): Promise<ErrandDelivery> => ({
      mode: "chat",
      channel: "fake",
      account: "default",
      to: "alice",
    }),
    view: () => ({ showAlerts: true, useIndicator: true }),
    lastAnswer: async () => undefined,
    tell: (event) => void events.push(event),
    ...more,
  });
  const note = (sessionKey: string, text: string) => ({ sessionKey, key: text, at: clock.now(), body: { text } });
  return { clock, ledger, room, events, turns, begun, lines, note };
}

test("an event is told by one beat, the conversation knows that it was, and what people said stays", async () => {
  const { room, ledger, clock, note, turns, begun, events } = stage({ answers: ["It rang."] });
  await ledger.commit([{ kind: "aside-add", aside: { ...note(GROUP, "hi all"), kind: "heard" } }]);
  await room.wake({ agentId: "main", sessionKey: GROUP, reason: "hook:x" }, note(GROUP, "it rang"));
  await clock.advance(1000);
  expect(turns[0]?.text).toContain("it rang");
  expect(turns[0]?.text).not.toContain("hi all");
  expect(begun[0]).toMatchObject({ sessionKey: "agent:main:heartbeat:fake:group:1", owner: "main" });
  expect((await ledger.asides(GROUP)).map(({ kind, body }) => [kind, body["text"]])).toEqual([
    ["heard", "hi all"],
    ["note", "it rang (the person was told)"],
  ]);
  expect(events.map(({ status }) => status)).toEqual(["sent"]);
});

test("a beat is no owner, and has no tools in a conversation that is not its agent's own", async () => {
  const { room, clock, note, turns } = stage({ answers: ["one", "two"] });
  await room.wake({ agentId: "main", sessionKey: MAIN, reason: "wake" }, note(MAIN, "one"));
  await clock.advance(1000);
  await room.wake({ agentId: "main", sessionKey: GROUP, reason: "wake" }, note(GROUP, "two"));
  await clock.advance(1000);
  expect(turns.map(({ sender }) => sender)).toEqual(
    [1, 2].map(() => ({ id: "heartbeat:main", name: "Heartbeat", isOwner: false })),
  );
  expect(turns.map(({ terms }) => terms.tools)).toEqual([undefined, { deny: ["*"] }]);
  expect(turns[0]?.terms).toMatchObject({ context: "light", forgetsEarlier: true, isFresh: true });
});

test("what a failed beat was to tell waits again, is tried less and less often, and is told once", async () => {
  const { room, ledger, clock, note, turns, events } = stage({
    answers: [undefined, undefined, undefined, "It rang."],
  });
  await room.wake({ agentId: "main", sessionKey: MAIN, reason: "wake" }, note(MAIN, "it rang"));
  await clock.advance(1000);
  expect(turns).toHaveLength(1);
  expect((await ledger.asides(MAIN)).map(({ body }) => body["text"])).toEqual(["it rang"]);
  await clock.advance(60_000);
  expect(turns).toHaveLength(2);
  await clock.advance(60_000);
  expect(turns).toHaveLength(2);
  await clock.advance(5 * 60_000);
  expect(turns).toHaveLength(3);
  await clock.advance(DAY);
  expect(turns).toHaveLength(4);
  expect((await ledger.asides(MAIN)).map(({ body }) => body["text"])).toEqual(["it rang (the person was told)"]);
  expect(events.map(({ status }) => status)).toEqual(["failed", "failed", "failed", "sent"]);
});

test("where there is no place for it, no model is asked, and the event waits for the person", async () => {
  const findPlace = async (): Promise<ErrandDelivery> => ({ mode: "nowhere", why: "there is none" });
  const { room, ledger, clock, note, turns, events } = stage({ parts: { findPlace } });
  await room.wake({ agentId: "main", sessionKey: MAIN, reason: "wake" }, note(MAIN, "it rang"));
  await clock.advance(DAY);
  expect(turns).toHaveLength(0);
  expect(events).toMatchObject([{ status: "skipped", reason: "no-target" }]);
  expect(await ledger.asides(MAIN)).toHaveLength(1);
});

test("nothing is remembered but one value for each conversation, and the last 50 beats", async () => {
  const answers = Array.from({ length: 60 }, (_, at) => `news ${at}`);
  const { room, ledger, clock, events, lines } = stage({ answers, heartbeat: { always: true, target: "last" } });
  for (let beat = 0; beat < 60; beat += 1) {
    room.beat("main");
    await clock.advance(60_000);
  }
  expect(lines).toEqual([]);
  expect(events).toHaveLength(60);
  expect(await ledger.countErrands({ kind: "heartbeat" })).toBeLessThanOrEqual(51);
});

test("a job that failed since the last beat is a reason to ask, and is named", async () => {
  const { room, ledger, clock, turns } = stage({ answers: ["HEARTBEAT_OK", "HEARTBEAT_OK"] });
  room.beat("main");
  await clock.advance(60_000);
  const at = clock.now();
  const errand = { kind: "cron", owner: "job-1", agentId: "main", sessionKey: MAIN, work: {} } as const;
  await ledger.commit([
    { kind: "errand-add", errand: { ...errand, runId: "cron:1", dueAt: at, createdAt: at } },
    {
      kind: "errand-state",
      runId: "cron:1",
      state: "settled",
      at,
      outcome: { status: "error", texts: [], error: "no disk" },
    },
  ]);
  room.beat("main");
  await clock.advance(60_000);
  room.beat("main");
  await clock.advance(60_000);
  expect(turns).toHaveLength(2);
  expect(turns[1]?.text).toContain('The job "job-1" failed: no disk');
});

test("whoever wakes without a pause does not put the beat off", async () => {
  const { room, clock, note, turns } = stage({ answers: ["some", "more"] });
  for (let ring = 0; ring < 20; ring += 1) {
    await room.wake({ agentId: "main", sessionKey: MAIN, reason: "hook:x" }, note(MAIN, `ring ${ring}`));
    await clock.advance(100);
  }
  expect(turns.length).toBeGreaterThan(0);
});

test("a flood of events is told in several beats, each of which a model can take, and all of it once", async () => {
  const answers = Array.from({ length: 60 }, (_, at) => `news ${at}`);
  const { room, ledger, clock, note, turns } = stage({ answers });
  await ledger.commit([{ kind: "aside-add", aside: { ...note(MAIN, "hi all"), kind: "heard" } }]);
  const events = Array.from({ length: 50 }, (_, at) => `event-${at}. ${"x".repeat(5000)}`);
  for (const text of events) {
    await room.wake({ agentId: "main", sessionKey: MAIN, reason: "hook:x" }, note(MAIN, text));
  }
  for (let step = 0; step < 60; step += 1) await clock.advance(1000);
  const told = turns.map(({ text }) => text);
  expect(told.every((text) => text.length < 40_000)).toBe(true);
  const named = told.flatMap((text) => text.match(/event-\d+\./g) ?? []);
  expect(named).toEqual(events.map((text) => text.slice(0, text.indexOf(".") + 1)));
  const waiting = (await ledger.asides(MAIN)).map(({ body }) => String(body["text"]));
  expect(waiting.filter((text) => !text.endsWith("(the person was told)"))).toEqual(["hi all"]);
  expect(waiting).toHaveLength(51);
});

test("what could not be begun because nothing can be written is begun a minute later", async () => {
  let isFull = true;
  const { room, clock, note, begun } = stage({
    answers: ["It rang."],
    errands: {
      async begin(errand) {
        if (isFull) throw new GatewayError("STORE_FULL", "no space left");
        begun.push(errand);
        return true;
      },
    },
  });
  await room.wake({ agentId: "main", sessionKey: MAIN, reason: "hook:x" }, note(MAIN, "it rang"));
  await clock.advance(1000);
  isFull = false;
  await clock.advance(60_000);
  expect(begun).toHaveLength(1);
});

test("after the end of the gateway nobody beats, also who was never woken before", async () => {
  const { room, ledger, clock, note, turns } = stage({ answers: ["late"] });
  room.close();
  await room.wake({ agentId: "main", sessionKey: GROUP, reason: "hook:x" }, note(GROUP, "it rang"));
  await clock.advance(DAY);
  expect(turns).toHaveLength(0);
  expect(await ledger.asides(GROUP)).toHaveLength(1);
});
