// The finer points of what comes back: tokens and money, signatures, failures in the middle, secrets, connections.
import { createServer, type AddressInfo } from "node:net";
import { plainRequest } from "@chela/sdk/testing";
import type { ModelApi, ModelEvent, ModelFailure } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { API_KEY, openBench, readFixture, replyFor, streamOf, toStream } from "./testing/wire-harness.ts";
import type { Reply } from "./testing/replay-server.ts";

async function answer(api: ModelApi, reply: Reply, provider = "test", modelId = "test-model"): Promise<ModelEvent[]> {
  await using bench = await openBench(api, provider, modelId);
  bench.server.answer(reply);
  const events: ModelEvent[] = [];
  for await (const event of bench.models.stream(plainRequest(bench.model), new AbortController().signal)) {
    events.push(event);
  }
  return events;
}

async function failureOf(api: ModelApi, reply: Reply): Promise<ModelFailure> {
  const end = (await answer(api, reply)).at(-1);
  if (end?.kind !== "failure") throw new Error(`Expected a failure, got ${JSON.stringify(end)}`);
  return end.failure;
}

/** A server that greets like mail servers do. */
async function openGreeter(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(
    (socket) =>
      void socket
        .resume()
        .on("error", () => undefined)
        .end("220 mail.example ESMTP\r\n"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

describe("usage", () => {
  const price = { input: 2e-6, output: 10e-6, cacheRead: 0.5e-6, cacheWrite: 4e-6 };

  it.for<[ModelApi, { input: number; output: number; cacheRead: number; cacheWrite: number }]>([
    ["openai-completions", { input: 200, output: 40, cacheRead: 1000, cacheWrite: 0 }],
    ["openai-responses", { input: 200, output: 40, cacheRead: 1000, cacheWrite: 0 }],
    ["anthropic-messages", { input: 150, output: 40, cacheRead: 1000, cacheWrite: 50 }],
    ["google-generative-ai", { input: 200, output: 40, cacheRead: 1000, cacheWrite: 0 }],
    ["google-gemini-cli", { input: 200, output: 40, cacheRead: 1000, cacheWrite: 0 }],
    ["bedrock-converse-stream", { input: 150, output: 40, cacheRead: 1000, cacheWrite: 50 }],
    ["ollama", { input: 1200, output: 40, cacheRead: 0, cacheWrite: 0 }],
  ])("of %s tells cached tokens apart and adds up the cost", async ([api, tokens]) => {
    const end = (await answer(api, replyFor(api, "text"))).at(-1);
    if (end?.kind !== "finish") throw new Error("no finish");
    const { input, output, cacheRead, cacheWrite } = tokens;
    expect(end.usage).toMatchObject({ ...tokens, totalTokens: input + output + cacheRead + cacheWrite });
    const total =
      input * price.input + output * price.output + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite;
    expect(end.usage.cost.total).toBeCloseTo(total, 10);
  });
});

it.for<[ModelApi, string | undefined]>([
  ["openai-completions", "chatcmpl-A1"],
  ["openai-responses", "resp_1"],
  ["anthropic-messages", "msg_01A"],
  ["google-generative-ai", "r1"],
  ["ollama", undefined],
])("an answer of %s keeps the name its provider gave it", async ([api, name]) => {
  const end = (await answer(api, replyFor(api, "text"))).at(-1);
  expect(end?.kind === "finish" && end.responseId).toBe(name);
});

describe("signatures", () => {
  it.for<[ModelApi, string, string, unknown[]]>([
    [
      "anthropic-messages",
      "anthropic",
      "claude-sonnet-4-5",
      [
        { kind: "thinking-end", signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3h" },
        { kind: "thinking-end", signature: "EmwKAhgBEgy3va3pzix", redacted: true },
      ],
    ],
    [
      "bedrock-converse-stream",
      "amazon-bedrock",
      "us.anthropic.claude-sonnet-4-5",
      [
        { kind: "thinking-end", signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3h" },
        { kind: "thinking-end", signature: "EmwKAhgBEgy3va3pzix", redacted: true },
      ],
    ],
    ["google-generative-ai", "google", "gemini-2.5-pro", [{ kind: "thinking-end", signature: "CsEBAdHtim9xYz" }]],
    [
      "openai-responses",
      "openai",
      "gpt-5.2",
      [{ kind: "thinking-end", signature: '{"type":"reasoning","id":"rs_1","encrypted_content":"gAAAAABencrypted"}' }],
    ],
    ["openai-completions", "test", "r1", [{ kind: "thinking-end" }]],
  ])("of %s close the thinking", async ([api, provider, modelId, expected]) => {
    const events = await answer(api, replyFor(api, "thinking"), provider, modelId);
    expect(events.filter((event) => event.kind === "thinking-end")).toEqual(expected);
  });

  it("of Gemini come with the tool call", async () => {
    const events = await answer("google-generative-ai", replyFor("google-generative-ai", "tool-calls"));
    expect(events.find((event) => event.kind === "tool-call")).toMatchObject({ signature: "CiQB0e2Kb1" });
  });
});

describe("failures", () => {
  it.for<ModelApi>([
    "openai-completions",
    "openai-responses",
    "anthropic-messages",
    "google-generative-ai",
    "google-gemini-cli",
    "bedrock-converse-stream",
    "ollama",
  ])("of %s say how long to wait", async (api) => {
    expect(await failureOf(api, replyFor(api, "rate-limit"))).toMatchObject({
      reason: "rate-limit",
      status: 429,
      retry: "later",
      retryAfterMs: 7_000,
    });
  });

  it("never show the key", async () => {
    const { message } = await failureOf("openai-completions", replyFor("openai-completions", "auth"));
    expect(message).toContain("Incorrect API key provided");
    expect(message).not.toContain(API_KEY);
  });

  it("name the provider, the status and its own words", async () => {
    const { message } = await failureOf("anthropic-messages", replyFor("anthropic-messages", "context-overflow"));
    expect(message).toBe("test answered 400: prompt is too long: 213412 tokens > 200000 maximum");
  });

  it.for<ModelApi>(["anthropic-messages", "openai-completions", "bedrock-converse-stream"])(
    "of %s keep the text that came before them",
    async (api) => {
      const events = await answer(api, { body: streamOf(api, "overloaded-midway") });
      expect(events).toMatchObject([
        { kind: "text", delta: "Hello" },
        { kind: "failure", failure: { reason: "overloaded", retry: "later" } },
      ]);
    },
  );

  it.for<[string, ModelApi, string, ModelFailure["reason"]]>([
    [
      "an error at the first event",
      "anthropic-messages",
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      "overloaded",
    ],
    [
      "an error instead of a chunk",
      "openai-completions",
      'data: {"error":{"message":"Rate limit exceeded","code":429,"type":"rate_limit_error"}}\n\n',
      "rate-limit",
    ],
    ["a failed response", "openai-responses", readFixture("openai-responses", "failed"), "server-error"],
    [
      "an error in the middle",
      "google-generative-ai",
      'data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}\n\n',
      "overloaded",
    ],
    [
      "an error in no envelope",
      "google-gemini-cli",
      'data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}\n\n',
      "overloaded",
    ],
    ["a web page", "google-gemini-cli", "<html>Welcome</html>", "network"],
    ["no JSON", "google-gemini-cli", "data: {oops\n\n", "malformed"],
    [
      "an error line",
      "ollama",
      '{"error":"an error was encountered while running the model: CUDA error"}\n',
      "unknown",
    ],
    ["no JSON", "openai-completions", "data: {oops\n\n", "malformed"],
    ["a web page", "anthropic-messages", "<html>Welcome</html>", "network"],
    ["nothing", "openai-completions", "", "network"],
    ["nothing", "ollama", "", "network"],
    ["half a line", "ollama", '{"message":{"content":"He', "network"],
  ])("from %s in %s", async ([, api, body, reason]) => {
    expect((await failureOf(api, { body })).reason).toBe(reason);
  });

  it.for<[ModelApi]>([
    ["openai-completions"],
    ["openai-responses"],
    ["anthropic-messages"],
    ["google-generative-ai"],
    ["bedrock-converse-stream"],
    ["ollama"],
  ])("from a stream of %s that ends too early, though properly", async ([api]) => {
    const whole = readFixture(api, "text");
    const begun = whole.slice(0, whole.indexOf("Hello") + 5);
    const isLines = api === "ollama" || api === "bedrock-converse-stream";
    const lastEvent = isLines ? begun.lastIndexOf("\n") + 1 : begun.lastIndexOf("\n\n") + 2;
    const body = toStream(api, begun.slice(0, lastEvent));
    expect(await failureOf(api, { body })).toMatchObject({ reason: "network", retry: "now" });
  });

  it("from a redirect, which is not followed", async () => {
    const reply = { status: 307, headers: { location: "http://192.0.2.1/" }, body: "" };
    expect(await failureOf("openai-completions", reply)).toMatchObject({ reason: "bad-request", status: 307 });
  });

  it.for<[string, string, object]>([
    ["an address that is none", "not an address", { reason: "bad-request", retry: "never" }],
    ["a server that speaks something else", "", { reason: "malformed" }],
  ])("from %s", async ([, address, expected]) => {
    await using other = await openGreeter();
    await using bench = await openBench("openai-completions", "test", "test-model", { baseUrl: address || other.url });
    const events: ModelEvent[] = [];
    for await (const event of bench.models.stream(plainRequest(bench.model), new AbortController().signal)) {
      events.push(event);
    }
    expect(events).toMatchObject([{ kind: "failure", failure: expected }]);
  });

  it("from a server that is not there ask for patience", async () => {
    await using bench = await openBench("openai-completions");
    await bench.server.close();
    const events: ModelEvent[] = [];
    for await (const event of bench.models.stream(plainRequest(bench.model), new AbortController().signal))
      events.push(event);
    expect(events).toMatchObject([{ kind: "failure", failure: { reason: "network", retry: "later" } }]);
  });
});

describe("the dialects of chat completions", () => {
  const api = "openai-completions";
  const textOf = (events: readonly ModelEvent[], kind: "text" | "thinking"): string =>
    events.map((event) => (event.kind === kind ? event.delta : "")).join("");

  it.for(["thinking", "thinking-parts", "thinking-openrouter"])("write their thinking as in %s", async (name) => {
    const events = await answer(api, { body: streamOf(api, name) });
    expect(textOf(events, "thinking")).toBe("Let me think.");
    expect(textOf(events, "text")).toBe("Done.");
    expect(events.filter(({ kind }) => kind === "thinking-end")).toHaveLength(1);
  });

  it("may say in words that they decline", async () => {
    const failure = await failureOf(api, { body: streamOf(api, "refusal") });
    expect(failure).toMatchObject({ reason: "refused", retry: "never" });
    expect(failure.message).toBe("test declined to answer: I'm sorry, I can't help with that.");
  });

  it("may forget indexes, empty lines and the last end of line, and count thinking apart", async () => {
    const events = await answer(api, { body: streamOf(api, "tool-calls-loose") });
    expect(events).toMatchObject([
      { kind: "tool-call", id: "call_aaa", arguments: { path: "a.txt" }, signature: "CiQB0e2Kb1" },
      { kind: "tool-call", id: "call_bbb", arguments: { path: "b.txt" } },
      { kind: "finish", stopReason: "toolUse", usage: { input: 80, output: 30 } },
    ]);
  });

  it("may sign a tool call beside it", async () => {
    const [first, second] = await answer(api, { body: streamOf(api, "tool-calls-signed") });
    const detail =
      '{"type":"reasoning.encrypted","id":"call_aaa","data":"Q2lRQg==","format":"google-gemini-v1","index":0}';
    expect(first).toMatchObject({ kind: "tool-call", id: "call_aaa", signature: detail });
    expect(second).not.toHaveProperty("signature");
  });

  it.for<[string, string]>([
    ["lines that end with CRLF", 'data: {"choices":[{"delta":{"content":"Hi"}}]}\r\n\r\ndata: [DONE]\r\n\r\n'],
    ["no space and no empty lines", 'data:{"choices":[{"delta":{"content":"Hi"}}]}\ndata:[DONE]\n'],
    [
      "comments and other fields",
      ': hi\nevent: x\nid: 1\ndata: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n',
    ],
    ["an event of several lines", 'data: {"choices":\ndata: [{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n'],
    ["no [DONE]", 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n'],
    ["a whole message", 'data: {"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'],
  ])("may come with %s", async ([, body]) => {
    expect(await answer(api, { body })).toMatchObject([
      { kind: "text", delta: "Hi" },
      { kind: "finish", stopReason: "stop" },
    ]);
  });

  it("are complete with [DONE], though the connection stays open", async () => {
    const events = await answer(api, { body: streamOf(api, "text"), ending: "hang" });
    expect(events.at(-1)).toMatchObject({ kind: "finish", usage: { output: 40 } });
  });

  it.for<[string, string, ModelFailure["reason"]]>([
    ["an error without a stream", '{"error":{"message":"Invalid API key","code":"invalid_api_key"}}', "auth"],
    ["only [DONE]", "data: [DONE]\n\n", "network"],
    ["a number", "data: 7\n\n", "malformed"],
    ["no JSON between lines that end with CRLF", "data: {oops\r\n\r\n", "malformed"],
    ["an event that is cut in two", 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: {"choi', "network"],
  ])("fail with %s", async ([, body, reason]) => {
    expect((await failureOf(api, { body })).reason).toBe(reason);
  });
});

describe("an event stream of AWS", () => {
  it("with a wrong byte is not believed", async () => {
    const body = streamOf("bedrock-converse-stream", "text");
    body.write("J", body.indexOf("Hello"));
    expect(await failureOf("bedrock-converse-stream", { body })).toMatchObject({ reason: "malformed", retry: "now" });
  });
});

describe("an answer without end", () => {
  const piece = "x".repeat(200_000);
  const sse = (...events: object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const chat = (args: string) =>
    sse({ choices: [{ delta: { tool_calls: [{ index: 0, id: "c", function: { name: "read", arguments: args } }] } }] });
  const block = { type: "tool_use", id: "c", name: "read", input: {} };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], usage };
  const claude = (partial_json: string) =>
    sse({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json } });
  const item = { id: "f", type: "function_call", status: "in_progress", arguments: "", call_id: "c", name: "read" };
  const response = { id: "r", object: "response", created_at: 1, status: "in_progress", model: "m", output: [] };
  const responses = (delta: string) =>
    sse({ type: "response.function_call_arguments.delta", item_id: "f", output_index: 0, delta });
  const converse = (input: string) =>
    `${JSON.stringify({ event: "contentBlockDelta", body: { contentBlockIndex: 0, delta: { toolUse: { input } } } })}\n`;
  const start = { contentBlockIndex: 0, start: { toolUse: { toolUseId: "c", name: "read" } } };

  /** Six pieces are more than is taken; the connection stays open, so whoever reads on does so for ever. */
  it.for<[ModelApi, string, (args: string) => string]>([
    ["openai-completions", "", chat],
    [
      "anthropic-messages",
      sse({ type: "message_start", message }, { type: "content_block_start", index: 0, content_block: block }),
      claude,
    ],
    [
      "openai-responses",
      sse({ type: "response.created", response }, { type: "response.output_item.added", output_index: 0, item }),
      responses,
    ],
    ["bedrock-converse-stream", `${JSON.stringify({ event: "contentBlockStart", body: start })}\n`, converse],
  ])("in the arguments of %s is not read any further", async ([api, head, more]) => {
    const body = toStream(api, head + more(piece).repeat(6));
    expect(await failureOf(api, { body, ending: "hang", isWhole: true })).toMatchObject({
      reason: "endless",
      retry: "never",
      message: expect.stringContaining("1,000,000 characters"),
    });
  });

  it.for<[ModelApi, string]>([
    ["openai-completions", 'data: {"choices":[{"delta":{"content":"'],
    ["anthropic-messages", 'data: {"type":"content_block_delta","index":0,"delta":{"text":"'],
    ["openai-responses", 'data: {"type":"response.output_text.delta","delta":"'],
    ["google-generative-ai", 'data: {"candidates":[{"content":{"parts":[{"text":"'],
    ["google-gemini-cli", 'data: {"response":{"candidates":[{"content":{"parts":[{"text":"'],
    ["ollama", '{"message":{"content":"'],
  ])("in one line of %s is not read any further", async ([api, head]) => {
    const body = head + "x".repeat(5_000_000);
    expect(await failureOf(api, { body, ending: "hang", isWhole: true })).toMatchObject({ reason: "endless" });
  });

  it.for<[ModelApi, string]>([
    ["openai-completions", 'data: {"error":{"message":"Overloaded","type":"server_error"}}\n\n'],
    [
      "anthropic-messages",
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n',
    ],
    ["ollama", '{"error":"CUDA error"}\n'],
  ])("behind a failure of %s is hung up on", async ([api, body]) => {
    await using bench = await openBench(api);
    bench.server.answer({ body, ending: "hang" });
    for await (const event of bench.models.stream(plainRequest(bench.model), new AbortController().signal)) void event;
    await bench.server.left();
  });

  it("in a refusal is read as far as it says why", async () => {
    const body = JSON.stringify({ error: { message: "No such key", filling: "x".repeat(200_000) } });
    const failure = await failureOf("openai-completions", { status: 401, body, ending: "hang", isWhole: true });
    expect(failure).toMatchObject({ reason: "auth", status: 401 });
  });
});

describe("arguments that are not JSON", () => {
  const chat = (args: string | null, finish = "tool_calls"): string => {
    const call = { index: 0, id: "c", function: { name: "read", arguments: args } };
    return `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] }, finish_reason: finish }] })}\n\ndata: [DONE]\n\n`;
  };

  it.for<[string, string | null, object]>([
    ["nothing", "", {}],
    ["no value", null, {}],
    ["null", "null", {}],
    ["a text that holds them", JSON.stringify('{"path":"a.txt"}'), { path: "a.txt" }],
    ["a list of them alone", '[{"path":"a.txt"}]', { path: "a.txt" }],
    ["a fence around them", '```json\n{"path":"a.txt"}\n```', { path: "a.txt" }],
    ["quotes of another kind", "{'path': 'a.txt'}", { path: "a.txt" }],
    ["a comma before the end", '{"path":"a.txt",}', { path: "a.txt" }],
    ["an end of line in a text", '{"path":"a\n\tb"}', { path: "a\n\tb" }],
    ["a brace too many", '{"path":"a}.txt"}}', { path: "a}.txt" }],
    ["themselves once more", '{"path":"a.txt"}{"path":"a.txt"}', { path: "a.txt" }],
  ])("but cannot be misunderstood are put right: %s", async ([, args, expected]) => {
    const [call] = await answer("openai-completions", { body: chat(args) });
    expect(call).toEqual({ kind: "tool-call", id: "c", name: "read", arguments: expected });
  });

  it.for(['{"path":"a.txt"', '{"path":"a.txt"}{"path":"b.txt"}', "a.txt", "[1,2]", "7"])(
    "and could mean anything are handed on as they are: %s",
    async (args) => {
      const events = await answer("openai-completions", { body: chat(args) });
      expect(events).toMatchObject([
        { kind: "tool-call", name: "read", arguments: {}, unreadable: args },
        { kind: "finish", stopReason: "toolUse" },
      ]);
    },
  );
});

describe("the length limit", () => {
  it("ends with what there is, even when it cut a tool call in two", async () => {
    const body = readFixture("openai-completions", "tool-calls-unreadable").replace('"tool_calls"}]', '"length"}]');
    const events = await answer("openai-completions", { body });
    expect(events).toMatchObject([{ kind: "finish", stopReason: "length" }]);
  });
});

describe("connections", () => {
  it.for<[ModelApi, string, string]>([
    ["openai-completions", "test", "m"],
    ["openai-responses", "openai", "gpt-5.2"],
    ["anthropic-messages", "anthropic", "claude-sonnet-4-5"],
    ["google-generative-ai", "google", "gemini-2.5-pro"],
    ["google-gemini-cli", "google-gemini-cli", "gemini-2.5-pro"],
    ["bedrock-converse-stream", "amazon-bedrock", "us.anthropic.claude-sonnet-4-5"],
    ["ollama", "ollama", "qwen3"],
  ])("of %s are used again", async ([api, provider, modelId]) => {
    await using bench = await openBench(api, provider, modelId);
    bench.server.answer(replyFor(api, "text"));
    for (let turn = 0; turn < 5; turn++) {
      for await (const event of bench.models.stream(plainRequest(bench.model), new AbortController().signal))
        void event;
      // The caller has its answer a moment before the connection is free, so now and then a new one is opened.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(bench.server.requests).toHaveLength(5);
    expect(bench.server.connections).toBeLessThan(5);
  });
});
