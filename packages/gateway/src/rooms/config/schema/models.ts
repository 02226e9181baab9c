// `models`: the providers of models and what their models can do.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  anyNumber,
  block,
  bool,
  choice,
  item,
  key,
  listOf,
  mapOf,
  nonEmptyText,
  numberAbove0,
  secretMap,
  secretOrRef,
  section,
} from "@chela/sdk/config";

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

export const modelsSection = section(
  "Providers of models beside the known ones, and what differs from the usual.",
  { reload: "live" },
  () =>
    block(() => ({
      mode: key(choice("merge", "replace"), "Whether your providers are added to the built-in ones or replace them.", {
        preset: "merge",
        guards: false,
      }),
      providers: mapOf(
        item(() => ({
          baseUrl: key(nonEmptyText(), "Address of the provider's API."),
          apiKey: key(secretOrRef(), "Key for the provider, or a pointer to where it is kept."),
          auth: key(choice("api-key", "aws-sdk", "oauth", "token"), "How the key is sent."),
          api: key(api(), "The protocol the provider speaks."),
          headers: key(secretMap(), "Further HTTP headers for each request."),
          authHeader: key(bool(), "Whether the key is sent as an Authorization header."),
          models: listOf(item(modelShape)),
        })),
      ),
    })),
);

const modelShape = () => ({
  id: key(z.string().min(1), "Name of the model at the provider."),
  name: key(nonEmptyText(), "Name of the model for people."),
  api: key(api(), "The protocol this model speaks, if another than its provider's."),
  reasoning: key(bool(), "Whether the model can think before it answers."),
  input: key(listOf(z.enum(["text", "image"])), "What the model understands besides text."),
  cost: block(() => ({
    input: key(anyNumber(), "US dollars per million tokens read."),
    output: key(anyNumber(), "US dollars per million tokens written."),
    cacheRead: key(anyNumber(), "US dollars per million tokens read from the provider's cache."),
    cacheWrite: key(anyNumber(), "US dollars per million tokens put into the provider's cache."),
  })),
  contextWindow: key(numberAbove0(), "How many tokens fit into a conversation."),
  maxTokens: key(numberAbove0(), "How many tokens an answer may have."),
  headers: key(secretMap(), "Further HTTP headers for this model."),
  compat: block(() => ({
    supportsStore: key(bool(), "Whether the server knows the field store."),
    supportsDeveloperRole: key(bool(), "Whether the server knows the role developer."),
    supportsReasoningEffort: key(bool(), "Whether the server knows reasoning_effort."),
    supportsUsageInStreaming: key(bool(), "Whether the server counts tokens while streaming."),
    supportsStrictMode: key(bool(), "Whether the server knows strict tools."),
    maxTokensField: key(choice("max_completion_tokens", "max_tokens"), "How the server calls the longest answer."),
    thinkingFormat: key(
      choice("openai", "zai", "qwen", "qwen-chat-template", "openrouter"),
      "How the server is asked to think.",
    ),
    requiresToolResultName: key(bool(), "Whether a tool's result must name the tool."),
    requiresAssistantAfterToolResult: key(bool(), "Whether a tool's result must be followed by an answer."),
    requiresThinkingAsText: key(bool(), "Whether earlier thoughts are sent as text."),
    requiresMistralToolIds: key(bool(), "Whether ids of tool calls have nine letters or digits."),
  })),
});
