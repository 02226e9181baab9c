// A chat window: messages out, events in, stop, history.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { finish, say } from "@chela/sdk/testing";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { SMALL_PNG } from "../support/durability/small-files.ts";
import type { WireClient } from "../support/wire-client.ts";

describe("chat", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway();
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const freshKey = () => `agent:main:chat-${randomUUID()}`;
  const start = async (sessionKey: string, message: string): Promise<string> => {
    const runId = randomUUID();
    const started = await client.call("chat.send", { sessionKey, message, idempotencyKey: runId });
    expect(started).toEqual({ runId, status: "started" });
    return runId;
  };

  test("a message is started at once, and its events come in order", async () => {
    gateway.model.script(say("good day"));
    const sessionKey = freshKey();
    const runId = await start(sessionKey, "hello");
    const final = await client.chatEnd(runId);
    const events = client.events.filter((one) => one.payload?.runId === runId);
    const message = { role: "assistant", content: [{ type: "text", text: "good day" }], timestamp: expect.any(Number) };
    const common = { runId, sessionKey, ts: expect.any(Number) };
    expect(events.map(({ event, payload }) => [event, payload])).toEqual([
      ["agent", { ...common, seq: 1, stream: "lifecycle", data: { phase: "start", startedAt: expect.any(Number) } }],
      ["agent", { ...common, seq: 2, stream: "assistant", data: { text: "good day", delta: "good day" } }],
      ["chat", { runId, sessionKey, seq: 2, state: "delta", message }],
      [
        "agent",
        {
          ...common,
          seq: 3,
          stream: "lifecycle",
          data: {
            phase: "end",
            startedAt: expect.any(Number),
            endedAt: expect.any(Number),
          },
        },
      ],
      ["chat", { runId, sessionKey, seq: 3, state: "final", message }],
    ]);
    expect(events.at(-1)).toBe(final);
  });

  test("text grows from event to event", async () => {
    const parts = ["one ", "two ", "three"];
    gateway.model.script([...parts.map((delta) => ({ kind: "text" as const, delta })), finish()]);
    const runId = await start(freshKey(), "count");
    await client.chatEnd(runId);
    const told = client.eventsOf("agent", runId).filter(({ payload }) => payload.stream === "assistant");
    expect(told.map(({ payload }) => payload.data.delta).join("")).toBe("one two three");
    expect(told.at(-1)?.payload.data.text).toBe("one two three");
  });

  test("every client hears every chat, under the same canonical key", async () => {
    const other = await gateway.connect();
    const runId = randomUUID();
    await client.call("chat.send", { sessionKey: "MAIN", message: "hello", idempotencyKey: runId });
    const { payload } = await other.chatEnd(runId);
    expect(payload.sessionKey).toBe("agent:main:main");
  });

  test.for([
    ["chat.abort of the session", "rpc", (key: string) => ["chat.abort", { sessionKey: key }] as const],
    [
      "chat.abort of the run",
      "rpc",
      (key: string, runId: string) => ["chat.abort", { sessionKey: key, runId }] as const,
    ],
    ...["/stop", "stop", "Please stop!", "STOP."].map(
      (word) =>
        [
          `the word "${word}"`,
          "stop",
          (key: string) => ["chat.send", { sessionKey: key, message: word, idempotencyKey: randomUUID() }] as const,
        ] as const,
    ),
  ] as const)("%s stops the answer and keeps what was said", async ([, stopReason, request]) => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("half of the", " answer"));
    const sessionKey = freshKey();
    const runId = await start(sessionKey, "tell me all");
    await gate.reached;
    const [method, params] = request(sessionKey, runId);
    expect(await client.call(method, params)).toEqual({ ok: true, aborted: true, runIds: [runId] });
    const end = await client.chatEnd(runId);
    expect(end.payload).toMatchObject({ state: "aborted", stopReason });
    expect(end.payload.message.content).toEqual([{ type: "text", text: "half of the" }]);
    const life = client.eventsOf("agent", runId).filter(({ payload }) => payload.stream === "lifecycle");
    expect(life.at(-1)?.payload.data).toMatchObject({ phase: "end", aborted: true });
    const { messages } = await client.call("chat.history", { sessionKey });
    const origin = stopReason === "stop" ? "stop-command" : "rpc";
    expect(messages.at(-1)).toMatchObject({
      role: "assistant",
      stopReason: "aborted",
      content: [{ type: "text", text: "half of the" }],
      openclawAbort: { aborted: true, origin, runId },
    });
    gateway.model.script(say("as before"));
    expect((await client.chat("go on", { sessionKey })).payload.state).toBe("final");
  });

  test("stopping drops what waits behind the answer, too", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("a", "b"));
    const sessionKey = freshKey();
    const first = await start(sessionKey, "one");
    await gate.reached;
    const second = await start(sessionKey, "two");
    const asked = gateway.model.requests.length;
    const stopped = await client.call("chat.abort", { sessionKey });
    expect(stopped).toEqual({ ok: true, aborted: true, runIds: [first, second] });
    for (const runId of [first, second]) expect((await client.chatEnd(runId)).payload.state).toBe("aborted");
    expect(gateway.model.requests).toHaveLength(asked);
  });

  test("there may be nothing to stop", async () => {
    const sessionKey = freshKey();
    const nothing = { ok: true, aborted: false, runIds: [] };
    expect(await client.call("chat.abort", { sessionKey })).toEqual(nothing);
    const word = { sessionKey, message: "stop", idempotencyKey: randomUUID() };
    expect(await client.call("chat.send", word)).toEqual(nothing);
  });

  test("a run is only stopped in its own session", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "unharmed"));
    const runId = await start(freshKey(), "hello");
    await gate.reached;
    const { error } = await client.request("chat.abort", { sessionKey: freshKey(), runId });
    expect(error).toEqual({ code: "INVALID_REQUEST", message: "runId does not match sessionKey" });
    gate.open();
    expect((await client.chatEnd(runId)).payload.state).toBe("final");
  });

  test("the same key again is told how far it is", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "late"));
    const params = { sessionKey: freshKey(), message: "hello", idempotencyKey: randomUUID() };
    await client.call("chat.send", params);
    await gate.reached;
    expect(await client.call("chat.send", params)).toEqual({ runId: params.idempotencyKey, status: "in_flight" });
    gate.open();
    await client.chatEnd(params.idempotencyKey);
    expect(await client.call("chat.send", params)).toEqual({ runId: params.idempotencyKey, status: "ok" });
  });

  test.for([
    [{ message: "" }, "message or attachment required"],
    [{ message: " \n " }, "message or attachment required"],
    [{ message: "a\0b" }, "message must not contain null bytes"],
    [{ sessionKey: "../x" }, 'malformed session key "../x"'],
    [
      { systemInputProvenance: { kind: "internal_system" } },
      "system provenance fields are reserved for the ACP bridge",
    ],
    [{ systemProvenanceReceipt: "r" }, "system provenance fields are reserved for the ACP bridge"],
    [
      { sessionKey: "x".repeat(513) },
      "invalid chat.send params: at /sessionKey: must NOT have more than 512 characters",
    ],
  ] as const)("%j is refused", async ([extra, message]) => {
    const params = { sessionKey: "main", message: "hello", idempotencyKey: randomUUID(), ...extra };
    expect((await client.request("chat.send", params)).error).toEqual({ code: "INVALID_REQUEST", message });
  });

  test("the bridge to editors hears of a session under the name it gave, others under its own", async () => {
    const other = await gateway.connect();
    const name = `acp:${randomUUID()}`;
    const end = await client.chat("hello", { sessionKey: name });
    const { runId } = end.payload;
    expect(end.payload).toMatchObject({ state: "final", sessionKey: name });
    expect((await other.chatEnd(runId)).payload.sessionKey).toBe(`agent:main:${name}`);
    const named = client.eventsOf("chat", runId).map(({ payload }) => payload.sessionKey);
    expect(new Set(named)).toEqual(new Set([name]));
  });

  test("text is cleaned of what only confuses, in one spelling of each letter", async () => {
    await client.chat("cafe\u0301\u0007 \u001b[31mred\ttab\nline", { sessionKey: freshKey() });
    const said = JSON.stringify(gateway.model.requests.at(-1)?.messages.at(-1));
    expect(said).toContain("café [31mred\\ttab\\nline");
  });

  test("chat.inject puts words into the assistant's mouth", async () => {
    const sessionKey = freshKey();
    const params = { sessionKey, message: "The build is done.", label: "ci" };
    expect((await client.request("chat.inject", params)).error?.message).toBe("session not found");
    await client.chat("hello", { sessionKey });
    const { messageId } = await client.call("chat.inject", params);
    const text = "[ci]\n\nThe build is done.";
    const event = await client.untilEvent("chat", ({ payload }) => payload.runId === `inject-${messageId}`);
    expect(event.payload).toMatchObject({ sessionKey, seq: 0, state: "final", message: { content: [{ text }] } });
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: [{ type: "text", text }], stopReason: "stop" });
    await client.chat("and now?", { sessionKey });
    expect(JSON.stringify(gateway.model.requests.at(-1)?.messages)).toContain("The build is done.");
  });

  test("history shows the last messages, without what is not for a window", async () => {
    const sessionKey = freshKey();
    expect(await client.call("chat.history", { sessionKey })).toMatchObject({ sessionKey, messages: [] });
    gateway.model.script([
      { kind: "thinking", delta: "hm" },
      { kind: "thinking-end", signature: "private-signature" },
      ...say("x".repeat(13_000)),
    ]);
    const attachments = [{ type: "image", mimeType: "image/png", content: SMALL_PNG }];
    await client.chat("look", { sessionKey, attachments });
    await client.chat("bye", { sessionKey });
    const { messages, sessionId } = await client.call("chat.history", { sessionKey });
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(messages.map((one: { role: string }) => one.role)).toEqual(["user", "assistant", "user", "assistant"]);
    const [user, assistant] = messages;
    expect(user.content).toEqual([
      { type: "text", text: "look" },
      { type: "image", mimeType: "image/png", omitted: true, bytes: 72, mediaId: user.content[2].id },
      { type: "media", id: expect.any(String), fileName: "file.png", mimeType: "image/png", bytes: 70 },
    ]);
    expect(assistant.content[0]).toEqual({ type: "thinking", thinking: "hm" });
    expect(assistant.content[1].text).toBe(`${"x".repeat(12_000)}\n...(truncated)...`);
    const counted = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } };
    expect(assistant.usage).toEqual(counted);
    expect(user.senderLabel).toBe("cli");
    const places = messages.map((one: { __openclaw: { seq: number } }) => one.__openclaw.seq);
    expect(places).toEqual(places.toSorted((a: number, b: number) => a - b));
    expect(new Set(places).size).toBe(4);
    expect(JSON.stringify(messages)).not.toContain("private-signature");
    const last = await client.call("chat.history", { sessionKey, limit: 1 });
    expect(last.messages).toEqual(messages.slice(-1));
  });

  test("history leaves out a message that is too large for a window, and says so", async () => {
    const sessionKey = freshKey();
    const call = {
      kind: "tool-call",
      id: "c1",
      name: "session_status",
      arguments: { x: "y".repeat(140_000) },
    } as const;
    gateway.model.script([call, { ...finish(), stopReason: "toolUse" } as never], say("done"));
    await client.chat("call", { sessionKey });
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages[1]).toMatchObject({
      role: "assistant",
      content: [{ type: "text", text: "[chat.history omitted: message too large]" }],
      __openclaw: { truncated: true, reason: "oversized" },
    });
  });

  test("history as a whole stays below six mebibytes, the newest kept", async () => {
    const sessionKey = freshKey();
    const block = (at: number) => [
      { kind: "thinking", delta: "." } as const,
      { kind: "text", delta: `${at} ${"z".repeat(11_900)}` } as const,
    ];
    for (let at = 0; at < 55; at++) {
      gateway.model.script([...Array.from({ length: 10 }, () => block(at)).flat(), finish()]);
      await client.chat("more", { sessionKey });
    }
    const { messages } = await client.call("chat.history", { sessionKey, limit: 1000 });
    expect(JSON.stringify(messages).length).toBeLessThan(6 * 1024 * 1024 + 1000);
    expect(messages.length).toBeLessThan(110);
    expect(messages.length).toBeGreaterThan(90);
    expect(messages.at(-1).content[1].text.slice(0, 3)).toBe("54 ");
  });

  test("what is injected by many at once stays in one conversation", async () => {
    const sessionKey = freshKey();
    await client.chat("begin", { sessionKey });
    await Promise.all(
      Array.from({ length: 8 }, (_, at) => client.call("chat.inject", { sessionKey, message: `note ${at}.` })),
    );
    const { sessionId } = await client.call("chat.history", { sessionKey });
    const path = join(gateway.stateDir, "agents", "main", "sessions", `${sessionId}.jsonl`);
    const lines = await eventually("the mirror to follow", () => {
      const all = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
      return all.filter((line) => line.includes("note ")).length === 8 ? all : undefined;
    });
    const entries = lines.slice(1).map((line) => JSON.parse(line) as { id: string; parentId: string | null });
    expect(entries.map(({ parentId }) => parentId)).toEqual([null, ...entries.slice(0, -1).map(({ id }) => id)]);
  });
});
