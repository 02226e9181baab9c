// Interface of a search provider: what it is given and gives back; each knows only its own wire format.
import { GatewayError } from "@chela/sdk";
import type * as z from "zod";
import type { SafeFetch, SafeRequest } from "../../../../base/http/safe-fetch.ts";
import type { Freshness } from "../freshness.ts";
import type { SearchProviderName } from "../web-settings.ts";

export interface SearchQuery {
  readonly query: string;
  readonly count: number;
  readonly country?: string | undefined;
  readonly searchLang?: string | undefined;
  readonly uiLang?: string | undefined;
  readonly freshness?: Freshness | undefined;
}

interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly published?: string | undefined;
}

export interface Citation {
  readonly url: string;
  readonly title?: string | undefined;
}

export type SearchAnswer =
  | { readonly kind: "results"; readonly results: readonly SearchResult[] }
  /** Written by a model that searched. */
  | {
      readonly kind: "answer";
      readonly model: string;
      readonly content: string;
      readonly citations: readonly Citation[];
    };

/** A provider that is ready to be asked: its key and address are known. */
export interface ReadyProvider {
  readonly name: SearchProviderName;
  readonly apiKey: string;
  readonly baseUrl: string;
  /** The operator chose the address, so it may be a private one. */
  readonly isOwnAddress: boolean;
  readonly model: string;
  readonly inlineCitations: boolean;
}

export interface SearchWays {
  readonly fetch: SafeFetch;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export type Search = (query: SearchQuery, provider: ReadyProvider, ways: SearchWays) => Promise<SearchAnswer>;

const MAX_ANSWER_BYTES = 2_000_000;

/** Redirects are not followed: a key belongs to the address it was given for. */
export async function askProvider<S extends z.ZodType>(
  path: string,
  request: Pick<SafeRequest, "headers"> & { readonly json?: unknown },
  schema: S,
  { provider, ways }: { readonly provider: ReadyProvider; readonly ways: SearchWays },
): Promise<z.output<S>> {
  const url = new URL(`${provider.baseUrl.replace(/\/+$/, "")}${path}`);
  const body = request.json === undefined ? {} : { body: JSON.stringify(request.json) };
  const type = request.json === undefined ? {} : { "content-type": "application/json" };
  const response = await ways.fetch(url, {
    headers: { accept: "application/json", ...type, ...request.headers },
    ...body,
    signal: ways.signal,
    timeoutMs: ways.timeoutMs,
    idleMs: ways.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    maxRedirects: 0,
    allowPrivate: provider.isOwnAddress ? [url.hostname] : [],
  });
  if (response.status !== 200) throw explainStatus(provider.name, response.status);
  return readAnswer(response.bytes.toString(), schema, provider.name);
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

function readAnswer<S extends z.ZodType>(text: string, schema: S, name: string): z.output<S> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new GatewayError("SEARCH_FAILED", `${name} did not answer with JSON`, { cause: error });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new GatewayError("SEARCH_FAILED", `${name} answered in a form we do not know`, { cause: parsed.error });
}

/** In our words: what a provider writes into an error may repeat the key. */
function explainStatus(name: string, status: number): GatewayError {
  if (status === 401 || status === 403) {
    const hint = name === "searxng" ? "; its settings must allow the format json" : "; check the key";
    return new GatewayError("SEARCH_KEY", `${name} refused the request (${status})${hint}`);
  }
  if (status === 402) return new GatewayError("SEARCH_KEY", `the account at ${name} has no credit left`);
  if (status === 429) return new GatewayError("SEARCH_FAILED", `${name} asks for a pause (429)`);
  return new GatewayError("SEARCH_FAILED", `${name} answered with status ${status}`);
}
