// How each level of thinking is asked for, wire by wire and model by model.
import type { ModelApi, ThinkingLevel } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { captureRequest, captureRequests, pick } from "./testing/capture-request.ts";

const LEVELS: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh"];

type Row = readonly [
  api: ModelApi,
  modelId: string,
  /** Where in the body the answer is. */
  path: readonly string[],
  /** What is there for each level, in order; undefined when nothing is. */
  expected: readonly unknown[],
  more?: { readonly provider?: string; readonly config?: object },
];

const enabled = (tokens: number) => ({ type: "enabled", budget_tokens: tokens });
const BUDGETS = [1_024, 4_096, 10_240, 20_480, 32_768];
const bedrockBudget = (tokens: number) => ({ thinking: enabled(tokens) });
const adaptive = (effort: string) => ({ thinking: { type: "adaptive" }, output_config: { effort } });
const gemini = (thinkingLevel: string) => ({ includeThoughts: true, thinkingLevel });
const geminiBudget = (thinkingBudget: number) => ({ includeThoughts: true, thinkingBudget });
const nova = (maxReasoningEffort: string) => ({ reasoningConfig: { type: "enabled", maxReasoningEffort } });
const on = { type: "enabled" };
const GEMINI = ["generationConfig", "thinkingConfig"];
const BEDROCK = ["additionalModelRequestFields"];
const compat = (modelId: string, flags: object) => ({ config: { models: [{ id: modelId, compat: flags }] } });
const openai = { provider: "openai" };

const ROWS: readonly Row[] = [
  ["openai-completions", "any", ["reasoning_effort"], [undefined, "low", "low", "medium", "high", "high"]],
  ["openai-completions", "openai/gpt-5.2", ["reasoning_effort"], ["none", "low", "low", "medium", "high", "xhigh"]],
  [
    "openai-completions",
    "gpt-5",
    ["reasoning_effort"],
    ["minimal", "minimal", "low", "medium", "high", "high"],
    openai,
  ],
  [
    "openai-completions",
    "glm",
    ["thinking"],
    [{ type: "disabled" }, on, on, on, on, on],
    compat("glm", { thinkingFormat: "zai" }),
  ],
  [
    "openai-completions",
    "qwen",
    ["enable_thinking"],
    [false, true, true, true, true, true],
    compat("qwen", { thinkingFormat: "qwen" }),
  ],
  [
    "openai-completions",
    "plain",
    ["reasoning_effort"],
    [undefined, undefined, undefined, undefined, undefined, undefined],
    compat("plain", { supportsReasoningEffort: false }),
  ],
  [
    "openai-responses",
    "gpt-5",
    ["reasoning", "effort"],
    ["minimal", "minimal", "low", "medium", "high", "high"],
    openai,
  ],
  ["openai-responses", "gpt-5.1", ["reasoning", "effort"], ["none", "low", "low", "medium", "high", "high"], openai],
  ["openai-responses", "gpt-5.2", ["reasoning", "effort"], ["none", "low", "low", "medium", "high", "xhigh"], openai],
  [
    "openai-responses",
    "gpt-6.1-terra",
    ["reasoning", "effort"],
    ["none", "low", "low", "medium", "high", "xhigh"],
    openai,
  ],
  [
    "openai-responses",
    "gpt-5.2-pro",
    ["reasoning", "effort"],
    [undefined, "medium", "medium", "medium", "high", "xhigh"],
    openai,
  ],
  ["openai-responses", "o3", ["reasoning", "effort"], [undefined, "low", "low", "medium", "high", "high"], openai],
  ["anthropic-messages", "claude-sonnet-4-5", ["thinking"], [undefined, ...BUDGETS.map(enabled)]],
  ["anthropic-messages", "claude-sonnet-4-20250514", ["thinking"], [undefined, ...BUDGETS.map(enabled)]],
  [
    "anthropic-messages",
    "claude-opus-4-6",
    ["output_config", "effort"],
    [undefined, "low", "low", "medium", "high", "max"],
  ],
  [
    "anthropic-messages",
    "claude-opus-5",
    ["output_config", "effort"],
    [undefined, "low", "low", "medium", "high", "xhigh"],
  ],
  [
    "google-generative-ai",
    "gemini-2.5-flash",
    GEMINI,
    [{ thinkingBudget: 0 }, ...[512, 2_048, 8_192, 16_384, 24_576].map(geminiBudget)],
  ],
  [
    "google-generative-ai",
    "gemini-3-pro-preview",
    GEMINI,
    [undefined, ...["low", "low", "high", "high", "high"].map(gemini)],
  ],
  [
    "google-generative-ai",
    "gemini-3.1-pro-preview",
    GEMINI,
    [undefined, ...["low", "low", "medium", "high", "high"].map(gemini)],
  ],
  [
    "google-generative-ai",
    "gemini-3-flash-preview",
    GEMINI,
    [{ thinkingLevel: "minimal" }, ...["minimal", "low", "medium", "high", "high"].map(gemini)],
  ],
  [
    "bedrock-converse-stream",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    BEDROCK,
    [undefined, ...BUDGETS.map(bedrockBudget)],
  ],
  [
    "bedrock-converse-stream",
    "global.anthropic.claude-opus-4-6-v1",
    BEDROCK,
    [undefined, ...["low", "low", "medium", "high", "max"].map(adaptive)],
  ],
  [
    "bedrock-converse-stream",
    "us.amazon.nova-2-lite-v1:0",
    BEDROCK,
    [undefined, ...["low", "low", "medium", "high", "high"].map(nova)],
  ],
  ["bedrock-converse-stream", "meta.llama4-scout-17b-instruct-v1:0", BEDROCK, Array(6).fill(undefined)],
  ["ollama", "qwen3", ["think"], [false, true, true, true, true, true]],
  ["ollama", "gpt-oss:20b", ["think"], [false, "low", "low", "medium", "high", "high"]],
];

describe("the levels of thinking", () => {
  it.for(ROWS)("are written in %s for %s", async ([api, modelId, path, expected, more]) => {
    const requests = await captureRequests(
      api,
      { modelId, ...more },
      LEVELS.map((thinking) => ({ thinking })),
    );
    const found = requests.map(({ body }) => dig(body, path));
    expect(found).toEqual(expected);
  });

  it("leave the answer of an older Claude on Bedrock its room", async () => {
    const modelId = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
    const { body } = await captureRequest("bedrock-converse-stream", { modelId, request: { thinking: "high" } });
    expect(pick(body, "inferenceConfig", "maxTokens")).toBe(4_096 + 20_480);
  });
});

function dig(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], body);
}
