// What each wire API sends: legal conversations, credentials, caching, thinking, and the switches of the configuration.
import { plainRequest } from "@chela/sdk/testing";
import { noUsage, type AgentMessage, type ModelApi } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { captureRequest as capture, pick, type CaptureOptions } from "./testing/capture-request.ts";
import { API_KEY } from "./testing/wire-harness.ts";

const user = (content: Extract<AgentMessage, { role: "user" }>["content"]): AgentMessage => ({
  role: "user",
  content,
  timestamp: 0,
});
const assistant = (
  content: Extract<AgentMessage, { role: "assistant" }>["content"],
  from: Partial<Extract<AgentMessage, { role: "assistant" }>> = {},
): AgentMessage => ({
  role: "assistant",
  content,
  api: "openai-completions",
  provider: "test",
  model: "test-model",
  usage: noUsage(),
  stopReason: "stop",
  timestamp: 0,
  ...from,
});
const call = (id: string) => ({ type: "toolCall" as const, id, name: "read", arguments: { path: id } });
const result = (toolCallId: string, text: string, more: Partial<Extract<AgentMessage, { role: "toolResult" }>> = {}) =>
  ({
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 0,
    ...more,
  }) satisfies AgentMessage;
const PIXEL = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };

describe("Codex behind a subscription", () => {
  it("is told its instructions in a field of their own, and no limit of length", async () => {
    const { body, path } = await capture("openai-codex-responses", { request: { system: "Be brief." } });
    expect(path).toBe("/responses");
    expect(body).toMatchObject({ instructions: "Be brief.", store: false, stream: true });
    expect(body).not.toHaveProperty("max_output_tokens");
    expect(pick(body, "input", "*", "role")).toEqual(["user"]);
  });
});

describe("a conversation becomes legal", () => {
  const messagesOf = async (...messages: AgentMessage[]) =>
    (
      pick((await capture("openai-completions", { request: { messages, system: "" } })).body, "messages") as Record<
        string,
        unknown
      >[]
    ).map(({ role, content, tool_call_id: callId }) => [role, content, callId].filter((value) => value != null));

  it.for<[string, AgentMessage[], unknown[]]>([
    [
      "plain turns",
      [user("a"), assistant([{ type: "text", text: "b" }]), user("c")],
      [
        ["user", "a"],
        ["assistant", "b"],
        ["user", "c"],
      ],
    ],
    [
      "results that come late",
      [user("a"), assistant([call("x"), call("y")]), user("hurry"), result("y", "Y"), result("x", "X")],
      [["user", "a"], ["assistant"], ["tool", "X", "x"], ["tool", "Y", "y"], ["user", "hurry"]],
    ],
    [
      "a call without result",
      [user("a"), assistant([call("x")]), user("go on")],
      [["user", "a"], ["assistant"], ["tool", "No result was recorded for this call.", "x"], ["user", "go on"]],
    ],
    [
      "a result without call",
      [user("a"), result("x", "X"), user("b")],
      [
        [
          "user",
          [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        ],
      ],
    ],
    [
      "two answers in a row",
      [user("a"), assistant([{ type: "text", text: "b" }]), assistant([{ type: "text", text: "c" }])],
      [
        ["user", "a"],
        ["assistant", "b\n\nc"],
      ],
    ],
    [
      "a beginning without a user",
      [assistant([{ type: "text", text: "b" }]), user("c")],
      [
        ["user", "(Earlier messages are not shown.)"],
        ["assistant", "b"],
        ["user", "c"],
      ],
    ],
    [
      "empty messages",
      [user(""), user("a"), assistant([]), assistant([{ type: "text", text: "" }]), user("b")],
      [
        [
          "user",
          [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        ],
      ],
    ],
    [
      "ids of other providers",
      [user("a"), assistant([call("call|1:ü")]), result("call|1:ü", "X")],
      [["user", "a"], ["assistant"], ["tool", "X", "call_1__"]],
    ],
    [
      "the same id in two turns",
      [user("a"), assistant([call("x")]), result("x", "1"), assistant([call("x")]), result("x", "2")],
      [["user", "a"], ["assistant"], ["tool", "1", "x"], ["assistant"], ["tool", "2", "x"]],
    ],
    [
      "a result without output",
      [user("a"), assistant([call("x")]), result("x", "")],
      [["user", "a"], ["assistant"], ["tool", "(no output)", "x"]],
    ],
  ])("with %s", async ([, messages, expected]) => {
    expect(await messagesOf(...messages)).toEqual(expected);
  });

  it("with images, where the model sees them", async () => {
    const request = { messages: [user([{ type: "text", text: "look" }, PIXEL])], system: "" };
    const { body } = await capture("openai-completions", { request });
    expect(pick(body, "messages", 0, "content", 1, "image_url", "url")).toBe("data:image/png;base64,iVBORw0KGgo=");
    const blind = { ...plainRequest({ provider: "test", id: "test-model", input: ["text"] }), ...request };
    const { body: without } = await capture("openai-completions", { request: blind });
    expect(pick(without, "messages", 0, "content", 1, "text")).toContain("this model reads text only");
  });

  it("with images in tool results, where the API takes them or behind them", async () => {
    const messages = [
      user("a"),
      assistant([call("x")]),
      result("x", "shot", { content: [{ type: "text", text: "shot" }, PIXEL] }),
    ];
    const { body: chat } = await capture("openai-completions", { request: { messages, system: "" } });
    expect(pick(chat, "messages", "*", "role")).toEqual(["user", "assistant", "tool", "user"]);
    expect(pick(chat, "messages", 3, "content", 0, "type")).toBe("image_url");
    const { body: claude } = await capture("anthropic-messages", { request: { messages } });
    const block = pick(claude, "messages", 2, "content", 0);
    expect(block).toMatchObject({ type: "tool_result", tool_use_id: "x" });
    expect(pick(block, "content", "*", "type")).toEqual(["text", "image"]);
  });
});

describe("thinking of earlier turns", () => {
  const thought = (thinking: string, thinkingSignature?: string, redacted?: boolean) => ({
    type: "thinking" as const,
    thinking,
    ...(thinkingSignature ? { thinkingSignature } : {}),
    ...(redacted ? { redacted } : {}),
  });
  const claude = { api: "anthropic-messages", provider: "test", model: "test-model" };

  it("goes back to the Claude that wrote it, with signature", async () => {
    const messages = [
      user("a"),
      assistant([thought("hm", "sig1"), thought("", "data2", true), { type: "text", text: "b" }], claude),
      user("c"),
    ];
    const { body } = await capture("anthropic-messages", { request: { messages } });
    expect((pick(body, "messages", 1, "content") as unknown[]).slice(0, 2)).toEqual([
      { type: "thinking", thinking: "hm", signature: "sig1" },
      { type: "redacted_thinking", data: "data2" },
    ]);
  });

  it.for([
    ["another model wrote it", { ...claude, model: "other" }],
    ["another provider wrote it", { ...claude, provider: "other" }],
    ["it was interrupted", { ...claude, stopReason: "aborted" as const }],
  ] as const)("is left out when %s", async ([, from]) => {
    const messages = [user("a"), assistant([thought("hm", "sig1"), { type: "text", text: "b" }], from), user("c")];
    const { body } = await capture("anthropic-messages", { request: { messages } });
    expect(pick(body, "messages", 1, "content", "*", "type")).toEqual(["text"]);
  });

  it.for([
    ["test", undefined],
    ["deepseek", "hm"],
  ])("goes back in the chat completions of %s as %s", async ([provider = "", expected]) => {
    const messages = [user("a"), assistant([thought("hm"), call("x")], { provider }), result("x", "X")];
    const { body } = await capture("openai-completions", { provider, request: { messages, system: "" } });
    expect(pick(body, "messages", 1, "reasoning_content")).toBe(expected);
  });

  it("goes back to OpenAI as the encrypted item", async () => {
    const signature = JSON.stringify({ type: "reasoning", id: "rs_1", encrypted_content: "gAAA" });
    const from = { api: "openai-responses", provider: "openai", model: "gpt-5.2" };
    const messages = [user("a"), assistant([thought("hm", signature), { type: "text", text: "b" }], from), user("c")];
    const { body } = await capture("openai-responses", {
      provider: "openai",
      modelId: "gpt-5.2",
      request: { messages },
    });
    expect(pick(body, "input", 2)).toMatchObject({
      type: "reasoning",
      id: "rs_1",
      encrypted_content: "gAAA",
      summary: [{ type: "summary_text", text: "hm" }],
    });
  });

  it.for<[string, string, object]>([
    ["Google's beside the call", "CiQ", { tool_calls: [{ extra_content: { google: { thought_signature: "CiQ" } } }] }],
    [
      "OpenRouter's beside the message",
      '{"type":"reasoning.encrypted","id":"x"}',
      { reasoning_details: [{ id: "x" }] },
    ],
  ])("goes back in chat completions as a signature, %s", async ([, thoughtSignature, expected]) => {
    const messages = [user("a"), assistant([{ ...call("x"), thoughtSignature }]), result("x", "X")];
    const { body } = await capture("openai-completions", { request: { messages, system: "" } });
    expect(pick(body, "messages", 1)).toMatchObject(expected);
  });

  it("goes back to Gemini with the signature of the tool call", async () => {
    const from = { api: "google-generative-ai", provider: "test", model: "test-model" };
    const messages = [user("a"), assistant([{ ...call("x"), thoughtSignature: "CiQ" }], from), result("x", "X")];
    const { body } = await capture("google-generative-ai", { request: { messages } });
    expect(pick(body, "contents", 1, "parts", 0)).toMatchObject({
      functionCall: { name: "read" },
      thoughtSignature: "CiQ",
    });
  });
});

describe("Bedrock's conversation", () => {
  const api = "bedrock-converse-stream";
  const from = { api, provider: "test", model: "test-model" };

  it("puts results and what the user said into one message, with images and errors", async () => {
    const messages = [
      user("a"),
      assistant([call("x"), call("y")], from),
      result("x", "shot", { content: [{ type: "text", text: "shot" }, PIXEL] }),
      result("y", "broken", { isError: true }),
      user("go on"),
    ];
    const { body } = await capture(api, { request: { messages } });
    expect(pick(body, "system")).toEqual([{ text: "You are helpful." }]);
    expect(pick(body, "messages")).toEqual([
      { role: "user", content: [{ text: "a" }] },
      {
        role: "assistant",
        content: ["x", "y"].map((id) => ({ toolUse: { toolUseId: id, name: "read", input: { path: id } } })),
      },
      {
        role: "user",
        content: [
          {
            toolResult: {
              toolUseId: "x",
              content: [{ text: "shot" }, { image: { format: "png", source: { bytes: PIXEL.data } } }],
              status: "success",
            },
          },
          { toolResult: { toolUseId: "y", content: [{ text: "broken" }], status: "error" } },
          { text: "go on" },
        ],
      },
    ]);
    expect(pick(body, "toolConfig", "tools", 0, "toolSpec")).toMatchObject({
      name: "read",
      inputSchema: { json: { required: ["path"] } },
    });
  });

  it("describes tools that were used, though none may be used now", async () => {
    const messages = [user("a"), assistant([call("x")], from), result("x", "X")];
    const { body } = await capture(api, { request: { messages, tools: [] } });
    expect(pick(body, "toolConfig", "tools", "*", "toolSpec", "name")).toEqual(["read"]);
  });

  it("carries signed and redacted thinking back", async () => {
    const content = [
      { type: "thinking" as const, thinking: "hm", thinkingSignature: "sig1" },
      { type: "thinking" as const, thinking: "", thinkingSignature: "ZGF0YQ==", redacted: true },
      { type: "text" as const, text: "b" },
    ];
    const { body } = await capture(api, { request: { messages: [user("a"), assistant(content, from), user("c")] } });
    expect(pick(body, "messages", 1, "content")).toEqual([
      { reasoningContent: { reasoningText: { text: "hm", signature: "sig1" } } },
      { reasoningContent: { redactedContent: "ZGF0YQ==" } },
      { text: "b" },
    ]);
  });

  it("is marked for caching where the model can", async () => {
    const { body } = await capture(api, { modelId: "us.anthropic.claude-sonnet-4-5-20250929-v1:0" });
    expect(pick(body, "system", 1)).toEqual({ cachePoint: { type: "default" } });
    expect(pick(body, "messages", -1, "content", -1)).toEqual({ cachePoint: { type: "default" } });
  });
});

describe("credentials", () => {
  it.for<[ModelApi, string, object, Record<string, string | undefined>]>([
    ["openai-completions", "/chat/completions", {}, { authorization: `Bearer ${API_KEY}` }],
    ["openai-responses", "/responses", {}, { authorization: `Bearer ${API_KEY}` }],
    ["anthropic-messages", "/v1/messages", {}, { "x-api-key": API_KEY, authorization: undefined }],
    [
      "anthropic-messages",
      "/v1/messages",
      { authHeader: true },
      { authorization: `Bearer ${API_KEY}`, "x-api-key": undefined },
    ],
    ["anthropic-messages", "/v1/messages", { auth: "token" }, { authorization: `Bearer ${API_KEY}` }],
    ["google-generative-ai", "/models/test-model:streamGenerateContent?alt=sse", {}, { "x-goog-api-key": API_KEY }],
    [
      "google-gemini-cli",
      "/v1internal:streamGenerateContent?alt=sse",
      {},
      { authorization: `Bearer ${API_KEY}`, "x-goog-api-key": undefined },
    ],
    ["bedrock-converse-stream", "/model/test-model/converse-stream", {}, { authorization: `Bearer ${API_KEY}` }],
    ["ollama", "/api/chat", {}, { authorization: `Bearer ${API_KEY}` }],
    ["openai-completions", "/chat/completions", { headers: { "X-Team": "red" } }, { "x-team": "red" }],
  ])("of %s reach %s with %j", async ([api, path, config, expected]) => {
    const { path: asked, headers } = await capture(api, { config });
    expect(asked).toBe(path);
    for (const [name, value] of Object.entries(expected)) expect(headers[name]).toBe(value);
  });
});

describe("settings of a call", () => {
  it.for<[string, ModelApi, CaptureOptions, object, string[]]>([
    [
      "tokens under the old name",
      "openai-completions",
      {},
      { max_tokens: 4096, stream_options: { include_usage: true }, reasoning_effort: "low" },
      ["store", "max_completion_tokens"],
    ],
    ["no thinking", "openai-completions", { request: { thinking: "off" } }, {}, ["reasoning_effort"]],
    [
      "OpenAI's chat",
      "openai-completions",
      { provider: "openai", modelId: "gpt-5" },
      { max_completion_tokens: 4096, store: false, reasoning_effort: "low", prompt_cache_key: "session-1" },
      ["max_tokens"],
    ],
    [
      "OpenAI's responses",
      "openai-responses",
      { provider: "openai", modelId: "gpt-5.2", request: { thinking: "xhigh" } },
      {
        store: false,
        prompt_cache_key: "session-1",
        reasoning: { effort: "xhigh", summary: "auto" },
        include: ["reasoning.encrypted_content"],
      },
      [],
    ],
    ["Ollama", "ollama", {}, { think: true, stream: true, options: { num_ctx: 128000, num_predict: 4096 } }, []],
    [
      "gpt-oss on Ollama",
      "ollama",
      { modelId: "gpt-oss:20b", request: { thinking: "xhigh", maxTokens: 100 } },
      { think: "high", options: { num_predict: 100 } },
      [],
    ],
  ])("for %s", async ([, api, options, present, absent]) => {
    const { body } = await capture(api, options);
    expect(body).toMatchObject(present);
    for (const field of absent) expect(body).not.toHaveProperty(field);
  });

  it("mark Claude's system prompt and last message for caching", async () => {
    const { body } = await capture("anthropic-messages");
    expect(pick(body, "system", 0, "cache_control")).toEqual({ type: "ephemeral" });
    expect(pick(body, "messages", -1, "content", -1, "cache_control")).toEqual({ type: "ephemeral" });
  });

  it("describe the tools", async () => {
    const { body } = await capture("ollama");
    expect(pick(body, "tools", 0, "function")).toMatchObject({ name: "read", parameters: { required: ["path"] } });
  });
});
