// The chat completions API as the many servers speak it that took it over from OpenAI.
import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelProvider, ModelRequest, ThinkingLevel } from "@chela/sdk";
import type { HttpFetch } from "../../base/http-fetch.ts";
import { createLanguageModelProvider } from "./language-model.ts";
import { toPrompt, toTools, type PromptStyle } from "./prompt.ts";
import { headersWithBearer, trimUrl, type WireSettings } from "./wire.ts";

/** Under this name the options of a call are handed to the library; it is not sent. */
const OPTIONS = "chela";

/** These demand their earlier thinking back when tools were called; most other servers refuse the field. */
const WANTS_THINKING_BACK = /deepseek|moonshot|kimi/i;

const STYLE: PromptStyle = {
  imagesInToolResults: false,
  thinkingOptions: () => undefined,
  signatureOptions: (signature) => ({ google: { thoughtSignature: signature } }),
};

/** The levels that most servers know. */
const EFFORT: Readonly<Record<ThinkingLevel, string | undefined>> = {
  off: undefined,
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
};

export function createOpenaiCompletions(settings: WireSettings, fetch: HttpFetch): ModelProvider {
  const provider = createOpenAICompatible({
    name: OPTIONS,
    baseURL: trimUrl(settings.baseUrl),
    ...(settings.apiKey ? { apiKey: settings.apiKey } : {}),
    headers: headersWithBearer(settings),
    fetch: fetch as unknown as typeof globalThis.fetch,
    includeUsage: settings.compat.supportsUsageInStreaming ?? true,
    transformRequestBody: (body) => adaptBody(body, settings),
  });
  const model: LanguageModelV3 = provider.chatModel(settings.modelId);
  const wantsThinking = WANTS_THINKING_BACK.test(`${settings.provider} ${settings.modelId} ${settings.baseUrl}`);
  const style = wantsThinking ? { ...STYLE, thinkingOptions: () => ({}) } : STYLE;
  return createLanguageModelProvider(settings, model, (request) => toCall(request, settings, style));
}

function toCall(request: ModelRequest, settings: WireSettings, style: PromptStyle): LanguageModelV3CallOptions {
  const sendsEffort = request.model.reasoning && (settings.compat.supportsReasoningEffort ?? true);
  const reasoningEffort = sendsEffort ? EFFORT[request.thinking] : undefined;
  return {
    prompt: toPrompt(request, style),
    maxOutputTokens: request.maxTokens ?? request.model.maxTokens,
    ...(request.tools.length > 0 ? { tools: toTools(request) } : {}),
    ...(reasoningEffort ? { providerOptions: { [OPTIONS]: { reasoningEffort } } } : {}),
  };
}

/** What a server knows beyond the common ground is told by the configuration. */
function adaptBody(body: Record<string, unknown>, { compat }: WireSettings): Record<string, unknown> {
  const adapted = { ...body };
  if (compat.maxTokensField === "max_completion_tokens") {
    adapted["max_completion_tokens"] = adapted["max_tokens"];
    delete adapted["max_tokens"];
  }
  if (compat.supportsStore) adapted["store"] = false;
  if (compat.supportsDeveloperRole) {
    adapted["messages"] = (body["messages"] as { role: string }[]).map((message) =>
      message.role === "system" ? { ...message, role: "developer" } : message,
    );
  }
  return adapted;
}
