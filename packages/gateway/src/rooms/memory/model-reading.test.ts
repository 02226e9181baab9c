// When a model is asked to read, and when it is left alone.
import type { Logger } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { expect, test } from "vitest";
import type { KeeperProcess } from "./keeper-process.ts";
import type { FedEntry } from "@chela/memory";
import { ModelReading, type ModelAnswer } from "./model-reading.ts";

const silent: Logger = new Proxy({} as Logger, { get: () => () => undefined });
const HOUR = 3_600_000;
const FAILED: ModelAnswer = { kind: "failed", why: "it is tired", isAboutText: false, tokens: 0, changes: [] };
const REFUSED: ModelAnswer = { ...FAILED, isAboutText: true };
const SAID: ModelAnswer = { kind: "said", text: '{"facts":[]}', tokens: 900, changes: [] };

/** A keeper with so many parts to read, each with one line. */
function setUp(waiting: number, reads = { model: "a/b", maxTokensPerDay: 50_000 }) {
  const clock = createFakeClock();
  const state = { waiting, isLearned: true, isBusy: false, asked: 0, value: undefined as string | undefined };
  const answers: ModelAnswer[] = [];
  const episode = { id: "x", sessionKey: "k", sessionId: "s", startSeq: 1, endSeq: 1, startedAt: 1, endedAt: 1 };
  const place = { seq: 1, sessionKey: "k", sessionId: "s", entryId: "e", at: 1 };
  const entry: FedEntry = { ...place, role: "user", text: "Hello.", isOwner: true };
  const ask = async (name: string): Promise<unknown> => {
    if (name === "readable") return ["Hello."];
    if (name === "keepRead") return { facts: (state.waiting -= 1) };
    return { read: waiting - state.waiting, waiting: state.waiting, ...(state.waiting > 0 ? { next: episode } : {}) };
  };
  const reading = new ModelReading({
    clock,
    log: silent,
    ledger: {
      entries: async (_id, options) => (options?.afterSeq === 0 ? [{ seq: 1, line: "" }] : []),
      transcript: async () => undefined,
      value: async () => state.value,
      commit: async ([change]) => void (state.value = change?.kind === "value-put" ? change.value : undefined),
    },
    keeper: { ask: ask as KeeperProcess["ask"] },
    readSaid: () => entry,
    isBusy: () => state.isBusy,
    agentIds: () => ["main"],
    reads: () => reads,
    dayOf: (_agentId, at) => new Date(at).toISOString().slice(0, 10),
    catchUp: async () => state.isLearned,
    askModel: async () => {
      state.asked += 1;
      return answers.shift() ?? SAID;
    },
    learned: async () => {},
  });
  reading.wake();
  return { clock, state, answers, reading };
}

test("one after the other is read, and then nobody is asked any more", async () => {
  const { clock, state, reading } = setUp(3);
  await clock.advance(10_000);
  expect(state).toMatchObject({ waiting: 0, asked: 3 });
  expect(await reading.status("main")).toMatchObject({ read: 3, waiting: 0, tokensToday: 2_700 });
  expect(clock.waiting).toBe(0);
});

test("nobody is asked while somebody is being answered, or not everything is learned yet", async () => {
  const { clock, state } = setUp(1);
  state.isBusy = true;
  await clock.advance(HOUR);
  expect(state.asked).toBe(0);
  Object.assign(state, { isBusy: false, isLearned: false });
  await clock.advance(HOUR);
  expect(state.asked).toBe(0);
  state.isLearned = true;
  await clock.advance(HOUR);
  expect(state.asked).toBe(1);
});

test("a model that fails is asked less and less, and soon again once it answers", async () => {
  const { clock, state, answers, reading } = setUp(2);
  answers.push(...Array.from({ length: 12 }, () => FAILED));
  await clock.advance(HOUR);
  expect(state.asked).toBe(6);
  expect(await reading.status("main")).toMatchObject({ problem: "it is tired", tokensToday: 0 });
  await clock.advance(24 * HOUR);
  expect(state.asked).toBeLessThan(13);
  await clock.advance(24 * HOUR);
  expect(state.waiting).toBe(0);
  expect(await reading.status("main")).not.toHaveProperty("problem");
});

test("a text that is refused is offered twice, and keeps nothing else from being read", async () => {
  const { clock, state, answers } = setUp(2);
  answers.push(REFUSED, REFUSED);
  await clock.advance(10_000);
  expect(state).toMatchObject({ waiting: 0, asked: 3 });
});

test("what a day allows is not passed, and a new day begins by itself", async () => {
  const { clock, state, answers } = setUp(20, { model: "a/b", maxTokensPerDay: 6_000 });
  answers.push(...Array.from({ length: 20 }, (): ModelAnswer => ({ ...SAID, tokens: 2_500 })));
  await clock.advance(8 * HOUR);
  expect(state.asked).toBe(2);
  await clock.advance(24 * HOUR);
  expect(state.asked).toBe(4);
});

test("a day that allows too little for any question says so", async () => {
  const { clock, state, reading } = setUp(1, { model: "a/b", maxTokensPerDay: 500 });
  await clock.advance(HOUR);
  expect(state).toMatchObject({ asked: 0, waiting: 1 });
  expect((await reading.status("main"))?.problem).toMatch(/maxTokensPerDay is too small/);
});

test("whoever closes it does not wait for a timer", async () => {
  const { clock, state, reading } = setUp(1);
  await reading.close();
  await clock.advance(HOUR);
  expect(state.asked).toBe(0);
});
