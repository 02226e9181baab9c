// The steps of a turn, and the one sentence about it.
import { describe, expect, it } from "vitest";
import { axisOf, placeOf, stepsOf, withQuestions, type Run } from "./steps.ts";
import { verdictOf } from "./verdict.ts";

const base: Run = {
  runId: "r",
  messageId: "m",
  channel: "telegram",
  account: "default",
  agentId: "main",
  sessionKey: "agent:main:main",
  state: "done",
  status: "ok",
  receivedAt: 1000,
  admittedAt: 1020,
  startedAt: 1100,
  endedAt: 3000,
  access: { kind: "sender", id: "42", isOwner: true, isAuthorised: true, decidedAt: 1010 },
  route: { agentId: "main", sessionKey: "agent:main:main", matchedBy: "default" },
  attempts: [{ provider: "a", model: "x", startedAt: 1200, endedAt: 2000, status: "ok" }],
  tools: [],
  usage: [],
  delivery: [],
};

const delivery = {
  id: "d",
  channel: "telegram",
  account: "default",
  to: "42",
  attempts: 1,
  createdAt: 3000,
  updatedAt: 3100,
} as const;
const tool = { toolCallId: "t", name: "exec", startedAt: 2000 };

describe("stepsOf", () => {
  it("tells them in the order they happened", () => {
    const attempts: Run["attempts"] = [...base.attempts, { ...base.attempts[0]!, startedAt: 2500, endedAt: 2900 }];
    const run = { ...base, attempts, tools: [{ ...tool, endedAt: 2400 }] };
    const steps = stepsOf({ ...run, delivery: [{ ...delivery, state: "delivered" }] }, 9000);
    expect(steps.map(({ kind }) => kind)).toEqual([
      "received",
      "access",
      "route",
      "queue",
      "prompt",
      "attempt",
      "tool",
      "attempt",
      "delivery",
    ]);
    expect(steps.find(({ kind }) => kind === "queue")).toMatchObject({ from: 1020, to: 1100, isOpen: false });
    expect(axisOf(steps)).toEqual({ from: 1000, to: 3100 });
  });

  it("lets what goes on end now", () => {
    const { status: _status, endedAt: _endedAt, ...rest } = base;
    const run: Run = { ...rest, state: "running", attempts: [], tools: [tool] };
    const steps = stepsOf(run, 5000);
    expect(steps.filter(({ isOpen }) => isOpen).map(({ kind, to }) => [kind, to])).toEqual([
      ["working", 5000],
      ["tool", 5000],
    ]);
  });

  it("does not let a long delivery make the rest small", () => {
    const steps = stepsOf({ ...base, delivery: [{ ...delivery, state: "pending" }] }, 9_000_000);
    const axis = axisOf(steps);
    expect(axis.to).toBeLessThan(4000);
    expect(placeOf(9_000_000, axis)).toBe(1);
    expect(placeOf(axis.from, axis)).toBe(0);
  });
});

describe("withQuestions", () => {
  const running: Run = {
    ...base,
    state: "running",
    tools: [
      { ...tool, endedAt: 2100 },
      { ...tool, toolCallId: "u" },
    ],
  };

  it("sees that a tool waits for a person", () => {
    const run = withQuestions(running, [{ sessionKey: base.sessionKey, at: 2200 }]);
    expect(run.tools.map(({ approval }) => approval)).toEqual([undefined, { askedAt: 2200 }]);
  });

  it("takes questions of others for what they are", () => {
    expect(withQuestions(running, [{ sessionKey: "agent:main:other", at: 2200 }])).toBe(running);
    expect(withQuestions(base, [{ sessionKey: base.sessionKey, at: 2200 }])).toBe(base);
  });
});

describe("verdictOf", () => {
  const verdict = (part: Partial<Run>) => verdictOf({ ...base, ...part }, 5000);

  it.each<[string, Partial<Run>, object]>([
    ["waits", { state: "queued" }, { kind: "queued", sinceMs: 3980 }],
    ["goes on", { state: "running" }, { kind: "running", sinceMs: 3900 }],
    [
      "asks",
      { state: "running", tools: [{ ...tool, approval: { askedAt: 2000 } }] },
      { kind: "approval", tool: "exec" },
    ],
    ["failed", { status: "error", error: "No key." }, { kind: "error", error: "No key." }],
    ["was stopped", { status: "aborted", stopReason: "rpc" }, { kind: "stopped" }],
    ["was replaced", { status: "aborted", stopReason: "interrupt" }, { kind: "interrupted" }],
    ["was taken in", { stopReason: "steered", attempts: [] }, { kind: "steered" }],
    ["was a command", { attempts: [] }, { kind: "command", tookMs: 1900 }],
    ["has nothing to send", {}, { kind: "silent" }],
    ["is read on the page", { channel: "webchat" }, { kind: "answered", tookMs: 1900, model: "a/x" }],
    [
      "arrived",
      { delivery: [{ ...delivery, state: "delivered" }] },
      { kind: "answered", tookMs: 1900, model: "a/x", deliveredTo: "telegram" },
    ],
    [
      "was kept for the page",
      { channel: "webchat", delivery: [{ ...delivery, channel: "webchat", state: "delivered" }] },
      { kind: "answered", tookMs: 1900, model: "a/x" },
    ],
    ["is on its way", { delivery: [{ ...delivery, state: "pending" }] }, { kind: "pending", channel: "telegram" }],
    [
      "was lost",
      { delivery: [{ ...delivery, state: "undeliverable", error: "chat not found" }] },
      { kind: "undelivered", channel: "telegram", error: "chat not found" },
    ],
  ])("%s", (_name, part, expected) => {
    expect(verdict(part)).toEqual(expected);
  });
});
