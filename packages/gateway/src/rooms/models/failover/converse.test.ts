// A call that may fail over, through the front door of the room: what the caller sees, and what it is told at the end.
import { describe, expect, it } from "vitest";
import { noUsage, type ModelAttempt, type ModelEvent, type ModelFailureReason, type ModelInfo } from "@chela/sdk";
import { createFakeClock, createScriptedModel, plainRequest, say, type ScriptedModel } from "@chela/sdk/testing";
import { createModels, type CallEvent, type ModelCall } from "../room.ts";
import { silentLog } from "../testing/wire-harness.ts";

const fail = (reason: ModelFailureReason, retryAfterMs?: number): ModelEvent[] => [
  {
    kind: "failure",
    failure: { reason, message: `it said ${reason}`, retry: "later", ...(retryAfterMs ? { retryAfterMs } : {}) },
  },
];
const hang = async function* (_request: unknown, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  yield { kind: "finish", stopReason: "aborted", usage: noUsage() };
};
const deaf = async function* (): AsyncGenerator<ModelEvent> {
  yield await new Promise<never>(() => {});
};

function openPair(windows: { first?: number; second?: number } = {}) {
  const clock = createFakeClock();
  const scripted = { first: createScriptedModel("first"), second: createScriptedModel("second") };
  const models = createModels({ config: () => ({}), env: () => ({}), clock, log: silentLog, providers: scripted });
  const candidates: ModelInfo[] = (["first", "second"] as const).map((name) => ({
    ...models.resolve(`${name}/m`),
    contextWindow: windows[name] ?? 100_000,
  }));
  const pair = { clock, ...scripted, candidates, signals: new AbortController() };
  const converse = async (more: Partial<ModelCall> = {}): Promise<CallEvent[]> => {
    const events: CallEvent[] = [];
    const call: ModelCall = {
      agentId: "main",
      sessionId: "s",
      candidates,
      request: (model) => plainRequest(model),
      deadlineAt: clock.steady() + 60_000,
      compactions: 0,
      ...more,
    };
    for await (const event of models.converse(call, pair.signals.signal)) events.push(event);
    return events;
  };
  return Object.assign(pair, { converse });
}

/** "1:first" for an attempt, else the kind; texts as they are. */
function summarize(events: readonly CallEvent[]): string[] {
  return events.map((event) => {
    if (event.kind === "attempt") return `${event.number}:${event.model.provider}`;
    if (event.kind === "text") return event.delta;
    return event.kind === "failure" ? event.failure.reason : event.kind;
  });
}

function lastMessage(events: readonly CallEvent[]): string {
  const last = events.at(-1);
  return last?.kind === "failure" ? last.failure.message : "no failure";
}

/** Lets time pass until the call is over. */
async function finish<T>(clock: ReturnType<typeof createFakeClock>, work: Promise<T>, stepMs = 100): Promise<T> {
  let isOver = false;
  const watched = work.finally(() => (isOver = true));
  await clock.advance(0);
  while (!isOver) await clock.advance(stepMs);
  return watched;
}

describe("a call with a fallback", () => {
  it("asks only the first model when that answers", async () => {
    const pair = openPair();
    pair.first.script(say("hi"));
    expect(summarize(await pair.converse())).toEqual(["1:first", "hi", "finish"]);
    expect(pair.second.requests).toHaveLength(0);
  });

  it("voids what a broken attempt had said, and tries again", async () => {
    const pair = openPair();
    pair.first.script([{ kind: "text", delta: "half" }, ...fail("network")], say("whole"));
    const events = await finish(pair.clock, pair.converse());
    expect(summarize(events)).toEqual(["1:first", "half", "2:first", "whole", "finish"]);
  });

  it.for<[ModelFailureReason, number]>([
    ["overloaded", 3],
    ["network", 3],
    ["timeout", 3],
    ["malformed", 3],
    ["auth", 1],
    ["billing", 1],
    ["rate-limit", 1],
    ["refused", 1],
    ["bad-request", 1],
    ["not-found", 1],
    ["unknown", 1],
  ])("falls back after %s, having asked the first model %i times", async ([reason, times]) => {
    const pair = openPair();
    pair.first.script(...Array.from({ length: 5 }, () => fail(reason)));
    pair.second.script(say("hi"));
    const events = await finish(pair.clock, pair.converse());
    expect(pair.first.requests).toHaveLength(times);
    expect(summarize(events).slice(-3)).toEqual([`${times + 1}:second`, "hi", "finish"]);
  });

  it("gives up a model that does not stop talking", async () => {
    const pair = openPair();
    const chatter = function* (): Generator<ModelEvent> {
      for (;;) yield { kind: "text", delta: "x".repeat(100_000) };
    };
    pair.first.script(chatter);
    pair.second.script(say("short"));
    const events = await finish(pair.clock, pair.converse());
    expect(summarize(events).slice(-3)).toEqual(["2:second", "short", "finish"]);
    expect(events.filter(({ kind }) => kind === "text").length).toBeLessThan(50);
  });

  it("builds the request anew for every model", async () => {
    const pair = openPair();
    pair.first.script(fail("not-found"));
    await pair.converse({ request: (model) => ({ ...plainRequest(model), system: `for ${model.provider}` }) });
    expect(pair.second.requests[0]).toMatchObject({ system: "for second", model: { provider: "second" } });
  });

  it("says in one sentence what was tried when nothing answered", async () => {
    const pair = openPair();
    pair.first.script(fail("auth"));
    pair.second.script(fail("not-found"));
    const events = await pair.converse();
    expect(events.at(-1)).toMatchObject({ failure: { reason: "auth" } });
    expect(lastMessage(events)).toBe(
      "first/m refused the credential (it said auth); second/m is not known there (it said not-found)",
    );
  });

  it("keeps the provider's own sentence when only one thing was tried", async () => {
    const pair = openPair();
    pair.first.script(fail("auth"));
    expect(lastMessage(await pair.converse({ candidates: pair.candidates.slice(0, 1) }))).toBe("it said auth");
  });

  it("lets only one fallback answer what a model declined", async () => {
    const pair = openPair();
    pair.first.script(fail("refused"));
    pair.second.script(fail("refused"));
    expect(summarize(await pair.converse())).toEqual(["1:first", "2:second", "refused"]);
  });

  it("begins with the first model again as soon as that is well", async () => {
    const pair = openPair();
    pair.first.script(fail("not-found"));
    await pair.converse();
    expect(summarize(await pair.converse())).toContain("1:first");
  });
});

describe("a conversation that is too long", () => {
  it.for<[number, string[]]>([
    [0, ["1:first", "context-overflow"]],
    [2, ["1:first", "context-overflow"]],
    [3, ["1:first", "2:second", "hi", "finish"]],
  ])("after %i compactions gives %o", async ([compactions, expected]) => {
    const pair = openPair({ second: 200_000 });
    pair.first.script(fail("context-overflow"));
    pair.second.script(say("hi"));
    expect(summarize(await pair.converse({ compactions }))).toEqual(expected);
  });

  it("is not given to a model with no more room", async () => {
    const pair = openPair({ second: 50_000 });
    pair.first.script(fail("context-overflow"));
    expect(summarize(await pair.converse({ compactions: 3 }))).toEqual(["1:first", "context-overflow"]);
  });
});

describe("time", () => {
  it("is shared: a model that hangs leaves half of it to the other", async () => {
    const pair = openPair();
    pair.first.script(deaf);
    pair.second.script(say("hi"));
    const startedAt = pair.clock.now();
    const events = await finish(pair.clock, pair.converse(), 1_000);
    expect(summarize(events)).toEqual(["1:first", "2:second", "hi", "finish"]);
    expect(pair.clock.now() - startedAt).toBe(30_000);
  });

  it("ends a call whose models all hang at the deadline", async () => {
    const pair = openPair();
    pair.first.script(hang);
    pair.second.script(deaf);
    const startedAt = pair.clock.now();
    const events = await finish(pair.clock, pair.converse(), 1_000);
    expect(summarize(events)).toEqual(["1:first", "2:second", "timeout"]);
    expect(pair.clock.now() - startedAt).toBe(60_000);
  });

  it("lets an answer that is under way go on beyond its share", async () => {
    const pair = openPair();
    const { clock } = pair;
    pair.first.script(async function* () {
      for (let word = 0; word < 10; word++) {
        await new Promise<void>((resolve) => clock.after(5_000, resolve));
        yield { kind: "text", delta: "." };
      }
      yield* say("!");
    });
    const events = await finish(clock, pair.converse(), 1_000);
    expect(summarize(events)).toEqual(["1:first", ...Array.from({ length: 10 }, () => "."), "!", "finish"]);
  });

  it("that is over before the call begins is told at once", async () => {
    const pair = openPair();
    expect(summarize(await pair.converse({ deadlineAt: pair.clock.steady() }))).toEqual(["timeout"]);
  });

  it("is not lost on a model that failed three times in a row a moment ago", async () => {
    const pair = openPair();
    pair.first.script(fail("overloaded"), fail("overloaded"), fail("overloaded"));
    await finish(pair.clock, pair.converse());
    expect(summarize(await pair.converse())[0]).toBe("1:second");
    await pair.clock.advance(15_000);
    expect(summarize(await pair.converse())[0]).toBe("1:first");
  });

  it("is risked by one call alone when such a model may be well again", async () => {
    const pair = openPair();
    pair.first.script(fail("overloaded"), fail("overloaded"), fail("overloaded"), hang, say("hi"));
    await finish(pair.clock, pair.converse());
    await pair.clock.advance(15_000);
    const probe = pair.converse();
    await pair.clock.advance(10);
    expect(summarize(await pair.converse())[0]).toBe("1:second");
    pair.signals.abort();
    expect(summarize(await probe)).toEqual(["1:first", "finish"]);
    pair.signals = new AbortController();
    expect(summarize(await pair.converse())).toEqual(["1:first", "hi", "finish"]);
  });

  it("is spent on such a model once when there is no other", async () => {
    const pair = openPair();
    const only = { candidates: pair.candidates.slice(0, 1) };
    pair.first.script(fail("overloaded"), fail("overloaded"), fail("overloaded"), fail("network"), say("hi"));
    expect(summarize(await finish(pair.clock, pair.converse(only)))).toHaveLength(4);
    expect(summarize(await pair.converse(only))).toEqual(["1:first", "network"]);
    expect(summarize(await pair.converse(only))).toEqual(["1:first", "hi", "finish"]);
  });
});

describe("stopping", () => {
  it.for<[string, ScriptedModel["script"] extends (...steps: infer S) => void ? S[number] : never]>([
    ["listens", hang],
    ["does not", deaf],
  ])("ends the call as aborted, whether the model %s", async ([, step]) => {
    const pair = openPair();
    pair.first.script(step);
    const events = pair.converse();
    await pair.clock.advance(10);
    pair.signals.abort();
    expect((await events).at(-1)).toMatchObject({ kind: "finish", stopReason: "aborted" });
    expect(pair.clock.waiting).toBe(0);
  });

  it("ends a pause between attempts too", async () => {
    const pair = openPair();
    pair.first.script(fail("overloaded"));
    const events = pair.converse();
    await pair.clock.advance(1);
    pair.signals.abort();
    expect((await events).at(-1)).toMatchObject({ kind: "finish", stopReason: "aborted" });
    expect(pair.first.requests).toHaveLength(1);
  });
});

describe("what a caller is told", () => {
  it("every attempt, with what became of it", async () => {
    const pair = openPair();
    const attempts: ModelAttempt[] = [];
    pair.first.script(fail("not-found"));
    await pair.converse({ onAttempt: (attempt) => attempts.push(attempt) });
    expect(attempts).toMatchObject([
      { provider: "first", model: "m", profileId: "first:none", failure: { reason: "not-found" } },
      { provider: "second", model: "m", profileId: "second:none" },
    ]);
    expect(attempts[1]).not.toHaveProperty("failure");
  });

  it("reservations are asked for before each attempt and settled once, with the usage when there is one", async () => {
    const pair = openPair();
    const settled: unknown[] = [];
    const usage = { ...noUsage(), input: 7 };
    pair.first.script(fail("not-found"));
    pair.second.script([{ kind: "finish", stopReason: "stop", usage }]);
    await pair.converse({ reserve: () => ({ kind: "granted", settle: (used) => settled.push(used) }) });
    expect(settled).toEqual([undefined, usage]);
  });

  it("a denial ends the call with its sentence, and nobody is asked", async () => {
    const pair = openPair();
    const events = await pair.converse({ reserve: () => ({ kind: "denied", why: "5 $ were spent today" }) });
    expect(events).toEqual([
      { kind: "failure", failure: { reason: "budget", message: "5 $ were spent today", retry: "never" } },
    ]);
    expect(pair.first.requests).toHaveLength(0);
  });

  it("a reader that leaves early gets its reservation settled", async () => {
    const pair = openPair();
    let settled = 0;
    const models = createModels({
      config: () => ({}),
      env: () => ({}),
      clock: pair.clock,
      log: silentLog,
      providers: { first: pair.first },
    });
    const call: ModelCall = {
      agentId: "main",
      sessionId: "s",
      candidates: pair.candidates.slice(0, 1),
      request: (model) => plainRequest(model),
      deadlineAt: pair.clock.steady() + 1_000,
      compactions: 0,
      reserve: () => ({ kind: "granted", settle: () => void settled++ }),
    };
    for await (const event of models.converse(call, new AbortController().signal)) if (event.kind === "text") break;
    expect(settled).toBe(1);
    expect(pair.clock.waiting).toBe(0);
  });
});
