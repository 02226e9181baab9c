// Google's Gemini API.
import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type { ModelProvider, ModelRequest, ThinkingLevel } from "@chela/sdk";
import type { HttpFetch } from "../../base/http-fetch.ts";
import { createLanguageModelProvider } from "./language-model.ts";
import { toPrompt, toTools, type PromptStyle } from "./prompt.ts";
import { headersWithBearer, trimUrl, type WireSettings } from "./wire.ts";

const STYLE: PromptStyle = {
  imagesInToolResults: true,
  thinkingOptions: (block) =>
    block.thinkingSignature ? { google: { thoughtSignature: block.thinkingSignature } } : undefined,
  signatureOptions: (signature) => ({ google: { thoughtSignature: signature } }),
};

type Thinking = { readonly budget: number; readonly level: "low" | "high" };

/** Gemini 2.5 takes a budget of tokens, Gemini 3 a level, of which all its models know these two. */
const THINKING: Readonly<Record<Exclude<ThinkingLevel, "off">, Thinking>> = {
  minimal: { budget: 512, level: "low" },
  low: { budget: 2_048, level: "low" },
  medium: { budget: 8_192, level: "high" },
  high: { budget: 16_384, level: "high" },
  xhigh: { budget: 24_576, level: "high" },
};

export function createGoogleGenerativeAi(settings: WireSettings, fetch: HttpFetch): ModelProvider {
  const provider = createGoogleGenerativeAI({
    baseURL: trimUrl(settings.baseUrl),
    apiKey: settings.apiKey ?? "none",
    headers: headersWithBearer(settings),
    fetch: fetch as unknown as typeof globalThis.fetch,
  });
  return createLanguageModelProvider(settings, provider.languageModel(settings.modelId), toCall);
}

function toCall(request: ModelRequest): LanguageModelV3CallOptions {
  const thinkingConfig = thinkingFor(request);
  return {
    prompt: toPrompt(request, STYLE),
    maxOutputTokens: request.maxTokens ?? request.model.maxTokens,
    ...(request.tools.length > 0 ? { tools: toTools(request) } : {}),
    ...(thinkingConfig ? { providerOptions: { google: { thinkingConfig } } } : {}),
  };
}

function thinkingFor({ model, thinking }: ModelRequest): Record<string, number | string | boolean> | undefined {
  if (!model.reasoning) return undefined;
  const takesLevel = /gemini-([3-9]|\d\d)/.test(model.id);
  if (thinking === "off") {
    // Only the Flash models of 2.5 can be told not to think; the others think in any case, so nothing is asked of them.
    return /2\.5-flash/.test(model.id) ? { thinkingBudget: 0 } : undefined;
  }
  const { budget, level } = THINKING[thinking];
  return { includeThoughts: true, ...(takesLevel ? { thinkingLevel: level } : { thinkingBudget: budget }) };
}
