// What is said of what happened: enough to know it again, and never a secret.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { noUsage, type AgentMessage, type ModelAttempt } from "@chela/sdk";
import { approvalEvent, configEvent, deliveryEvent, modelEvent, promptDigest, toolEvent } from "./room.ts";

const WHOSE = { actor: "telegram:default:7", agentId: "main", sessionKey: "agent:main:main", traceId: "r1" };
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const call = (args: unknown, more: object = {}) =>
  toolEvent(WHOSE, { name: "exec", toolCallId: "c1", args, content: [], isError: false, ...more });

describe("a call of a tool", () => {
  it("has its arguments and the digest of its result", () => {
    const content = [{ type: "text", text: "done" }];
    expect(call({ command: "ls", n: 1 }, { content })).toEqual({
      ...WHOSE,
      action: "tool",
      target: "exec",
      outcome: "ok",
      detail: {
        toolCallId: "c1",
        args: { command: "ls", n: 1 },
        resultDigest: sha256(JSON.stringify(content)),
        isError: false,
      },
    });
  });

  it.each([
    [{}, "ok"],
    [{ isError: true }, "failed"],
    [{ isError: true, decidedBy: "arguments" }, "failed"],
    [{ isError: true, decidedBy: "exists" }, "failed"],
    [{ isError: true, decidedBy: "stopped" }, "failed"],
    [{ isError: true, wasInterrupted: true }, "failed"],
    [{ isError: true, decidedBy: "configuration" }, "denied"],
    [{ isError: true, decidedBy: "approval" }, "denied"],
    [{ isError: true, decidedBy: "sandbox" }, "denied"],
    [{ isError: true, decidedBy: "loop" }, "denied"],
  ])("that ended with %j is %s", (more, outcome) => {
    expect(call({}, more)).toMatchObject({ outcome, detail: more });
  });

  const SECRETS = ["sk-proj-abcdefghijklmnop1234567890", "ghp_abcdefghijklmnopqrst0123456789abcdef", "hunter2hunter2"];
  it.each([
    [{ command: `curl -H 'Authorization: Bearer ${SECRETS[0]}' x` }],
    [{ env: { GITHUB_TOKEN: SECRETS[1] } }],
    [{ password: SECRETS[2], user: "u" }],
    [{ text: `${"x".repeat(2030)} ${SECRETS[0]} ${"y".repeat(100)}` }],
    [{ text: `${"x".repeat(2030)} ${SECRETS[1]} ${"y".repeat(100_000)}` }],
    [{ text: `${`${SECRETS[0]} `.repeat(1000)}` }],
  ])("says nothing secret (%#)", (args) => {
    const said = JSON.stringify(call(args));
    for (const secret of SECRETS) for (const part of halves(secret)) expect(said).not.toContain(part);
  });

  it("is short, whatever it was called with, and tells how long it was", () => {
    const args = { path: "a", content: "words ".repeat(100_000) };
    const { detail } = call(args);
    expect(JSON.stringify(detail).length).toBeLessThan(3000);
    const whole = JSON.stringify(args);
    expect(detail).toMatchObject({ argsChars: whole.length, argsDigest: sha256(whole) });
    expect(String(detail?.["args"])).toMatch(/^{"path":"a","content":"words words/);
  });

  it.each([undefined, null, "text", 7, []])("can be called with %j", (args) => {
    expect(call(args).detail?.["args"]).toEqual(args ?? {});
  });
});

/** Half of a secret is one, too. */
const halves = (secret: string): string[] => [secret, secret.slice(0, 12), secret.slice(-12)];

describe("a call of a model", () => {
  const usage = { ...noUsage(), input: 10, output: 5, cost: { ...noUsage().cost, total: 0.5 } };
  const attempt: ModelAttempt = { provider: "p", model: "m", profileId: "p:work", startedAt: 100, endedAt: 350, usage };

  it("has tokens, cost, and which credential was used", () => {
    expect(modelEvent(WHOSE, attempt, "d", true)).toEqual({
      ...WHOSE,
      action: "model",
      target: "p/m",
      outcome: "ok",
      detail: {
        provider: "p",
        model: "m",
        profile: "p:work",
        promptDigest: "d",
        durationMs: 250,
        tokens: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
        cost: 0.5,
      },
    });
    expect(modelEvent(WHOSE, attempt, "d", false).detail).not.toHaveProperty("cost");
  });

  it("that failed says why in a word, and not what the provider wrote", () => {
    const failure = { reason: "auth", message: "key sk-abc is wrong", retry: "never" } as const;
    const { usage: _, ...failed } = { ...attempt, failure, next: "give-up" as const };
    const event = modelEvent(WHOSE, failed, "d", true);
    expect(event).toMatchObject({ outcome: "failed", detail: { failure: "auth", next: "give-up" } });
    expect(JSON.stringify(event)).not.toContain("sk-abc");
  });
});

describe("the digest of a prompt", () => {
  const message = (text: string): AgentMessage => ({ role: "user", content: text, timestamp: 1 });
  const [one, two] = [message("one"), message("two")];
  const digest = (system: string, messages: AgentMessage[]) => promptDigest({ system, tools: [], messages });

  it("is what its description says", () => {
    const lines = [sha256("be kind"), sha256("[]"), sha256(JSON.stringify(one)), sha256(JSON.stringify(two))];
    expect(digest("be kind", [one, two])).toBe(sha256(lines.join("\n")));
  });

  it("is the same for the same words, and another for any others", () => {
    expect(digest("a", [message("one"), two])).toBe(digest("a", [one, two]));
    const others = [digest("b", [one, two]), digest("a", [two, one]), digest("a", [one]), digest("a", [one, one])];
    expect(new Set([digest("a", [one, two]), ...others]).size).toBe(5);
  });
});

it("a delivery names the chat, and what was sent by its digest only", () => {
  const item = {
    id: "r1:0",
    runId: "r1",
    channel: "telegram",
    account: "default",
    to: "42",
    payload: { text: "hello" },
  };
  const end = { state: "undeliverable", attempts: 6, error: "token=abcdef123456 was refused" } as const;
  const event = deliveryEvent(item, end, false);
  expect(event).toMatchObject({ target: "telegram:default:42", outcome: "failed", traceId: "r1" });
  expect(event.detail).toMatchObject({ contentDigest: sha256(JSON.stringify(item.payload)), attempts: 6 });
  expect(JSON.stringify(event)).not.toMatch(/hello|abcdef123456/);
});

it("a change of the configuration names the keys that guard something first", () => {
  expect(configEvent("device:1", ["ui.seamColor", "gateway.auth.token"], ["gateway.auth.token"])).toMatchObject({
    target: "gateway.auth.token and 1 more",
    detail: { changed: ["ui.seamColor", "gateway.auth.token"], security: ["gateway.auth.token"], count: 2 },
  });
  expect(configEvent("file", ["ui.seamColor"], [])).toEqual({
    action: "config",
    actor: "file",
    target: "ui.seamColor",
    outcome: "ok",
    detail: { changed: ["ui.seamColor"], count: 1 },
  });
  const many = Array.from({ length: 500 }, (_, one) => `agents.list[${one}]`);
  expect(JSON.stringify(configEvent("file", many, [])).length).toBeLessThan(3000);
});

describe("an approval", () => {
  const asked = {
    id: "a1",
    command: "curl -H 'Authorization: Bearer abcdefghijklmnop1234' https://x",
    runId: "r1",
    requester: { channel: "telegram", account: "default", id: "7" },
  };
  it.each([
    [{ kind: "asked" }, "telegram:default:7", "ok"],
    [{ kind: "answered", decision: "allow-once", actor: "device:9", by: "Ada" }, "device:9", "ok"],
    [{ kind: "answered", decision: "allow-always", actor: "device:9", by: "Ada" }, "device:9", "ok"],
    [{ kind: "answered", decision: "deny", actor: "device:9", by: "Ada" }, "device:9", "denied"],
    [{ kind: "timed-out" }, "gateway", "denied"],
    [{ kind: "withdrawn", why: "gateway stopped" }, "gateway", "denied"],
  ] as const)("that was %j", (step, actor, outcome) => {
    const event = approvalEvent(asked, step);
    expect(event).toMatchObject({
      action: "approval",
      actor,
      outcome,
      traceId: "r1",
      detail: { id: "a1", step: step.kind },
    });
    expect(JSON.stringify(event)).not.toContain("abcdefghijklmnop1234");
  });
});
