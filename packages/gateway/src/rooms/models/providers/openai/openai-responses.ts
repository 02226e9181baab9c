// OpenAI's responses API, and its form for subscriptions. Nothing is stored at OpenAI: reasoning travels encrypted in our own transcript.
import type { LanguageModelV3CallOptions, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { createOpenAI } from "@ai-sdk/openai";
import type { ModelProvider, ModelRequest, ThinkingBlock } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import { createLanguageModelProvider } from "../language-model.ts";
import { effortFor } from "./openai-effort.ts";
import { toPrompt, toTools, type PromptStyle } from "../prompt.ts";
import { trimUrl, type WireSettings } from "../wire.ts";

const STYLE: PromptStyle = { imagesInToolResults: true, thinkingOptions: toReasoningItem };

export function createOpenaiResponses(settings: WireSettings, fetch: HttpFetch): ModelProvider {
  return createLanguageModelProvider(settings, openModel(settings, fetch), (request) => toCall(request, settings));
}

/** Codex behind a ChatGPT subscription: what the model is told first has a field of its own, and the length is not ours to limit. */
export function createOpenaiCodexResponses(settings: WireSettings, fetch: HttpFetch): ModelProvider {
  return createLanguageModelProvider(settings, openModel(settings, fetch), (request) => {
    const { system, ...asked } = request;
    const { maxOutputTokens: _none, providerOptions, ...call } = toCall({ ...asked, system: "" }, settings);
    return { ...call, providerOptions: { openai: { ...providerOptions?.["openai"], instructions: system } } };
  });
}

function openModel(settings: WireSettings, fetch: HttpFetch) {
  return createOpenAI({
    baseURL: trimUrl(settings.baseUrl),
    // Without a key the library would look into the environment by itself.
    apiKey: settings.apiKey ?? "none",
    headers: { ...settings.headers },
    fetch: fetch as unknown as typeof globalThis.fetch,
  }).responses(settings.modelId);
}

function toCall(request: ModelRequest, settings: WireSettings): LanguageModelV3CallOptions {
  const { reasoning } = request.model;
  const effort = reasoning && (settings.compat.supportsReasoningEffort ?? true) ? effortFor(request) : undefined;
  const options = {
    store: false,
    promptCacheKey: request.sessionId.slice(0, 64),
    forceReasoning: reasoning,
    ...(settings.compat.supportsDeveloperRole === false ? { systemMessageMode: "system" } : {}),
    ...(effort ? { reasoningEffort: effort } : {}),
    ...(effort && effort !== "none" ? { reasoningSummary: "auto" } : {}),
  };
  return {
    prompt: toPrompt(request, STYLE),
    maxOutputTokens: request.maxTokens ?? request.model.maxTokens,
    ...(request.tools.length > 0 ? { tools: toTools(request) } : {}),
    providerOptions: { openai: options },
  };
}

function toReasoningItem(block: ThinkingBlock): SharedV3ProviderOptions | undefined {
  if (!block.thinkingSignature) return undefined;
  try {
    const item = JSON.parse(block.thinkingSignature) as { id?: unknown; encrypted_content?: unknown };
    // An item without its encrypted content lives only at OpenAI, where nothing is stored.
    if (typeof item.id !== "string" || typeof item.encrypted_content !== "string") return undefined;
    return { openai: { itemId: item.id, reasoningEncryptedContent: item.encrypted_content } };
  } catch {
    return undefined;
  }
}
