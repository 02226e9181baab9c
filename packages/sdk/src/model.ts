// The seam for language models: one request in, a stream of events out.
import type { AgentMessage, StopReason, Usage } from "./messages.ts";

/** Wire protocols a provider can speak, by their names in the configuration. */
export const MODEL_APIS = [
  "openai-completions",
  "openai-responses",
  "openai-codex-responses",
  "anthropic-messages",
  "google-generative-ai",
  "google-gemini-cli",
  "github-copilot",
  "bedrock-converse-stream",
  "ollama",
  "demo",
] as const;
export type ModelApi = (typeof MODEL_APIS)[number];

export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ModelInfo {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly api: ModelApi;
  readonly reasoning: boolean;
  readonly input: readonly ("text" | "image")[];
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly price?: ModelPrice;
}

/** How long a model can be told to think. */
export function thinkingLevelsOf({ reasoning }: Pick<ModelInfo, "reasoning">): readonly ThinkingLevel[] {
  return reasoning ? THINKING_LEVELS : ["off"];
}

/** A tool as the model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Record<string, unknown>;
}

export interface ModelRequest {
  readonly model: ModelInfo;
  readonly system: string;
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly ModelTool[];
  readonly thinking: ThinkingLevel;
  readonly maxTokens?: number;
  /** Groups calls of one conversation, for providers that cache prompts by key. */
  readonly sessionId: string;
}

/** One call of one model with one credential, for those who explain a turn afterwards. */
export interface ModelAttempt {
  readonly provider: string;
  readonly model: string;
  /** The credential's id, never the credential. */
  readonly profileId?: string;
  readonly startedAt: number;
  /** When the first of the answer arrived. */
  readonly firstTokenAt?: number;
  readonly endedAt: number;
  /** What the provider counted. */
  readonly usage?: Usage;
  /** It was stopped by whoever asked. */
  readonly wasStopped?: true;
  /** Undefined when the model answered. */
  readonly failure?: ModelFailure;
  /** What was done about the failure. */
  readonly next?: "retry" | "next-profile" | "next-model" | "wait" | "compact" | "give-up";
}

/** Why a call failed, in words that decide what to do next. */
export type ModelFailureReason =
  | "auth"
  | "billing"
  | "rate-limit"
  | "overloaded"
  /** Something went wrong at the provider, which is no reason to go easy on it. */
  | "server-error"
  | "context-overflow"
  | "refused"
  | "bad-request"
  | "not-found"
  | "network"
  | "timeout"
  | "malformed"
  /** The answer did not come to an end, and was not read any further. */
  | "endless"
  /** A limit of ours, not of a provider. */
  | "budget"
  | "unknown";

export interface ModelFailure {
  readonly reason: ModelFailureReason;
  /** One sentence, free of secrets. */
  readonly message: string;
  readonly status?: number;
  /** Whether the same call may succeed later. */
  readonly retry: "never" | "now" | "later";
  readonly retryAfterMs?: number;
  /** When a credential that was left alone because of it is used again by itself. */
  readonly retryAt?: number;
}

export type ModelEvent =
  | { readonly kind: "text"; readonly delta: string }
  | { readonly kind: "thinking"; readonly delta: string }
  /** Closes the thinking block before it; the signature goes back to the provider with the next request. */
  | { readonly kind: "thinking-end"; readonly signature?: string; readonly redacted?: boolean }
  | {
      readonly kind: "tool-call";
      readonly id: string;
      readonly name: string;
      readonly arguments: Record<string, unknown>;
      /** The beginning of what the model wrote, when its arguments cannot be read; it is told so instead of a result. */
      readonly unreadable?: string;
      readonly signature?: string;
    }
  | {
      readonly kind: "finish";
      readonly stopReason: StopReason;
      readonly usage: Usage;
      /** The provider's own name of the answer. */
      readonly responseId?: string;
    }
  | { readonly kind: "failure"; readonly failure: ModelFailure };

/**
 * Contract: `stream` never throws and never rejects. It ends with exactly one `finish` or `failure`,
 * and nothing follows it. When `signal` aborts, the stream ends soon with `finish` and stop reason "aborted".
 */
export interface ModelProvider {
  readonly id: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
