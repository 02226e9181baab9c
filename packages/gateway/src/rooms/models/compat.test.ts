// Every switch under `compat` changes what is sent to a server that speaks chat completions.
import { noUsage, type ModelRequest } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { captureRequest, pick } from "./testing/capture-request.ts";

const assistant = {
  role: "assistant" as const,
  content: [
    { type: "thinking" as const, thinking: "hm" },
    { type: "text" as const, text: "b" },
    { type: "toolCall" as const, id: "call_1", name: "read", arguments: { path: "x" } },
  ],
  api: "openai-completions",
  provider: "test",
  model: "test-model",
  usage: noUsage(),
  stopReason: "toolUse" as const,
  timestamp: 0,
};
const CONVERSATION: ModelRequest["messages"] = [
  { role: "user", content: "a", timestamp: 0 },
  assistant,
  {
    role: "toolResult",
    toolCallId: "call_1",
    toolName: "read",
    content: [{ type: "text", text: "X" }],
    isError: false,
    timestamp: 0,
  },
  { role: "user", content: "c", timestamp: 0 },
];

async function send(flags: object, provider = "test"): Promise<unknown> {
  const config = { models: [{ id: "test-model", compat: flags }] };
  const { body } = await captureRequest("openai-completions", {
    provider,
    config,
    request: {
      messages: CONVERSATION.map((message) => (message === assistant ? { ...assistant, provider } : message)),
    },
  });
  return body;
}

describe("a switch of compat", () => {
  it.for<[name: string, on: unknown, off: unknown, path: (string | number)[], whenOn: unknown, whenOff: unknown]>([
    ["supportsStore", true, false, ["store"], false, undefined],
    ["supportsDeveloperRole", true, false, ["messages", 0, "role"], "developer", "system"],
    ["supportsReasoningEffort", true, false, ["reasoning_effort"], "low", undefined],
    ["supportsUsageInStreaming", true, false, ["stream_options"], { include_usage: true }, undefined],
    ["supportsStrictMode", true, false, ["tools", 0, "function", "strict"], false, undefined],
    ["maxTokensField", "max_completion_tokens", "max_tokens", ["max_completion_tokens"], 4096, undefined],
    ["maxTokensField", "max_tokens", "max_completion_tokens", ["max_tokens"], 4096, undefined],
    ["thinkingFormat", "zai", "openai", ["thinking"], { type: "enabled" }, undefined],
    ["thinkingFormat", "qwen", "openai", ["enable_thinking"], true, undefined],
    ["thinkingFormat", "qwen-chat-template", "openai", ["chat_template_kwargs"], { enable_thinking: true }, undefined],
    ["thinkingFormat", "openrouter", "openai", ["reasoning"], { effort: "low" }, undefined],
    ["thinkingFormat", "openai", "qwen", ["reasoning_effort"], "low", undefined],
    ["requiresToolResultName", true, false, ["messages", 3, "name"], "read", undefined],
    ["requiresAssistantAfterToolResult", true, false, ["messages", 4, "role"], "assistant", "user"],
    ["requiresThinkingAsText", true, false, ["messages", 2, "content"], "<thinking>\nhm\n</thinking>\n\nb", "b"],
    [
      "requiresMistralToolIds",
      true,
      false,
      ["messages", 3, "tool_call_id"],
      expect.stringMatching(/^[a-z0-9]{9}$/),
      "call_1",
    ],
  ])("%s: %j and %j", async ([name, on, off, path, whenOn, whenOff]) => {
    expect(pick(await send({ [name]: on }), ...path)).toEqual(whenOn);
    expect(pick(await send({ [name]: off }), ...path)).toEqual(whenOff);
  });

  it("gives a call and its result the same new id for Mistral", async () => {
    const body = await send({ requiresMistralToolIds: true });
    expect(pick(body, "messages", 2, "tool_calls", 0, "id")).toBe(pick(body, "messages", 3, "tool_call_id"));
  });

  it.for<[provider: string, flags: object, path: (string | number)[], expected: unknown]>([
    ["mistral", {}, ["messages", 3, "name"], "read"],
    ["mistral", { requiresToolResultName: false }, ["messages", 3, "name"], undefined],
    ["mistral", {}, ["stream_options"], undefined],
    ["zai", {}, ["thinking"], { type: "enabled" }],
    ["qwen", {}, ["enable_thinking"], true],
    ["openai", {}, ["store"], false],
    ["openai", {}, ["messages", 0, "role"], "developer"],
    ["openai", { supportsDeveloperRole: false }, ["messages", 0, "role"], "system"],
  ])("is set for %s already, unless the configuration says %j", async ([provider, flags, path, expected]) => {
    expect(pick(await send(flags, provider), ...path)).toEqual(expected);
  });
});
