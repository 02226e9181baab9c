// The tool `web_search`: asks the provider, keeps the answer for a while, and marks it as coming from outside.
import type { Clock, Ids, ToolContext, ToolOutput } from "@chela/sdk";
import { externalLine, neutralizeExternal, wrapExternalContent } from "../../../base/text/external-content.ts";
import type { SafeFetch } from "../../../base/http/safe-fetch.ts";
import type { BoundedCache } from "./bounded-cache.ts";
import { parseFreshness } from "./freshness.ts";
import type { ReadyProvider, Search, SearchAnswer, SearchQuery } from "./search/search-provider.ts";
import {
  DEFAULT_CACHE_MINUTES,
  DEFAULT_TIMEOUT_SECONDS,
  type SearchProviderName,
  type SearchSettings,
} from "./web-settings.ts";

export interface SearchArguments {
  readonly query: string;
  readonly count?: number | undefined;
  readonly country?: string | undefined;
  readonly search_lang?: string | undefined;
  readonly ui_lang?: string | undefined;
  readonly freshness?: string | undefined;
}

export interface SearchWebParts {
  readonly fetch: SafeFetch;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly cache: BoundedCache<SearchAnswer>;
}

const DEFAULT_RESULTS = 5;
const MOST_RESULTS = 10;
const MAX_DESCRIPTION = 1_000;
const MAX_CONTENT = 20_000;
const MAX_CITATIONS = 20;

const SEARCHES: Readonly<Record<SearchProviderName, () => Promise<{ readonly search: Search }>>> = {
  brave: () => import("./search/brave.ts"),
  gemini: () => import("./search/gemini.ts"),
  kimi: () => import("./search/kimi.ts"),
  perplexity: () => import("./search/perplexity.ts"),
  grok: () => import("./search/grok.ts"),
  searxng: () => import("./search/searxng.ts"),
};

export async function searchWeb(
  args: SearchArguments,
  { settings, provider }: { readonly settings: SearchSettings; readonly provider: ReadyProvider },
  parts: SearchWebParts,
  context: Pick<ToolContext, "signal">,
): Promise<ToolOutput> {
  const startedAt = parts.clock.steady();
  const query = toQuery(args, settings);
  const key = JSON.stringify([provider.name, provider.baseUrl, provider.model, query]);
  const kept = parts.cache.get(key);
  const answer = kept ?? (await ask(query, settings, provider, { parts, signal: context.signal }));
  if (!kept) {
    const ms = (settings.cacheTtlMinutes ?? DEFAULT_CACHE_MINUTES) * 60_000;
    parts.cache.put(key, answer, { ms, bytes: JSON.stringify(answer).length * 2 });
  }
  const details = {
    query: args.query,
    provider: provider.name,
    ...describeAnswer(answer),
    tookMs: parts.clock.steady() - startedAt,
    externalContent: { untrusted: true, source: "web_search", provider: provider.name, wrapped: true },
    ...(kept ? { cached: true } : {}),
  };
  const text = wrapExternalContent(tell(details), { source: `web search by ${provider.name}` }, parts.ids);
  return { content: [{ type: "text", text }], details };
}

function toQuery(args: SearchArguments, settings: SearchSettings): SearchQuery {
  return {
    query: args.query.trim(),
    count: Math.min(MOST_RESULTS, args.count ?? settings.maxResults ?? DEFAULT_RESULTS),
    country: args.country,
    searchLang: args.search_lang,
    uiLang: args.ui_lang,
    freshness: args.freshness ? parseFreshness(args.freshness) : undefined,
  };
}

async function ask(
  query: SearchQuery,
  settings: SearchSettings,
  provider: ReadyProvider,
  { parts, signal }: { readonly parts: SearchWebParts; readonly signal: AbortSignal },
): Promise<SearchAnswer> {
  const { search } = await SEARCHES[provider.name]();
  const timeoutMs = (settings.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  return await search(query, provider, { fetch: parts.fetch, signal, timeoutMs });
}

/** Every word in here was written elsewhere; none of it may look like one of our markers. */
function describeAnswer(answer: SearchAnswer) {
  if (answer.kind === "answer") {
    const citations = answer.citations.slice(0, MAX_CITATIONS).map(({ url, title }) => ({
      url: externalLine(url),
      ...(title ? { title: externalLine(title) } : {}),
    }));
    return { model: answer.model, content: neutralizeExternal(answer.content).slice(0, MAX_CONTENT), citations };
  }
  const results = answer.results.map(({ title, url, description, published }) => ({
    title: externalLine(withoutTags(title)),
    url: externalLine(url),
    description: neutralizeExternal(withoutTags(description)).slice(0, MAX_DESCRIPTION),
    ...(published ? { published: externalLine(published) } : {}),
    ...siteOf(url),
  }));
  return { count: results.length, results };
}

/** Providers mark the words that were found with <strong>. */
function withoutTags(text: string): string {
  return text.replace(/<\/?(?:strong|b|em|mark)>/g, "");
}

function siteOf(url: string): { siteName?: string } {
  const host = URL.parse(url)?.hostname;
  return host ? { siteName: host.replace(/^www\./, "") } : {};
}

/** For the model: what was found, and nothing it does not need. */
function tell(details: ReturnType<typeof describeAnswer>): string {
  const told = "results" in details ? details.results : { content: details.content, citations: details.citations };
  if (Array.isArray(told) && told.length === 0) return "Nothing was found. Try other words.";
  return JSON.stringify(told, null, 2);
}
