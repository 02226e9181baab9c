// The providers and models that work without being described in the configuration. Prices only where they are certain.
import type { ModelApi, ModelPrice } from "@chela/sdk";

export interface KnownModel {
  readonly id: string;
  readonly name: string;
  readonly reasoning: boolean;
  readonly input: readonly ("text" | "image")[];
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly price?: ModelPrice;
}

export interface KnownProvider {
  readonly name: string;
  readonly api: ModelApi;
  readonly baseUrl: string;
  /** Environment variables that may hold the key, best first. None: the provider is local and needs no key. */
  readonly keyNames: readonly string[];
  /** The model to start with when only a key is there. */
  readonly defaultModel?: string;
  readonly models: readonly KnownModel[];
}

const TEXT_AND_IMAGE = ["text", "image"] as const;
const TEXT = ["text"] as const;

const model = (
  id: string,
  name: string,
  contextWindow: number,
  maxTokens: number,
  price?: readonly [input: number, output: number, cacheRead: number, cacheWrite: number],
  reasoning = true,
): KnownModel => ({
  id,
  name,
  reasoning,
  input: TEXT_AND_IMAGE,
  contextWindow,
  maxTokens,
  ...(price ? { price: { input: price[0], output: price[1], cacheRead: price[2], cacheWrite: price[3] } } : {}),
});

export const DEMO_MODEL: KnownModel = {
  id: "demo",
  name: "Demo (not a language model)",
  reasoning: true,
  input: TEXT,
  contextWindow: 32_000,
  maxTokens: 4_000,
  price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

export const KNOWN_PROVIDERS: Readonly<Record<string, KnownProvider>> = {
  anthropic: {
    name: "Anthropic",
    api: "anthropic-messages",
    baseUrl: "https://api.anthropic.com/v1",
    keyNames: ["ANTHROPIC_API_KEY"],
    defaultModel: "claude-opus-4-6",
    models: [
      model("claude-opus-4-6", "Claude Opus 4.6", 200_000, 128_000, [5, 25, 0.5, 6.25]),
      model("claude-sonnet-4-6", "Claude Sonnet 4.6", 200_000, 64_000, [3, 15, 0.3, 3.75]),
      model("claude-opus-4-5", "Claude Opus 4.5", 200_000, 64_000, [5, 25, 0.5, 6.25]),
      model("claude-sonnet-4-5", "Claude Sonnet 4.5", 200_000, 64_000, [3, 15, 0.3, 3.75]),
      model("claude-haiku-4-5", "Claude Haiku 4.5", 200_000, 64_000, [1, 5, 0.1, 1.25]),
    ],
  },
  openai: {
    name: "OpenAI",
    api: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    keyNames: ["OPENAI_API_KEY"],
    defaultModel: "gpt-5.2",
    models: [
      model("gpt-5.2", "GPT-5.2", 400_000, 128_000, [1.75, 14, 0.175, 0]),
      model("gpt-5.1", "GPT-5.1", 400_000, 128_000, [1.25, 10, 0.125, 0]),
      model("gpt-5", "GPT-5", 400_000, 128_000, [1.25, 10, 0.125, 0]),
      model("gpt-5-mini", "GPT-5 mini", 400_000, 128_000, [0.25, 2, 0.025, 0]),
      model("gpt-5-nano", "GPT-5 nano", 400_000, 128_000, [0.05, 0.4, 0.005, 0]),
      model("gpt-4.1", "GPT-4.1", 1_047_576, 32_768, [2, 8, 0.5, 0], false),
      model("gpt-4.1-mini", "GPT-4.1 mini", 1_047_576, 32_768, [0.4, 1.6, 0.1, 0], false),
    ],
  },
  google: {
    name: "Google",
    api: "google-generative-ai",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyNames: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    defaultModel: "gemini-3-pro-preview",
    models: [
      model("gemini-3-pro-preview", "Gemini 3 Pro (preview)", 1_048_576, 65_536),
      model("gemini-3-flash-preview", "Gemini 3 Flash (preview)", 1_048_576, 65_536),
      model("gemini-2.5-pro", "Gemini 2.5 Pro", 1_048_576, 65_536),
      model("gemini-2.5-flash", "Gemini 2.5 Flash", 1_048_576, 65_536),
    ],
  },
  openrouter: {
    name: "OpenRouter",
    api: "openai-completions",
    baseUrl: "https://openrouter.ai/api/v1",
    keyNames: ["OPENROUTER_API_KEY"],
    defaultModel: "anthropic/claude-sonnet-4.5",
    models: [
      model("anthropic/claude-sonnet-4.5", "Claude Sonnet 4.5 (OpenRouter)", 200_000, 64_000),
      model("openai/gpt-5.2", "GPT-5.2 (OpenRouter)", 400_000, 128_000),
      model("google/gemini-2.5-pro", "Gemini 2.5 Pro (OpenRouter)", 1_048_576, 65_536),
      { ...model("openrouter/auto", "OpenRouter picks", 128_000, 8_192), input: TEXT },
    ],
  },
  ollama: { name: "Ollama", api: "ollama", baseUrl: "http://127.0.0.1:11434", keyNames: [], models: [] },
  lmstudio: {
    name: "LM Studio",
    api: "openai-completions",
    baseUrl: "http://127.0.0.1:1234/v1",
    keyNames: [],
    models: [],
  },
  llamacpp: {
    name: "llama.cpp",
    api: "openai-completions",
    baseUrl: "http://127.0.0.1:8080/v1",
    keyNames: [],
    models: [],
  },
  demo: { name: "Demo", api: "demo", baseUrl: "", keyNames: [], defaultModel: "demo", models: [DEMO_MODEL] },
};

/** Short names that work when the model is listed in agents.defaults.models without an alias of its own. */
export const USUAL_ALIASES: Readonly<Record<string, string>> = {
  opus: "anthropic/claude-opus-4-6",
  sonnet: "anthropic/claude-sonnet-4-6",
  gpt: "openai/gpt-5.2",
  "gpt-mini": "openai/gpt-5-mini",
  gemini: "google/gemini-3-pro-preview",
  "gemini-flash": "google/gemini-3-flash-preview",
};
