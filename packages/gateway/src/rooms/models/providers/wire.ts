// Parts of every wire API: where to call, with which credential, and how the server differs.
import type { Clock, ModelApi, ModelProvider } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import type { CompatView } from "../config-view.ts";
import type { AwsAccess } from "./aws/aws-access.ts";
import type { CopilotTokens } from "./sign-in/copilot-tokens.ts";

/** One provider as one model sees it. Two equal settings are the same wire. */
export interface WireSettings {
  readonly provider: string;
  readonly modelId: string;
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** Send the key as `Authorization: Bearer`, whatever the API's own header is. */
  readonly bearer: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly compat: CompatView;
  /** The project of Google that calls are made in. */
  readonly projectId?: string;
  /** Signs calls of Bedrock when there is no key. */
  readonly aws?: AwsAccess;
}

/** What a few APIs need beside their settings. */
export interface WireTools {
  readonly clock?: Clock;
  /** Shared by all models of GitHub Copilot, so that they use one token. */
  readonly copilotTokens?: CopilotTokens;
}

export type CreateWire = (settings: WireSettings, fetch: HttpFetch, tools?: WireTools) => ModelProvider;

/** Each API is a chunk of its own, loaded when the first model that speaks it is called. */
export async function loadWire(api: Exclude<ModelApi, "demo">, _provider?: string): Promise<CreateWire> {
  switch (api) {
    case "openai-completions":
      return (await import("./openai/openai-completions.ts")).createOpenaiCompletions;
    case "openai-responses":
      return (await import("./openai/openai-responses.ts")).createOpenaiResponses;
    case "openai-codex-responses":
      return (await import("./openai/openai-responses.ts")).createOpenaiCodexResponses;
    case "anthropic-messages":
      return (await import("./anthropic-messages.ts")).createAnthropicMessages;
    case "google-generative-ai":
      return (await import("./google-generative-ai.ts")).createGoogleGenerativeAi;
    case "google-gemini-cli":
      return (await import("./google-gemini-cli.ts")).createGoogleGeminiCli;
    case "github-copilot":
      return (await import("./github-copilot.ts")).createGithubCopilot;
    case "bedrock-converse-stream":
      return (await import("./aws/bedrock-converse.ts")).createBedrockConverse;
    case "ollama":
      return (await import("./ollama.ts")).createOllama;
  }
}

/** The address without slashes at its end and without `suffix`. */
export function trimUrl(url: string, suffix = ""): string {
  const bare = url.replace(/\/+$/, "");
  return suffix && bare.endsWith(suffix) ? bare.slice(0, -suffix.length).replace(/\/+$/, "") : bare;
}

/** The given headers, plus the bearer credential where the settings ask for it. */
export function headersWithBearer(settings: WireSettings): Record<string, string> {
  if (!settings.bearer || !settings.apiKey) return { ...settings.headers };
  return { Authorization: `Bearer ${settings.apiKey}`, ...settings.headers };
}
