// The providers that work with nothing but a key, or run on this machine.
import type { ModelApi } from "@chela/sdk";
import type { CompatView } from "./config-view.ts";
import { DEMO_MODEL, readCatalog, type KnownModel } from "./known-models.ts";

export interface KnownProvider {
  readonly name: string;
  readonly api: ModelApi;
  readonly baseUrl: string;
  /** Environment variables that may hold the key, best first. None: the provider is local and needs no key. */
  readonly keyNames: readonly string[];
  /** There are no keys: one signs in. */
  readonly signsIn?: true;
  /** The model to start with when only a key is there. */
  readonly defaultModel?: string;
  /** What all its models have in common beside their API. */
  readonly compat?: CompatView;
  readonly models: readonly KnownModel[];
}

type Description = Omit<KnownProvider, "models">;

/** Where the Gemini CLI's sign-in is served. */
export const CODE_ASSIST_URL = "https://cloudcode-pa.googleapis.com";

/** Whether calls need no credential, as those to servers on this machine. */
export function isOpen({ keyNames, signsIn }: Pick<KnownProvider, "keyNames" | "signsIn">): boolean {
  return keyNames.length === 0 && !signsIn;
}

const HOSTED: Readonly<Record<string, Description>> = {
  anthropic: {
    name: "Anthropic",
    api: "anthropic-messages",
    baseUrl: "https://api.anthropic.com/v1",
    keyNames: ["ANTHROPIC_API_KEY"],
    defaultModel: "claude-opus-4-6",
  },
  openai: {
    name: "OpenAI",
    api: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    keyNames: ["OPENAI_API_KEY"],
    defaultModel: "gpt-5.2",
  },
  google: {
    name: "Google",
    api: "google-generative-ai",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyNames: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    defaultModel: "gemini-3.1-pro-preview",
  },
  openrouter: chat("OpenRouter", "https://openrouter.ai/api/v1", ["OPENROUTER_API_KEY"], "anthropic/claude-sonnet-4.5"),
  groq: chat("Groq", "https://api.groq.com/openai/v1", ["GROQ_API_KEY"], "openai/gpt-oss-120b"),
  mistral: chat("Mistral", "https://api.mistral.ai/v1", ["MISTRAL_API_KEY"], "mistral-medium-latest", {
    // Fields it does not know make it refuse the whole request; counts come without being asked for.
    supportsUsageInStreaming: false,
    supportsReasoningEffort: false,
    requiresToolResultName: true,
    requiresMistralToolIds: true,
  }),
  xai: chat("xAI", "https://api.x.ai/v1", ["XAI_API_KEY"], "grok-4.7"),
  deepseek: chat("DeepSeek", "https://api.deepseek.com", ["DEEPSEEK_API_KEY"], "deepseek-v4-pro"),
  moonshot: chat("Moonshot AI", "https://api.moonshot.ai/v1", ["MOONSHOT_API_KEY"], "kimi-k3"),
  zai: chat("Z.AI", "https://api.z.ai/api/paas/v4", ["ZAI_API_KEY", "Z_AI_API_KEY"], "glm-5.3", {
    thinkingFormat: "zai",
  }),
  cerebras: chat("Cerebras", "https://api.cerebras.ai/v1", ["CEREBRAS_API_KEY"], "gpt-oss-120b"),
  together: chat("Together AI", "https://api.together.ai/v1", ["TOGETHER_API_KEY"], "moonshotai/Kimi-K3"),
  fireworks: chat(
    "Fireworks",
    "https://api.fireworks.ai/inference/v1",
    ["FIREWORKS_API_KEY"],
    "accounts/fireworks/models/kimi-k3",
  ),
  minimax: {
    name: "MiniMax",
    api: "anthropic-messages",
    baseUrl: "https://api.minimax.io/anthropic",
    keyNames: ["MINIMAX_API_KEY"],
    defaultModel: "MiniMax-M3",
  },
  qwen: chat(
    "Qwen",
    "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    ["DASHSCOPE_API_KEY", "QWEN_API_KEY"],
    "qwen3.8-max",
    { thinkingFormat: "qwen" },
  ),
  "amazon-bedrock": {
    name: "Amazon Bedrock",
    api: "bedrock-converse-stream",
    baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com",
    keyNames: ["AWS_BEARER_TOKEN_BEDROCK"],
    defaultModel: "global.anthropic.claude-opus-4-6-v1",
  },
  "github-copilot": {
    name: "GitHub Copilot",
    api: "github-copilot",
    baseUrl: "https://api.individual.githubcopilot.com",
    keyNames: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    defaultModel: "claude-sonnet-4.6",
  },
};

/** Those that have no keys. */
const SIGNED_IN: Readonly<Record<string, Description>> = {
  "openai-codex": {
    name: "OpenAI (ChatGPT subscription)",
    api: "openai-codex-responses",
    baseUrl: "https://chatgpt.com/backend-api/codex",
    keyNames: [],
    signsIn: true,
    defaultModel: "gpt-6.1-sol",
  },
  "google-gemini-cli": {
    name: "Google (Gemini CLI)",
    api: "google-gemini-cli",
    baseUrl: CODE_ASSIST_URL,
    keyNames: [],
    signsIn: true,
    defaultModel: "gemini-3.1-pro-preview",
  },
  "qwen-portal": {
    ...chat("Qwen (sign-in)", "https://portal.qwen.ai/v1", [], "coder-model"),
    signsIn: true,
  },
};

const LOCAL: Readonly<Record<string, Description>> = {
  ollama: { name: "Ollama", api: "ollama", baseUrl: "http://127.0.0.1:11434", keyNames: [] },
  lmstudio: chat("LM Studio", "http://127.0.0.1:1234/v1", []),
  llamacpp: chat("llama.cpp", "http://127.0.0.1:8080/v1", []),
  vllm: chat("vLLM", "http://127.0.0.1:8000/v1", []),
};

export const KNOWN_PROVIDERS: Readonly<Record<string, KnownProvider>> = {
  ...withModels(HOSTED),
  ...withModels(SIGNED_IN),
  ...withModels(LOCAL),
  demo: { name: "Demo", api: "demo", baseUrl: "", keyNames: [], defaultModel: "demo", models: [DEMO_MODEL] },
};

/** Short names that work when the model is listed in agents.defaults.models without an alias of its own. */
export const USUAL_ALIASES: Readonly<Record<string, string>> = {
  opus: "anthropic/claude-opus-4-6",
  sonnet: "anthropic/claude-sonnet-4-6",
  gpt: "openai/gpt-5.2",
  "gpt-mini": "openai/gpt-5-mini",
  gemini: "google/gemini-3.1-pro-preview",
  "gemini-flash": "google/gemini-3-flash-preview",
};

function chat(
  name: string,
  baseUrl: string,
  keyNames: readonly string[],
  defaultModel?: string,
  compat?: CompatView,
): Description {
  const api = "openai-completions";
  return { name, api, baseUrl, keyNames, ...(defaultModel ? { defaultModel } : {}), ...(compat ? { compat } : {}) };
}

/** Most providers are never asked for their models, so these are read from the catalogue when one is. */
function withModels(descriptions: Readonly<Record<string, Description>>): Record<string, KnownProvider> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([id, description]) => [id, withCatalog(id, description)]),
  );
}

function withCatalog(id: string, description: Description): KnownProvider {
  let models: readonly KnownModel[] | undefined;
  return {
    ...description,
    get models() {
      return (models ??= readCatalog(id));
    },
  };
}
