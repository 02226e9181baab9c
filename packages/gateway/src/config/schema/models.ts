// `models`: the providers of models and what their models can do.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  anyNumber,
  block,
  bool,
  choice,
  count,
  item,
  listOf,
  mapOf,
  nonEmptyText,
  numberAbove0,
  positive,
} from "./leaf.ts";
import { secretMap, secretOrRef, text, texts } from "./leaf.ts";

const api = once(() =>
  choice(
    "openai-completions",
    "openai-responses",
    "openai-codex-responses",
    "anthropic-messages",
    "google-generative-ai",
    "google-gemini-cli",
    "github-copilot",
    "bedrock-converse-stream",
    "ollama",
  ),
);

export const modelsSection = once(() =>
  block(() => ({
    mode: choice("merge", "replace"),
    providers: mapOf(
      item(() => ({
        baseUrl: nonEmptyText(),
        apiKey: secretOrRef(),
        auth: choice("api-key", "aws-sdk", "oauth", "token"),
        api: api(),
        headers: secretMap(),
        authHeader: bool(),
        models: listOf(item(modelShape)),
      })),
    ),
    bedrockDiscovery: block(() => ({
      enabled: bool(),
      region: text(),
      providerFilter: texts(),
      refreshInterval: count(),
      defaultContextWindow: positive(),
      defaultMaxTokens: positive(),
    })),
  })),
);

const modelShape = () => ({
  id: z.string().min(1),
  name: nonEmptyText(),
  api: api(),
  reasoning: bool(),
  input: listOf(z.enum(["text", "image"])),
  cost: block(() => ({ input: anyNumber(), output: anyNumber(), cacheRead: anyNumber(), cacheWrite: anyNumber() })),
  contextWindow: numberAbove0(),
  maxTokens: numberAbove0(),
  headers: secretMap(),
  compat: block(() => ({
    supportsStore: bool(),
    supportsDeveloperRole: bool(),
    supportsReasoningEffort: bool(),
    supportsUsageInStreaming: bool(),
    supportsStrictMode: bool(),
    maxTokensField: choice("max_completion_tokens", "max_tokens"),
    thinkingFormat: choice("openai", "zai", "qwen"),
    requiresToolResultName: bool(),
    requiresAssistantAfterToolResult: bool(),
    requiresThinkingAsText: bool(),
    requiresMistralToolIds: bool(),
  })),
});
