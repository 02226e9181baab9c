// Thousands of calls through random troubles on a clock of their own: whatever happens, a call ends, once, and in time.
import { describe, expect, it } from "vitest";
import { Secret, noUsage, type Clock, type ModelFailureReason, type ModelInfo, type ModelProvider } from "@chela/sdk";
import { plainRequest } from "@chela/sdk/testing";
import { ProfileBook } from "../profiles/profile-book.ts";
import type { Profile } from "../profiles/profile.ts";
import { silentLog } from "../testing/wire-harness.ts";
import { converse } from "./converse.ts";
import type { CallEvent } from "./model-call.ts";

const REASONS: readonly ModelFailureReason[] = [
  "auth",
  "billing",
  "rate-limit",
  "overloaded",
  "context-overflow",
  "refused",
  "bad-request",
  "not-found",
  "network",
  "timeout",
  "malformed",
  "unknown",
];
const HOPELESS: readonly ModelFailureReason[] = ["auth", "billing", "not-found"];
type Fate = ModelFailureReason | "answer" | "hang" | "hang-later" | "cut" | "throw";

interface TestClock extends Clock {
  /** Jumps to the next task and runs it. False when there is none. */
  next(): boolean;
  jump(ms: number): void;
}

function createTestClock(): TestClock {
  const start = Date.UTC(2026, 0, 15);
  let now = start;
  let count = 0;
  const tasks = new Map<number, { at: number; run: () => void }>();
  return {
    now: () => now,
    steady: () => now - start,
    jump: (ms) => void (now += ms),
    after(ms, run) {
      const id = count++;
      tasks.set(id, { at: now + ms, run });
      return () => void tasks.delete(id);
    },
    next() {
      const due = [...tasks].sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
      if (!due) return false;
      tasks.delete(due[0]);
      now = Math.max(now, due[1].at);
      due[1].run();
      return true;
    },
  };
}

/** Small, fast and the same on every machine (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Attempted {
  readonly model: string;
  readonly profile: string;
  readonly fate: Fate;
}

/** Three providers with two keys each, and a fate for every call. */
function createWorld(random: () => number, chooseFate: (model: ModelInfo, profile: Profile) => Fate) {
  const clock = createTestClock();
  const book = new ProfileBook({
    clock,
    log: silentLog,
    refreshers: [],
    env: () => ({}),
    agentDir: () => undefined,
    rules: {
      providers: () => [],
      order: () => undefined,
      label: () => undefined,
      cooldowns: () => ({ billingBackoffHours: 5, billingMaxHours: 24, failureWindowHours: 24 }),
    },
    onSecret: () => undefined,
    givenKeys: (provider) => ({
      kind: "keys",
      keys: (["config", "env"] as const).map((origin) => ({
        origin,
        key: new Secret(`${provider}-${origin}`),
        source: "test",
      })),
    }),
  });
  const attempted: Attempted[] = [];
  let calledWhileResting = 0;
  const open = async (model: ModelInfo, profile: Profile) => {
    const { resting } = book.look(profile.agentId, model);
    if (resting.some((rest) => rest.profile.id === profile.id)) calledWhileResting++;
    const fate = chooseFate(model, profile);
    attempted.push({ model: model.provider, profile: profile.id, fate });
    return { kind: "ready", provider: play(fate, random) } as const;
  };
  const models = ["a", "b", "c"].map((provider, index) => ({
    ...plainRequest({ provider, id: `model-${provider}` }).model,
    contextWindow: 100_000 * (1 + (index % 2)),
  }));
  const call = async (deadlineMs: number, candidates: readonly ModelInfo[] = models) => {
    const startedAt = clock.now();
    const events: CallEvent[] = [];
    let [granted, settled, reported, isOver] = [0, 0, 0, false];
    attempted.length = 0;
    const run = async (): Promise<void> => {
      const parts = { clock, log: silentLog, random, profiles: book, open };
      const asked = {
        agentId: "main",
        sessionId: "s",
        candidates,
        request: (model: ModelInfo) => plainRequest(model),
        deadlineAt: clock.steady() + deadlineMs,
        compactions: 3,
        reserve: () => (granted++, { kind: "granted" as const, settle: () => void settled++ }),
        onAttempt: () => void reported++,
      };
      for await (const event of converse(asked, new AbortController().signal, parts)) events.push(event);
      isOver = true;
    };
    const done = run();
    for (let turn = 0; !isOver; turn++) {
      expect(turn).toBeLessThan(1_000);
      // Enough rounds of microtasks for a call to get as far as it can without time passing.
      for (let round = 0; round < 60 && !isOver; round++) await Promise.resolve();
      if (!isOver && !clock.next()) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await done;
    const tookMs = clock.now() - startedAt;
    return { events, attempted: [...attempted], tookMs, counts: { granted, settled, reported }, calledWhileResting };
  };
  return { clock, call, models };
}

function play(fate: Fate, random: () => number): ModelProvider {
  return {
    id: "simulated",
    async *stream(_request, signal) {
      if (fate === "throw") throw new Error("broken provider");
      if (fate === "hang-later" || fate === "cut" || random() < 0.3) yield { kind: "text", delta: "so far" };
      if (fate === "cut") return;
      if (fate === "hang" || fate === "hang-later") {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        return;
      }
      if (fate === "answer") return yield { kind: "finish", stopReason: "stop", usage: noUsage() };
      const retryAfterMs = fate === "rate-limit" && random() < 0.7 ? Math.round(random() * 20_000) : undefined;
      const failure = { reason: fate, message: `simulated ${fate}`, retry: "later" as const };
      yield { kind: "failure", failure: retryAfterMs === undefined ? failure : { ...failure, retryAfterMs } };
    },
  };
}

function pickFrom<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}

describe("5,000 calls through random troubles", () => {
  it("all end with one finish or failure, in time, and leave nothing unsettled", async () => {
    const fates: readonly Fate[] = [...REASONS, "answer", "answer", "hang", "hang-later", "cut", "throw"];
    for (let seed = 0; seed < 50; seed++) {
      const random = createRandom(seed);
      const world = createWorld(random, () => pickFrom(fates, random));
      for (let time = 0; time < 100; time++) {
        const deadlineMs = pickFrom([0, 500, 5_000, 60_000, 600_000], random);
        const outcome = await world.call(deadlineMs, world.models.slice(0, 1 + Math.floor(random() * 3)));
        const where = `seed ${seed}, call ${time}`;
        const ends = outcome.events.filter(({ kind }) => kind === "finish" || kind === "failure");
        expect(ends, where).toHaveLength(1);
        expect(outcome.events.at(-1), where).toBe(ends[0]);
        expect(outcome.tookMs, where).toBeLessThanOrEqual(deadlineMs);
        expect(outcome.attempted.length, where).toBeLessThanOrEqual(12);
        const count = outcome.attempted.length;
        expect(outcome.counts, where).toEqual({ granted: count, settled: count, reported: count });
        expect(outcome.calledWhileResting, where).toBe(0);
        world.clock.jump(Math.floor(random() ** 4 * 3_600_000));
      }
    }
  });

  it("end without waiting when waiting cannot help, having tried every key before the next model", async () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = createRandom(seed);
      const world = createWorld(random, () => pickFrom(HOPELESS, random));
      const { events, attempted, tookMs } = await world.call(600_000);
      expect(events.at(-1)?.kind).toBe("failure");
      expect(tookMs).toBe(0);
      expect(attempted.map(({ model }) => model)).toEqual(attempted.map(({ model }) => model).toSorted());
      for (const [index, { model, fate }] of attempted.entries()) {
        if (fate === "not-found" || attempted[index - 1]?.model === model) continue;
        expect(attempted[index + 1]?.model, `seed ${seed}`).toBe(model);
      }
    }
  });

  it("use a primary that is well again as soon as its rest is over", async () => {
    for (const trouble of REASONS) {
      let isIll = true;
      const world = createWorld(createRandom(7), ({ provider }) => (provider === "a" && isIll ? trouble : "answer"));
      await world.call(60_000);
      isIll = false;
      world.clock.jump(6 * 3_600_000);
      const { attempted } = await world.call(60_000);
      expect(attempted, trouble).toMatchObject([{ model: "a", fate: "answer" }]);
    }
  });
});
