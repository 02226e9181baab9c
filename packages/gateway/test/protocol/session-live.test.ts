// Sessions that are opened, talked in, stopped and followed by their keys, as clients of OpenClaw do.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { EventFrame, Json, WireClient } from "../support/wire-client.ts";

let gateway: TestGateway;
let client: WireClient;
beforeAll(async () => {
  gateway = await startTestGateway();
  client = await gateway.connect();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const fresh = (): string => `agent:main:${randomUUID()}`;

async function follower(scopes: readonly string[] = ["operator.read"]): Promise<WireClient> {
  const one = await gateway.connect({ scopes });
  expect(await one.call("sessions.subscribe")).toEqual({ subscribed: true });
  return one;
}

/** What was told of a session, in order. */
function told(by: WireClient, key: string): string[] {
  return by.events.flatMap(({ event, payload }) => {
    if (payload?.sessionKey !== key) return [];
    if (event === "sessions.changed") return [payload.reason ?? `phase ${payload.phase}`];
    if (event === "session.message") return [`${payload.message.role} ${payload.messageSeq}`];
    return event === "session.tool" ? [`tool ${payload.data.phase}`] : [];
  });
}

const isOfTool = (one: string): boolean => one.startsWith("tool ");

function changed(by: WireClient, key: string, match: Json): Promise<EventFrame> {
  const fits = (payload: Json): boolean => Object.entries(match).every(([name, value]) => payload[name] === value);
  return by.untilEvent("sessions.changed", ({ payload }) => payload.sessionKey === key && fits(payload));
}

describe("sessions.create", () => {
  test("opens a session under a key of its own, or finds the one that is there", async () => {
    const made = await client.call("sessions.create", {});
    expect(made).toMatchObject({
      ok: true,
      key: expect.stringMatching(/^agent:main:dashboard:[0-9a-f-]{36}$/),
      sessionId: made.entry.sessionId,
      runStarted: false,
    });
    const label = randomUUID();
    const key = fresh();
    const first = await client.call("sessions.create", { key, label });
    const again = await client.call("sessions.create", { key });
    expect(again).toMatchObject({ key, sessionId: first.sessionId, entry: { label } });
    const child = await client.call("sessions.create", { parentSessionKey: key });
    expect(child.entry.parentSessionKey).toBe(key);
    const { sessions } = await client.call("sessions.list", { label });
    expect(sessions).toMatchObject([{ key, label, displayName: label, modelProvider: "scripted", model: "test" }]);
    const taken = await client.request("sessions.create", { label });
    expect(taken.error).toEqual({ code: "INVALID_REQUEST", message: `label already in use: ${label}` });
  });

  test("says its first message, and tells when that was refused", async () => {
    gateway.model.script(say("at your service"));
    const key = fresh();
    const made = await client.call("sessions.create", { key, message: "are you there" });
    expect(made).toMatchObject({ runStarted: true, status: "started", messageSeq: expect.any(Number) });
    expect((await client.chatEnd(made.runId)).payload.message.content[0].text).toBe("at your service");
    await client.call("sessions.patch", { key, sendPolicy: "deny" });
    const refused = await client.call("sessions.create", { key, task: "and again" });
    const runError = { code: "INVALID_REQUEST", message: "send blocked by session policy" };
    expect(refused).toMatchObject({ ok: true, key, runStarted: false, runError });
  });

  test.for([
    [{ agentId: "other", key: "agent:main:x" }, "sessions.create key agent (main) does not match agentId (other)"],
    [{ agentId: "nobody" }, 'unknown agent id "nobody" (known: main)'],
    [{ key: "agent:nobody:x" }, 'unknown agent id "nobody" (known: main)'],
    [{ parentSessionKey: "agent:main:nobody" }, "unknown parent session: agent:main:nobody"],
    [{ key: "agent:main:../x" }, 'malformed session key "agent:main:../x"'],
    [{ surprise: 1 }, "invalid sessions.create params: at root: unexpected property 'surprise'"],
  ] as const)("%j is refused", async ([params, message]) => {
    expect((await client.request("sessions.create", params)).error).toEqual({ code: "INVALID_REQUEST", message });
  });
});

describe("sessions.send, steer, abort and get", () => {
  test("a message is said in a session that exists, once for its key", async () => {
    const key = fresh();
    const missing = await client.request("sessions.send", { key, message: "hello" });
    expect(missing.error).toEqual({ code: "INVALID_REQUEST", message: `session not found: ${key}` });
    await client.call("sessions.create", { key });
    const idempotencyKey = randomUUID();
    const params = { key, message: "hello", idempotencyKey };
    const sent = await client.call("sessions.send", params);
    expect(sent).toEqual({ runId: idempotencyKey, status: "started", messageSeq: expect.any(Number) });
    await client.chatEnd(idempotencyKey);
    expect(await client.call("sessions.send", params)).toEqual({ runId: idempotencyKey, status: "ok" });
    const { messages } = await client.call("sessions.get", { key });
    expect(messages).toEqual((await client.call("chat.history", { sessionKey: key })).messages);
    expect(messages).toMatchObject([
      { role: "user" },
      { role: "assistant", usage: { totalTokens: expect.any(Number) } },
    ]);
    expect((await client.call("sessions.get", { sessionKey: key, limit: 1 })).messages).toEqual(messages.slice(-1));
    expect(await client.call("sessions.get", { key: fresh() })).toEqual({ messages: [] });
    expect((await client.request("sessions.get", {})).error?.message).toBe("key required");
    const empty = await client.request("sessions.send", { key, message: " " });
    expect(empty.error?.message).toBe("message or attachment required");
  });

  test("what is being answered is stopped, or gives way", async () => {
    const key = fresh();
    await client.call("sessions.create", { key });
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "too late"), say("instead"));
    const { runId } = await client.call("sessions.send", { key, message: "slowly" });
    await gate.reached;
    const none = { ok: true, abortedRunId: null, status: "no-active-run" };
    expect(await client.call("sessions.abort", { key, runId: "another" })).toEqual(none);
    const steered = await client.call("sessions.steer", { key, message: "rather this" });
    expect(steered).toMatchObject({ status: "started", interruptedActiveRun: true });
    expect((await client.chatEnd(runId)).payload.state).toBe("aborted");
    expect((await client.chatEnd(steered.runId)).payload.message.content[0].text).toBe("instead");
    const second = gateway.gate();
    gateway.model.script(second.step("", "too late"));
    const { runId: last } = await client.call("sessions.send", { key, message: "slowly" });
    await second.reached;
    const stopped = { ok: true, abortedRunId: last, status: "aborted" };
    expect(await client.call("sessions.abort", { key })).toEqual(stopped);
    await client.chatEnd(last);
    expect(await client.call("sessions.abort", { key })).toEqual(none);
  });
});

describe("who follows sessions", () => {
  test("is told of a turn from its beginning to its end, each message once", async () => {
    const by = await follower();
    const key = fresh();
    await client.call("sessions.create", { key, label: `l-${key.slice(-8)}` });
    gateway.model.script(callTool("session_status", {}), say("that is all"));
    const { runId } = await client.call("sessions.send", { key, message: "look" });
    const end = await changed(by, key, { phase: "end" });
    // What a tool does is told at once; what is said, when it is written down.
    const [tools, rest] = [told(by, key).filter(isOfTool), told(by, key).filter((one) => !isOfTool(one))];
    expect(tools).toEqual(["tool start", "tool result"]);
    const said = (role: string) => [expect.stringMatching(new RegExp(String.raw`^${role} \d+$`)), "phase message"];
    const messages = [said("user"), said("assistant"), said("toolResult"), said("assistant")].flat();
    expect(rest).toEqual(["create", "send", "phase start", ...messages, "phase end"]);
    expect(end.payload).toMatchObject({ runId, status: "done", runtimeMs: expect.any(Number), model: "test" });
    expect(end.payload.session).toMatchObject({ key, status: "done", label: end.payload.label });
    const start = await changed(by, key, { phase: "start" });
    expect(start.payload).toMatchObject({ runId, status: "running", session: { status: "running" } });
    const history = await client.call("chat.history", { sessionKey: key });
    const heard = by.eventsOf("session.message").filter(({ payload }) => payload.sessionKey === key);
    expect(heard.map(({ payload }) => payload.message)).toEqual(history.messages);
    for (const { payload } of heard) {
      expect([payload.messageId, payload.messageSeq]).toEqual([
        payload.message.__openclaw.id,
        payload.message.__openclaw.seq,
      ]);
    }
    const row = (await client.call("sessions.list", { label: end.payload.label })).sessions[0];
    expect(row).toMatchObject({ status: "done", startedAt: expect.any(Number), endedAt: expect.any(Number) });
    expect(row).toMatchObject({ runtimeMs: row.endedAt - row.startedAt, estimatedCostUsd: 0 });
  });

  test("is told of a turn that failed", async () => {
    const by = await follower();
    const key = fresh();
    gateway.model.script([{ kind: "failure", failure: { reason: "auth", message: "no", retry: "never" } }]);
    await client.agent("hello", { sessionKey: key });
    const { payload } = await changed(by, key, { phase: "error" });
    expect(told(by, key).slice(0, 2)).toEqual(["create", "send"]);
    expect(payload).toMatchObject({ status: "failed", session: { status: "failed" } });
  });

  test("is told what is done to sessions", async () => {
    const by = await follower();
    const key = fresh();
    await client.call("sessions.create", { key });
    await client.agent("one", { sessionKey: key });
    await client.agent("two", { sessionKey: key });
    await client.call("sessions.patch", { key, label: key.slice(-20) });
    await client.call("sessions.compact", { key, maxLines: 1 });
    await client.call("sessions.reset", { key });
    await client.call("sessions.reset", { key, reason: "new" });
    await client.call("sessions.delete", { key });
    const last = await changed(by, key, { reason: "delete" });
    const reasons = told(by, key).filter((one) => !/phase|user|assistant/.test(one));
    expect(reasons).toEqual(["create", "send", "send", "patch", "compact", "reset", "new", "delete"]);
    expect(last.payload).toEqual({ sessionKey: key, reason: "delete", ts: expect.any(Number) });
    const patched = await changed(by, key, { reason: "patch" });
    expect(patched.payload).toMatchObject({ label: key.slice(-20), displayName: key.slice(-20), kind: "direct" });
  });

  test("in one session hears what is said there, and nothing else", async () => {
    const [mine, other] = [fresh(), fresh()];
    const by = await gateway.connect({ scopes: ["operator.read"] });
    expect(await by.call("sessions.messages.subscribe", { key: mine })).toEqual({ subscribed: true, key: mine });
    await client.agent("not for you", { sessionKey: other });
    await client.agent("for you", { sessionKey: mine });
    await by.untilEvent("session.message", ({ payload }) => payload.message.role === "assistant");
    expect(told(by, mine)).toEqual([expect.stringMatching(/^user/), expect.stringMatching(/^assistant/)]);
    expect(told(by, other)).toEqual([]);
    expect(await by.call("sessions.messages.unsubscribe", { key: mine })).toEqual({ subscribed: false, key: mine });
    const heard = by.eventsOf("session.message").length;
    const witness = await follower();
    await client.agent("not any more", { sessionKey: mine });
    await changed(witness, mine, { phase: "end" });
    await by.call("status");
    expect(by.eventsOf("session.message")).toHaveLength(heard);
  });

  test("stops hearing when they say so", async () => {
    const by = await follower();
    expect(await by.call("sessions.unsubscribe")).toEqual({ subscribed: false });
    const witness = await follower();
    const key = fresh();
    await client.agent("hello", { sessionKey: key });
    await changed(witness, key, { phase: "end" });
    await by.call("status");
    expect(told(by, key)).toEqual([]);
  });

  test("may read conversations; others are refused and hear nothing", async () => {
    const witness = await follower();
    for (const scopes of [["operator.approvals"], ["operator.pairing"], []]) {
      const by = await gateway.connect({ scopes });
      for (const [method, params] of [
        ["sessions.subscribe", {}],
        ["sessions.messages.subscribe", { key: "main" }],
      ] as const) {
        expect((await by.request(method, params)).error?.message).toBe("missing scope: operator.read");
      }
      const key = fresh();
      await client.agent("a secret", { sessionKey: key });
      await changed(witness, key, { phase: "end" });
      await by.call("health");
      expect(JSON.stringify(by.frames)).not.toContain("a secret");
    }
  });

  test("a command is answered without a turn", async () => {
    const by = await follower();
    const key = fresh();
    await client.call("sessions.create", { key });
    const { payload } = await client.chat("/help", { sessionKey: key });
    const model = { provider: "openclaw", model: "gateway-injected", stopReason: "stop" };
    expect(payload.message).toMatchObject({ ...model, usage: { totalTokens: 0 } });
    expect(client.eventsOf("agent", payload.runId)).toEqual([]);
    await by.untilEvent("session.message", (one) => one.payload.sessionKey === key);
    await by.call("status");
    expect(told(by, key)).not.toContain("phase end");
  });
});
