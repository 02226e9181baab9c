// The chat completions API at OpenAI itself, whose newer models differ from what other servers took over.
import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { createOpenAI } from "@ai-sdk/openai";
import type { ModelProvider, ModelRequest } from "@chela/sdk";
import type { HttpFetch } from "../../base/http-fetch.ts";
import { createLanguageModelProvider } from "./language-model.ts";
import { effortFor } from "./openai-effort.ts";
import { toPrompt, toTools, type PromptStyle } from "./prompt.ts";
import { trimUrl, type WireSettings } from "./wire.ts";

/** This API never shows its thinking, so none comes back. */
const STYLE: PromptStyle = { imagesInToolResults: false, thinkingOptions: () => undefined };

export function createOpenaiChat(settings: WireSettings, fetch: HttpFetch): ModelProvider {
  const provider = createOpenAI({
    baseURL: trimUrl(settings.baseUrl),
    apiKey: settings.apiKey ?? "none",
    headers: { ...settings.headers },
    fetch: fetch as unknown as typeof globalThis.fetch,
  });
  return createLanguageModelProvider(settings, provider.chat(settings.modelId), (request) => toCall(request, settings));
}

function toCall(request: ModelRequest, { compat }: WireSettings): LanguageModelV3CallOptions {
  const { reasoning } = request.model;
  const effort = reasoning && (compat.supportsReasoningEffort ?? true) ? effortFor(request) : undefined;
  const options = {
    promptCacheKey: request.sessionId.slice(0, 64),
    forceReasoning: reasoning,
    ...((compat.supportsStore ?? true) ? { store: false } : {}),
    ...(compat.supportsDeveloperRole === false ? { systemMessageMode: "system" } : {}),
    ...(effort ? { reasoningEffort: effort } : {}),
  };
  return {
    prompt: toPrompt(request, STYLE),
    maxOutputTokens: request.maxTokens ?? request.model.maxTokens,
    ...(request.tools.length > 0 ? { tools: toTools(request) } : {}),
    providerOptions: { openai: options },
  };
}
