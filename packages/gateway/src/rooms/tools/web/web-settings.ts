// Settings of the tools for the web (`tools.web`), and what holds when nothing is said.

export const SEARCH_PROVIDERS = ["brave", "gemini", "kimi", "perplexity", "grok", "searxng"] as const;
export type SearchProviderName = (typeof SEARCH_PROVIDERS)[number];

interface KeyedProvider {
  readonly apiKey?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

export interface SearchSettings {
  readonly enabled?: boolean | undefined;
  readonly provider?: SearchProviderName | undefined;
  /** Brave's key. */
  readonly apiKey?: string | undefined;
  readonly maxResults?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly cacheTtlMinutes?: number | undefined;
  readonly perplexity?: KeyedProvider | undefined;
  readonly grok?: (KeyedProvider & { readonly inlineCitations?: boolean | undefined }) | undefined;
  readonly gemini?: KeyedProvider | undefined;
  readonly kimi?: KeyedProvider | undefined;
  readonly searxng?: { readonly baseUrl?: string | undefined } | undefined;
}

export interface FetchSettings {
  readonly enabled?: boolean | undefined;
  readonly maxChars?: number | undefined;
  readonly maxCharsCap?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly cacheTtlMinutes?: number | undefined;
  readonly maxRedirects?: number | undefined;
  readonly userAgent?: string | undefined;
  readonly firecrawl?: FirecrawlSettings | undefined;
}

export interface FirecrawlSettings {
  readonly enabled?: boolean | undefined;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly onlyMainContent?: boolean | undefined;
  readonly maxAgeMs?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface WebSettings {
  readonly search?: SearchSettings | undefined;
  readonly fetch?: FetchSettings | undefined;
}

export const DEFAULT_TIMEOUT_SECONDS = 30;
export const DEFAULT_CACHE_MINUTES = 15;
