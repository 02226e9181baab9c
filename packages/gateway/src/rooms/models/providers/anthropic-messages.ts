// Anthropic's messages API, with its prompt cache.
import type { LanguageModelV3CallOptions, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { createAnthropic } from "@ai-sdk/anthropic";
import type { ModelProvider, ModelRequest, ThinkingBlock } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import { createLanguageModelProvider } from "./language-model.ts";
import { toPrompt, toTools, type PromptStyle } from "./prompt.ts";
import { claudeThinking } from "./thinking-levels.ts";
import { trimUrl, type WireSettings } from "./wire.ts";

const STYLE: PromptStyle = {
  imagesInToolResults: true,
  thinkingOptions: toSignedThinking,
  cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
};

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
  const wanted = claudeThinking(model.id, model.reasoning ? thinking : "off");
  if (wanted.kind === "none") return {};
  if (wanted.kind === "budget") {
    return { providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: wanted.tokens } } } };
  }
  return { providerOptions: { anthropic: { thinking: { type: "adaptive" }, effort: wanted.effort } } };
}

function toSignedThinking(block: ThinkingBlock): SharedV3ProviderOptions | undefined {
  const signature = block.thinkingSignature;
  if (!signature) return undefined;
  return { anthropic: block.redacted ? { redactedData: signature } : { signature } };
}
