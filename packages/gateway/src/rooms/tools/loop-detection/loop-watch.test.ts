import { describe, expect, it } from "vitest";
import { createLoopWatch } from "./loop-watch.ts";
import { loopSettings } from "./settings.ts";

type Answer = (round: number) => string;
const SAME: Answer = () => "nothing new";
const NEWS: Answer = (round) => `line ${round}`;

interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}
const READ: Call = { name: "read", arguments: { path: "a", limit: 3 } };
const WRITE: Call = { name: "write", arguments: { path: "b" } };
const POLL: Call = { name: "process", arguments: { action: "poll", sessionId: "x" } };

interface Log {
  readonly warnedAt: number[];
  readonly blockedAt: number[];
  readonly messages: string[];
}

/** Makes the calls in turn, as often as asked, and notes at which round something was said. */
function repeat(calls: readonly Call[], times: number, answer: Answer, view = {}): Log {
  const watch = createLoopWatch(loopSettings({ all: view }, 200));
  const log: Log = { warnedAt: [], blockedAt: [], messages: [] };
  for (let round = 1; round <= times; round++) {
    const call = calls[(round - 1) % calls.length] ?? READ;
    const decision = watch.before(call);
    if (decision.kind === "block") {
      log.blockedAt.push(round);
      log.messages.push(decision.message);
      continue;
    }
    const { warning } = watch.after(call, { content: [{ type: "text", text: answer(round) }] });
    if (warning) {
      log.warnedAt.push(round);
      log.messages.push(warning);
    }
  }
  return log;
}

describe("a turn that goes in circles", () => {
  it.each<[string, Log["warnedAt"], Log["blockedAt"], Log]>([
    ["is warned every ten equal calls", [10, 20, 30], [], repeat([READ], 35, NEWS)],
    ["is stopped at thirty equal calls that bring nothing new", [10, 20, 30], [31, 32], repeat([READ], 32, SAME)],
    ["is stopped at sixty equal calls in a row, whatever they bring", [10, 20, 30], [61, 62], repeat([READ], 62, NEWS)],
    ["may poll as long as there is news", [], [], repeat([POLL], 60, NEWS)],
    ["is stopped polling after twenty times without news", [10, 20], [21, 22], repeat([POLL], 22, SAME)],
    ["is warned of going to and fro", [10, 20, 30], [], repeat([READ, WRITE], 35, NEWS)],
    ["is stopped going to and fro without any change", [10, 20], [21, 22], repeat([READ, WRITE], 22, SAME)],
    ["is left alone with calls that differ", [], [], repeat([READ, WRITE, POLL], 27, NEWS)],
    ["may be given less patience", [2, 4], [], repeat([READ], 5, NEWS, { warningThreshold: 2 })],
    [
      "never is stopped before it was warned",
      [5],
      [7],
      repeat([POLL], 7, SAME, { warningThreshold: 5, criticalThreshold: 2 }),
    ],
    [
      "is stopped even if the history was meant to be shorter than that",
      [10, 20, 30],
      [31],
      repeat([READ], 31, SAME, { historySize: 5 }),
    ],
    ["is left alone when the watch is off", [], [], repeat([READ], 60, SAME, { enabled: false })],
    [
      "is not warned by a detector that is off",
      [],
      [31],
      repeat([READ], 31, SAME, { detectors: { genericRepeat: false } }),
    ],
    [
      "may poll on with that detector off",
      [],
      [31],
      repeat([POLL], 31, SAME, { detectors: { knownPollNoProgress: false } }),
    ],
    [
      "may go to and fro with that detector off",
      [],
      [],
      repeat([READ, WRITE], 30, SAME, { detectors: { pingPong: false, genericRepeat: false } }),
    ],
  ])("%s", (_name, warnedAt, blockedAt, log) => {
    expect(log).toMatchObject({ warnedAt, blockedAt });
    for (const message of log.messages) expect(message).toMatch(/the person/);
  });

  it("is recognised whatever the order of the arguments", () => {
    const turned = { name: "read", arguments: { limit: 3, path: "a" } };
    expect(repeat([READ, turned], 31, SAME)).toMatchObject({ blockedAt: [31] });
  });

  it("may try again what was refused once it did something else", () => {
    const watch = createLoopWatch(loopSettings({}, 200));
    const answer = { content: [{ type: "text" as const, text: "same" }] };
    for (let round = 0; round < 10; round++) for (const call of [READ, WRITE]) watch.after(call, answer);
    for (const call of [READ, WRITE, READ, READ]) expect(watch.before(call).kind).toBe("block");
    watch.after({ name: "exec", arguments: {} }, answer);
    expect(watch.before(READ)).toEqual({ kind: "go" });
  });

  it("may make so many calls and no more, with the watch off as well", () => {
    const watch = createLoopWatch(loopSettings({ all: { enabled: false } }, 3));
    const decisions = Array.from({ length: 5 }, (_, id) => watch.before({ name: "read", arguments: { id } }).kind);
    expect(decisions).toEqual(["go", "go", "go", "block", "block"]);
  });
});

it("takes an agent's settings before the general ones, and leaves out numbers that make no sense", () => {
  const settings = loopSettings(
    {
      all: { warningThreshold: 4, criticalThreshold: 8, detectors: { pingPong: false } },
      agent: { warningThreshold: 6, globalCircuitBreakerThreshold: -1, historySize: Number.NaN },
    },
    200,
  );
  expect(settings).toEqual({
    maxCalls: 200,
    enabled: true,
    historySize: 30,
    warnAt: 6,
    blockAt: 8,
    breakAt: 30,
    detectors: { genericRepeat: true, polling: true, pingPong: false },
  });
});
