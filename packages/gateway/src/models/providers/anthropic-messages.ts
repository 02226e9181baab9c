// Anthropic's messages API, with its prompt cache.
import type { LanguageModelV3CallOptions, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { createAnthropic } from "@ai-sdk/anthropic";
import type { ModelProvider, ModelRequest, ThinkingBlock, ThinkingLevel } from "@chela/sdk";
import type { HttpFetch } from "../../base/http-fetch.ts";
import { createLanguageModelProvider } from "./language-model.ts";
import { toPrompt, toTools, type PromptStyle } from "./prompt.ts";
import { trimUrl, type WireSettings } from "./wire.ts";

const STYLE: PromptStyle = {
  imagesInToolResults: true,
  thinkingOptions: toSignedThinking,
  cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
};

/** Tokens the model may think, for models that take a budget. */
const BUDGET: Readonly<Record<Exclude<ThinkingLevel, "off">, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 20_480,
  xhigh: 32_768,
};

const EFFORT: Readonly<Record<Exclude<ThinkingLevel, "off">, string>> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "max",
};

/** From 4.6 on the model decides itself how long it thinks, within an effort. */
const THINKS_ADAPTIVELY = /claude-[a-z]+-(4-[6-9]|[5-9])/;

export function createAnthropicMessages(settings: WireSettings, fetch: HttpFetch): ModelProvider {
  const key = settings.apiKey ?? "none";
  const provider = createAnthropic({
    baseURL: `${trimUrl(settings.baseUrl, "/v1")}/v1`,
    ...(settings.bearer ? { authToken: key } : { apiKey: key }),
    headers: { ...settings.headers },
    fetch: fetch as unknown as typeof globalThis.fetch,
  });
  return createLanguageModelProvider(settings, provider.languageModel(settings.modelId), toCall);
}

function toCall(request: ModelRequest): LanguageModelV3CallOptions {
  return {
    prompt: toPrompt(request, STYLE),
    maxOutputTokens: request.maxTokens ?? request.model.maxTokens,
    ...(request.tools.length > 0 ? { tools: toTools(request) } : {}),
    ...thinkingFor(request),
  };
}

function thinkingFor({ model, thinking }: ModelRequest): { providerOptions?: SharedV3ProviderOptions } {
  if (!model.reasoning || thinking === "off") return {};
  if (THINKS_ADAPTIVELY.test(model.id)) {
    return { providerOptions: { anthropic: { thinking: { type: "adaptive" }, effort: EFFORT[thinking] } } };
  }
  return { providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: BUDGET[thinking] } } } };
}

function toSignedThinking(block: ThinkingBlock): SharedV3ProviderOptions | undefined {
  const signature = block.thinkingSignature;
  if (!signature) return undefined;
  return { anthropic: block.redacted ? { redactedData: signature } : { signature } };
}
