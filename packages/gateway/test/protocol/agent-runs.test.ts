// The method `agent`: accepted once it is safe, answered once, whoever asks again.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { say } from "@chela/sdk/testing";
import { createStateDirectory, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { SMALL_PNG } from "../support/durability/small-files.ts";
import type { WireClient } from "../support/wire-client.ts";

const named = ({ id }: { id: string }) => ({ id, name: id, reasoning: true });

describe("agent", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway({
      config: {
        agents: { list: [{ id: "main" }, { id: "work" }] },
        models: { providers: { scripted: { models: [{ id: "test" }, { id: "other" }].map(named) } } },
      },
    });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test("answers twice: accepted, then the reply with what it cost", async () => {
    gateway.model.script(say("good day"));
    const key = randomUUID();
    const params = { message: "hello", sessionKey: "agent:main:twice", idempotencyKey: key };
    const final = await client.request("agent", params, "a1");
    const [accepted, second] = client.responsesTo("a1");
    expect(accepted?.payload).toEqual({ runId: key, status: "accepted", acceptedAt: expect.any(Number) });
    expect(second).toBe(final);
    expect(final.payload).toMatchObject({
      runId: key,
      status: "ok",
      summary: "completed",
      result: {
        payloads: [{ text: "good day", mediaUrl: null }],
        meta: {
          durationMs: expect.any(Number),
          aborted: false,
          stopReason: "stop",
          agentMeta: { provider: "scripted", model: "test", sessionId: expect.any(String) },
        },
      },
    });
  });

  test.each([
    [{ deliver: true }, "delivery channel is required: no channel is configured to deliver to"],
    [{ channel: "pigeons" }, "invalid agent params: unknown channel: pigeons"],
    [
      { channel: "telegram", deliver: true, to: "7" },
      "delivery channel is required: no channel is configured to deliver to",
    ],
  ])("does not swallow a wish to deliver: %j", async (wish, message) => {
    const params = { message: "hello", idempotencyKey: randomUUID(), ...wish };
    expect(await client.request("agent", params)).toMatchObject({
      ok: false,
      error: { code: "INVALID_REQUEST", message },
    });
  });

  test("a key that is used again while the first is under way joins it", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "only once"));
    const asked = gateway.model.requests.length;
    const params = { message: "slowly", sessionKey: "agent:main:joined", idempotencyKey: randomUUID() };
    const first = client.request("agent", params);
    await gate.reached;
    const second = client.request("agent", params, "j2");
    await client.until("the second to be accepted", () => client.responsesTo("j2")[0]);
    gate.open();
    expect((await second).payload).toEqual((await first).payload);
    expect(gateway.model.requests).toHaveLength(asked + 1);
  });

  test("a key that is used again afterwards gets the same answer, without another run", async () => {
    const params = { message: "hello", sessionKey: "agent:main:cached", idempotencyKey: randomUUID() };
    const first = await client.call("agent", params);
    const asked = gateway.model.requests.length;
    const other = await gateway.connect();
    expect(await other.call("agent", params)).toEqual(first);
    const sent = { sessionKey: params.sessionKey, message: "hello", idempotencyKey: params.idempotencyKey };
    expect(await other.call("chat.send", sent)).toEqual({ runId: params.idempotencyKey, status: "ok" });
    expect(gateway.model.requests).toHaveLength(asked);
  });

  test("a command that is sent again with its key is not carried out again", async () => {
    const params = { message: "/new hello", sessionKey: "agent:main:anew", idempotencyKey: randomUUID() };
    const first = await client.call("agent", params);
    const before = await client.call("chat.history", { sessionKey: params.sessionKey });
    expect(await client.call("agent", params)).toEqual(first);
    expect(await client.call("chat.history", { sessionKey: params.sessionKey })).toEqual(before);
  });

  test("ten that use one key at the same instant are one run", async () => {
    const asked = gateway.model.requests.length;
    const params = { message: "all together", sessionKey: "agent:main:race", idempotencyKey: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.call("agent", params)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(gateway.model.requests).toHaveLength(asked + 1);
  });

  test.for([
    [{ sessionKey: "agent:nobody:main" }, 'invalid agent params: unknown agent id "nobody" (known: main, work)'],
    [{ agentId: "nobody" }, 'invalid agent params: unknown agent id "nobody" (known: main, work)'],
    [{ sessionKey: "agent:main:../../etc" }, 'invalid agent params: malformed session key "agent:main:../../etc"'],
    [{ sessionKey: "agent::x" }, 'invalid agent params: malformed session key "agent::x"'],
    [
      { agentId: "work", sessionKey: "agent:main:x" },
      'invalid agent params: agent "work" does not match session key agent "main"',
    ],
    [{ message: "" }, "invalid agent params: at /message: must NOT have fewer than 1 characters"],
    [{ timeout: -1 }, "invalid agent params: at /timeout: must be >= 0"],
    [{ attachments: [{ content: "!" }] }, "attachment 1: content is not base64"],
    [{ attachments: [{ fileName: "a.pdf", content: { of: "it" } }] }, "a.pdf: content must be base64 or a data URL"],
    [{ attachments: [{ content: "data:text/plain," }] }, "attachment 1: content is not base64"],
  ] as const)("%j is refused", async ([extra, message]) => {
    const params = { message: "hello", idempotencyKey: randomUUID(), ...extra };
    expect((await client.request("agent", params)).error).toEqual({ code: "INVALID_REQUEST", message });
  });

  test("images reach the model", async () => {
    const content = SMALL_PNG;
    await client.agent("look", { attachments: [{ type: "image", mimeType: "image/png", content }] });
    expect(gateway.model.requests.at(-1)?.messages.at(-1)?.content).toContainEqual({
      type: "image",
      data: content,
      mimeType: "image/png",
      mediaId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("each agent has a main session of its own, and a session id finds its session", async () => {
    await client.agent("for work", { agentId: "work" });
    const { sessions } = await client.call("sessions.list", { agentId: "work" });
    expect(sessions).toMatchObject([{ key: "agent:work:main" }]);
    await client.agent("again", { sessionId: sessions[0].sessionId });
    expect(JSON.stringify(gateway.model.requests.at(-1)?.messages)).toContain("for work");
  });

  test("a session id nobody knows names a new session, which gets that id", async () => {
    const sessionId = randomUUID();
    const first = await client.call("agent", { message: "hello", sessionId, idempotencyKey: randomUUID() });
    expect(first.result.meta.agentMeta.sessionId).toBe(sessionId);
    const again = await client.call("agent", { message: "and so on", sessionId, idempotencyKey: randomUUID() });
    expect(again.result.meta.agentMeta.sessionId).toBe(sessionId);
    expect(JSON.stringify(gateway.model.requests.at(-1)?.messages)).toContain("hello");
  });

  test("the level of thinking that is asked for stays with the session", async () => {
    const sessionKey = "agent:main:thoughtful";
    await client.agent("hello", { sessionKey, thinking: "high" });
    const thinkingLevel = "high";
    expect(await client.call("chat.history", { sessionKey })).toMatchObject({ thinkingLevel });
    await client.chat("this once", { sessionKey, thinking: "low" });
    expect(await client.call("chat.history", { sessionKey })).toMatchObject({ thinkingLevel });
  });

  test("a channel that is only named need not be set up, and words may come from another session", async () => {
    const inputProvenance = { kind: "inter_session", originSessionId: "s", sourceChannel: "telegram" };
    expect(await client.agent("hello", { channel: "telegram", inputProvenance })).toContain("hello");
  });

  test("an administrator chooses the model of one turn, nobody else does", async () => {
    const sessionKey = "agent:main:chosen";
    expect(await client.agent("hello", { sessionKey, provider: "scripted", model: "other" })).toContain("hello");
    expect(gateway.model.requests.at(-1)?.model.id).toBe("other");
    await client.agent("and now", { sessionKey });
    expect(gateway.model.requests.at(-1)?.model.id).toBe("test");
    const asked = gateway.model.requests.length;
    const params = { message: "hello", sessionKey, model: "scripted/other" };
    const writer = await gateway.connect({ scopes: ["operator.write"] });
    const refused = await writer.request("agent", { ...params, idempotencyKey: randomUUID() });
    expect(refused.error?.message).toBe("provider/model overrides are not authorized for this caller.");
    const unknown = { ...params, model: "nobody/nothing", idempotencyKey: randomUUID() };
    expect((await client.request("agent", unknown)).error?.code).toBe("INVALID_REQUEST");
    expect(gateway.model.requests).toHaveLength(asked);
  });

  test("agent.wait waits for the end of a run, or says that it took too long", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "done"));
    const runId = randomUUID();
    await client.call("chat.send", { sessionKey: "agent:main:wait", message: "slowly", idempotencyKey: runId });
    await gate.reached;
    expect(await client.call("agent.wait", { runId, timeoutMs: 1 })).toEqual({ runId, status: "timeout" });
    const waiting = client.call("agent.wait", { runId });
    gate.open();
    const times = { startedAt: expect.any(Number), endedAt: expect.any(Number) };
    expect(await waiting).toEqual({ runId, status: "ok", ...times });
    expect(await client.call("agent.wait", { runId })).toEqual({ runId, status: "ok", ...times });
    expect(await client.call("agent.wait", { runId: "nobody", timeoutMs: 1 })).toMatchObject({ status: "timeout" });
  });

  test("a session may be closed to messages", async () => {
    await client.call("sessions.patch", { key: "agent:main:shut", sendPolicy: "deny" });
    const message = "send blocked by session policy";
    for (const method of ["agent", "chat.send"]) {
      const params = { message: "hello", sessionKey: "agent:main:shut", idempotencyKey: randomUUID() };
      expect((await client.request(method, params)).error).toEqual({ code: "INVALID_REQUEST", message });
    }
  });
});

test("a key that was answered before a restart gets the same answer after it", async () => {
  using state = createStateDirectory();
  const params = { message: "hello", idempotencyKey: randomUUID() };
  const chat = { message: "hello", sessionKey: "main", idempotencyKey: randomUUID() };
  let answer: unknown;
  {
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    answer = await client.call("agent", params);
    await client.chat(chat.message, chat);
  }
  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect();
  expect(await client.call("agent", params)).toEqual(answer);
  expect(await client.call("chat.send", chat)).toEqual({ runId: chat.idempotencyKey, status: "ok" });
  expect(gateway.model.requests).toEqual([]);
});

test("a turn that failed was carried out: it is answered as one, with the same words for everybody who asks with its key", async () => {
  await using gateway = await startTestGateway();
  const failure = { reason: "auth", message: "401 wrong key", retry: "never" } as const;
  gateway.model.script([{ kind: "failure", failure }]);
  const client = await gateway.connect();
  const params = { message: "hello", idempotencyKey: randomUUID() };
  const first = await client.call("agent", params);
  const { error } = await client.call("agent.wait", { runId: params.idempotencyKey });
  expect(error).toContain("401 wrong key");
  expect(first).toMatchObject({
    runId: params.idempotencyKey,
    status: "ok",
    summary: "completed",
    result: {
      payloads: [{ text: error, mediaUrl: null, isError: true }],
      meta: { aborted: false, stopReason: "error" },
    },
  });
  expect(await client.call("agent", params)).toEqual(first);
  const { idempotencyKey } = params;
  const sent = await client.call("chat.send", { sessionKey: "main", message: "hello", idempotencyKey });
  expect(sent).toEqual({ runId: idempotencyKey, status: "ok" });
  expect(gateway.model.requests).toHaveLength(1);
});
