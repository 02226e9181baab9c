// The few parts of the configuration that decide which models exist, typed loosely so that the real configuration fits.

/** A secret, or where to find it. */
export type SecretView = string | { readonly source: string; readonly id: string };

/** What a server that speaks a well-known protocol does differently. */
export interface CompatView {
  readonly supportsStore?: boolean | undefined;
  readonly supportsDeveloperRole?: boolean | undefined;
  readonly supportsReasoningEffort?: boolean | undefined;
  readonly supportsUsageInStreaming?: boolean | undefined;
  readonly supportsStrictMode?: boolean | undefined;
  readonly maxTokensField?: "max_completion_tokens" | "max_tokens" | undefined;
  /** How thinking is asked for: by an effort, or by a switch of Z.AI's or Qwen's. */
  readonly thinkingFormat?: "openai" | "zai" | "qwen" | "qwen-chat-template" | "openrouter" | undefined;
  readonly requiresToolResultName?: boolean | undefined;
  readonly requiresAssistantAfterToolResult?: boolean | undefined;
  readonly requiresThinkingAsText?: boolean | undefined;
  readonly requiresMistralToolIds?: boolean | undefined;
}

export interface ModelView {
  readonly id: string;
  readonly name?: string | undefined;
  readonly api?: string | undefined;
  readonly reasoning?: boolean | undefined;
  readonly input?: readonly ("text" | "image")[] | undefined;
  readonly cost?:
    | {
        readonly input?: number | undefined;
        readonly output?: number | undefined;
        readonly cacheRead?: number | undefined;
        readonly cacheWrite?: number | undefined;
      }
    | undefined;
  readonly contextWindow?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly compat?: CompatView | undefined;
}

export interface ProviderView {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: SecretView | undefined;
  readonly auth?: string | undefined;
  readonly api?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly authHeader?: boolean | undefined;
  readonly models?: readonly ModelView[] | undefined;
}

/** One model, or a first choice with others to take its place. */
export type ModelChoiceView =
  | string
  | { readonly primary?: string | undefined; readonly fallbacks?: readonly string[] | undefined };

/** Where credentials are tried in which order, and how long they rest. */
interface AuthView {
  readonly profiles?: Readonly<Record<string, { readonly email?: string | undefined } | undefined>> | undefined;
  readonly order?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  readonly cooldowns?:
    | {
        readonly billingBackoffHours?: number | undefined;
        readonly billingBackoffHoursByProvider?: Readonly<Record<string, number | undefined>> | undefined;
        readonly billingMaxHours?: number | undefined;
        readonly failureWindowHours?: number | undefined;
      }
    | undefined;
}

export interface ModelsConfigView {
  readonly models?:
    | {
        readonly mode?: string | undefined;
        readonly providers?: Readonly<Record<string, ProviderView | undefined>> | undefined;
      }
    | undefined;
  readonly auth?: AuthView | undefined;
  readonly agents?:
    | {
        readonly defaults?:
          | {
              readonly model?: ModelChoiceView | undefined;
              readonly models?:
                | Readonly<Record<string, { readonly alias?: string | undefined } | undefined>>
                | undefined;
            }
          | undefined;
        readonly list?: readonly { readonly id: string; readonly model?: ModelChoiceView | undefined }[] | undefined;
      }
    | undefined;
}
