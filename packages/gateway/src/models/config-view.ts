// The few parts of the configuration that decide which models exist, typed loosely so that the real configuration fits.

/** A secret, or where to find it. */
export type SecretView = string | { readonly source: string; readonly id: string };

/** What a server that speaks a well-known protocol does differently. */
export interface CompatView {
  readonly supportsStore?: boolean | undefined;
  readonly supportsDeveloperRole?: boolean | undefined;
  readonly supportsReasoningEffort?: boolean | undefined;
  readonly supportsUsageInStreaming?: boolean | undefined;
  readonly maxTokensField?: "max_completion_tokens" | "max_tokens" | undefined;
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

export interface ModelsConfigView {
  readonly models?:
    | {
        readonly mode?: string | undefined;
        readonly providers?: Readonly<Record<string, ProviderView | undefined>> | undefined;
      }
    | undefined;
  readonly agents?:
    | {
        readonly defaults?:
          | {
              readonly model?:
                | string
                | { readonly primary?: string | undefined; readonly fallbacks?: readonly string[] | undefined }
                | undefined;
              readonly models?:
                | Readonly<Record<string, { readonly alias?: string | undefined } | undefined>>
                | undefined;
            }
          | undefined;
      }
    | undefined;
}
