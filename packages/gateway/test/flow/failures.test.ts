// When a model fails: one clear sentence for the person who asked, and a session that works afterwards.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelEvent, ModelFailure, ModelProvider } from "@chela/sdk";
import { callTool, finish, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

/** With how often the model is asked before the person is told: waiting helps against some failures only. */
const WORDS: ReadonlyArray<readonly [ModelFailure["reason"], RegExp, times?: number]> = [
  ["auth", /^The model provider refused the credential: what it said/],
  ["billing", /^The account at the model provider has no credit left: what it said/],
  ["rate-limit", /^The model provider asks for a pause: what it said/],
  ["overloaded", /^The model provider is overloaded: what it said/, 3],
  ["server-error", /^Something went wrong at the model provider: what it said/, 3],
  ["endless", /^The model did not come to an end: what it said/],
  ["context-overflow", /^The conversation no longer fits into the model's context window: what it said/],
  ["refused", /^The model declined to answer: what it said/],
  ["bad-request", /^The model provider rejected the request: what it said/],
  ["not-found", /^There is no model of that name: what it said/],
  ["network", /^The model provider cannot be reached: what it said/, 3],
  ["timeout", /^The model did not answer in time: what it said/, 3],
  ["malformed", /^The model provider sent something that cannot be understood: what it said/, 3],
  ["unknown", /^The turn failed: what it said/],
];

const broken: ModelProvider = {
  id: "broken",
  stream({ messages }) {
    if (JSON.stringify(messages).includes("throw")) throw new Error("secret of the provider");
    return (async function* () {
      yield { kind: "text" as const, delta: "unfin" };
    })();
  },
};

describe("a model that fails", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    const models = [{ id: "b", name: "Broken" }];
    const providers = { broken: { baseUrl: "http://127.0.0.1:9", models } };
    gateway = await startTestGateway({ providers: { broken }, config: { models: { providers } } });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const fresh = () => `agent:main:fail-${randomUUID()}`;

  async function expectFailure(sessionKey: string, message: string, words: RegExp): Promise<void> {
    const end = await client.chat(message, { sessionKey });
    expect(end.payload).toMatchObject({ state: "error", sessionKey });
    expect(end.payload.errorMessage).toMatch(words);
    const { runId } = end.payload;
    const [last] = client.eventsOf("agent", runId).slice(-1);
    expect(last?.payload).toMatchObject({
      stream: "lifecycle",
      data: { phase: "error", error: end.payload.errorMessage },
    });
    expect(client.eventsOf("chat", runId).filter(({ payload }) => payload.state !== "delta")).toHaveLength(1);
    expect(await client.call("agent.wait", { runId })).toMatchObject({
      status: "error",
      error: end.payload.errorMessage,
    });
  }

  test.for(WORDS)("with %s is told in words, once, and the session goes on", async ([reason, words, times = 1]) => {
    const sessionKey = fresh();
    const failure: ModelFailure = { reason, message: "what it said", retry: "never" };
    const step = [
      { kind: "text", delta: "Well, " },
      { kind: "failure", failure },
    ] as const;
    gateway.model.script(...Array.from({ length: times }, () => step));
    await expectFailure(sessionKey, "first", words);
    expect(await client.agent("second", { sessionKey })).toContain("echo: ");
    const said = JSON.stringify(gateway.model.requests.at(-1)?.messages);
    expect(said).toContain("first");
    expect(said).toContain("second");
  });

  test("to write arguments that are JSON is told so, and can call again", async () => {
    const sessionKey = fresh();
    const wrong = { kind: "tool-call", id: "c1", name: "read", arguments: {}, unreadable: '{"path": a.txt' } as const;
    gateway.model.script([wrong, { ...finish(), stopReason: "toolUse" } as ModelEvent], say("I see."));
    const before = gateway.model.requests.length;
    expect(await client.agent("read it", { sessionKey })).toBe("I see.");
    expect(gateway.model.requests).toHaveLength(before + 2);
    const result = gateway.model.requests.at(-1)?.messages.at(-1);
    expect(result).toMatchObject({ role: "toolResult", toolCallId: "c1", isError: true });
    expect(JSON.stringify(result)).toMatch(/not a JSON object.*a\.txt.*read takes path/);
  });

  test("to do anything but repeat itself is stopped long before its last step", async () => {
    const sessionKey = fresh();
    const before = gateway.model.requests.length;
    let calls = 0;
    const again = () => callTool("read", { path: "not-there.txt" }, `c${++calls}`);
    gateway.model.script(...Array.from({ length: 33 }, again));
    const words =
      /^The model goes in circles: read gave the same result 30 times [^.]*so it was not called again\. Ask again in other words\./;
    await expectFailure(sessionKey, "go in circles", words);
    expect(gateway.model.requests).toHaveLength(before + 33);
    expect(await client.agent("and now?", { sessionKey })).toContain("echo: ");
  });

  test("to come to an end is stopped, and only the beginning is kept", async () => {
    const sessionKey = fresh();
    let pieces = 0;
    gateway.model.script(function* () {
      for (; pieces < 1_000; pieces++) yield { kind: "text", delta: "x".repeat(100_000) };
    });
    await expectFailure(
      sessionKey,
      "write for ever",
      /^The model did not come to an end: scripted went on after 2,000,000/,
    );
    expect(pieces).toBeLessThan(25);
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(JSON.stringify(messages).length).toBeLessThan(20_000);
  });

  test("by throwing is told without what it threw", async () => {
    const sessionKey = fresh();
    await client.call("sessions.patch", { key: sessionKey, model: "broken/b" });
    await expectFailure(sessionKey, "throw", /^The turn failed: broken failed/);
    expect(JSON.stringify(client.frames)).not.toContain("secret of the provider");
  });

  test("by falling silent in mid-sentence is told so", async () => {
    const sessionKey = fresh();
    await client.call("sessions.patch", { key: sessionKey, model: "broken/b" });
    await expectFailure(sessionKey, "hello", /^The model provider /);
    await client.call("sessions.patch", { key: sessionKey, model: null });
    expect(await client.agent("hello", { sessionKey })).toContain("echo: ");
  });

  test("to answer in time is stopped, with what it said so far", async () => {
    const sessionKey = fresh();
    const gate = gateway.gate();
    gateway.model.script(gate.step("so far", ""), say("in time"));
    const end = await client.chat("hurry", { sessionKey, timeoutMs: 50 });
    expect(end.payload).toMatchObject({ state: "aborted", stopReason: "timeout" });
    expect(end.payload.message.content).toEqual([{ type: "text", text: "so far" }]);
    const { messages } = await client.call("chat.history", { sessionKey });
    expect(messages.at(-1)).toMatchObject({
      content: [
        {
          type: "text",
          text: "so far",
        },
      ],
      openclawAbort: {
        aborted: true,
        origin: "timeout",
      },
    });
    expect(await client.agent("now?", { sessionKey })).toBe("in time");
  });

  test("to answer `agent` in time is an error with words", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("", ""));
    const params = { message: "hurry", sessionKey: fresh(), idempotencyKey: randomUUID(), timeout: 1 };
    const { result } = await client.call("agent", params);
    const text: unknown = expect.stringMatching(/^The model did not answer in time/);
    expect(result).toMatchObject({ payloads: [{ text, isError: true }], meta: { aborted: true, stopReason: "error" } });
  });

  test("because it is not there is told, and the message is kept", async () => {
    await using lonely = await startTestGateway({ config: { agents: { defaults: { model: "nobody/nothing" } } } });
    const caller = await lonely.connect();
    const end = await caller.chat("is anybody there?");
    expect(end.payload).toMatchObject({ state: "error" });
    expect(end.payload.errorMessage).toMatch(/^There is no model of that name: .*nobody/);
    const { messages } = await caller.call("chat.history", { sessionKey: "main" });
    expect(messages[0].content[0].text).toBe("is anybody there?");
  });
});
