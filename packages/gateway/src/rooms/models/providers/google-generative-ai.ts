// Google's Gemini API.
import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type { ModelProvider, ModelRequest, ThinkingLevel } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import { createLanguageModelProvider } from "./language-model.ts";
import { toPrompt, toTools, type PromptStyle } from "./prompt.ts";
import { COMMON_EFFORT } from "./thinking-levels.ts";
import { headersWithBearer, trimUrl, type WireSettings } from "./wire.ts";

const STYLE: PromptStyle = {
  imagesInToolResults: true,
  thinkingOptions: (block) =>
    block.thinkingSignature ? { google: { thoughtSignature: block.thinkingSignature } } : undefined,
  signatureOptions: (signature) => ({ google: { thoughtSignature: signature } }),
};

/** Tokens that Gemini 2.5 may think. */
const BUDGET: Readonly<Record<Exclude<ThinkingLevel, "off">, number>> = {
  minimal: 512,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
};

export function createGoogleGenerativeAi(settings: WireSettings, fetch: HttpFetch): ModelProvider {
  return createGoogleModel(settings, fetch);
}

/** `fetch` may be any that answers as Gemini does. */
export function createGoogleModel(settings: WireSettings, fetch: unknown): ModelProvider {
  const provider = createGoogleGenerativeAI({
    baseURL: trimUrl(settings.baseUrl),
    apiKey: settings.apiKey ?? "none",
    headers: headersWithBearer(settings),
    fetch: fetch as typeof globalThis.fetch,
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
  const takesLevel = TAKES_LEVEL.test(model.id);
  if (thinking === "off") {
    if (takesLevel) return KNOWS_MINIMAL.test(model.id) ? { thinkingLevel: "minimal" } : undefined;
    // Only the Flash models of 2.5 can be told not to think; the others think in any case, so nothing is asked of them.
    return /2\.5-flash/.test(model.id) ? { thinkingBudget: 0 } : undefined;
  }
  if (!takesLevel) return { includeThoughts: true, thinkingBudget: BUDGET[thinking] };
  return { includeThoughts: true, thinkingLevel: levelFor(model.id, thinking) };
}

/** From Gemini 3 on a level takes the place of the budget. */
const TAKES_LEVEL = /gemini-([3-9]|\d\d)|gemini-(flash|flash-lite|pro)-latest|gemma-[4-9]/;
const KNOWS_MINIMAL = /gemini-3(\.[1-6])?-flash|gemini-flash(-lite)?-latest|gemma-[4-9]/;
const KNOWS_TWO_LEVELS = /gemini-3-pro|gemma/;

function levelFor(id: string, thinking: Exclude<ThinkingLevel, "off">): string {
  if (thinking === "minimal" && KNOWS_MINIMAL.test(id)) return "minimal";
  const level = COMMON_EFFORT[thinking] ?? "low";
  if (!KNOWS_TWO_LEVELS.test(id)) return level;
  if (level !== "low") return "high";
  return KNOWS_MINIMAL.test(id) ? "minimal" : "low";
}
