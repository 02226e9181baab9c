// The tool `web_fetch`: fetches a page, takes out its readable text, and marks it as coming from outside.
import { toGatewayError, type Clock, type Ids, type ToolContext, type ToolOutput } from "@chela/sdk";
import { externalLine, wrapExternalContent } from "../../../base/text/external-content.ts";
import type { SafeFetch, SafeResponse } from "../../../base/http/safe-fetch.ts";
import type { BoundedCache } from "./bounded-cache.ts";
import type { Firecrawl } from "./firecrawl.ts";
import { decodePage } from "./page-charset.ts";
import { kindOfPage } from "./page-kind.ts";
import { readPage, type ExtractMode } from "./readable-page.ts";
import { DEFAULT_CACHE_MINUTES, DEFAULT_TIMEOUT_SECONDS, type FetchSettings } from "./web-settings.ts";

export interface FetchArguments {
  readonly url: string;
  readonly extractMode?: ExtractMode | undefined;
  readonly maxChars?: number | undefined;
}

export interface FetchPageParts {
  readonly fetch: SafeFetch;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly cache: BoundedCache<FetchedPage>;
  /** Asked for what cannot be read directly. */
  readonly firecrawl?: Firecrawl | undefined;
}

/** A page as it is kept: read once, cut and marked anew for each who asks. */
export interface FetchedPage {
  readonly finalUrl: string;
  readonly status: number;
  readonly contentType: string;
  readonly title?: string;
  readonly text: string;
  readonly extractor: "readability" | "raw" | "json" | "cf-markdown" | "firecrawl";
  readonly isCut: boolean;
  readonly fetchedAt: number;
}

const MAX_BODY_BYTES = 2_000_000;
const DEFAULT_MAX_CHARS = 50_000;
const LEAST_CHARS = 100;
/** An error page is worth a glance, no more. */
const ERROR_PAGE_CHARS = 2_000;
const DEFAULT_USER_AGENT = "Mozilla/5.0 (compatible; Chela; +reader)";
const ACCEPT =
  "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/json;q=0.8, text/*;q=0.7, */*;q=0.1";

export async function fetchPage(
  args: FetchArguments,
  settings: FetchSettings,
  parts: FetchPageParts,
  context: Pick<ToolContext, "signal">,
): Promise<ToolOutput> {
  const mode = args.extractMode ?? "markdown";
  const startedAt = parts.clock.steady();
  const key = `${mode} ${args.url}`;
  const kept = parts.cache.get(key);
  const page = kept ?? (await readAnew(args.url, mode, { settings, parts, signal: context.signal }));
  const isError = page.status >= 400;
  if (!kept && !isError) {
    const ms = (settings.cacheTtlMinutes ?? DEFAULT_CACHE_MINUTES) * 60_000;
    parts.cache.put(key, page, { ms, bytes: page.text.length * 2 + 1000 });
  }
  const cap = settings.maxCharsCap ?? DEFAULT_MAX_CHARS;
  const wanted = args.maxChars ?? settings.maxChars ?? DEFAULT_MAX_CHARS;
  const maxChars = isError ? ERROR_PAGE_CHARS : Math.max(LEAST_CHARS, Math.min(wanted, cap));
  const details = { url: args.url, ...describePage(page, mode, maxChars, parts), ...(kept ? { cached: true } : {}) };
  const told = { ...details, tookMs: parts.clock.steady() - startedAt };
  return {
    content: [{ type: "text", text: JSON.stringify(told, null, 2) }],
    details: told,
    ...(isError ? { isError } : {}),
  };
}

interface Ways {
  readonly settings: FetchSettings;
  readonly parts: FetchPageParts;
  readonly signal: AbortSignal;
}

/** Directly, or by Firecrawl where that leads to nothing. What is refused here is asked of nobody else. */
async function readAnew(url: string, mode: ExtractMode, ways: Ways): Promise<FetchedPage> {
  const { firecrawl } = ways.parts;
  const direct = await fetchAnew(url, mode, ways).catch((error: unknown) => {
    if (!firecrawl || !MAY_BE_READ_ELSEWHERE.has(toGatewayError(error, "FETCH_REFUSED").code)) throw error;
    return error as Error;
  });
  if (!firecrawl || (!(direct instanceof Error) && !isDisappointing(direct))) return direct as FetchedPage;
  try {
    const { readByFirecrawl } = await import("./firecrawl.ts");
    const read = await readByFirecrawl(url, firecrawl, { fetch: ways.parts.fetch, signal: ways.signal });
    const known = { contentType: "text/markdown", extractor: "firecrawl" as const, isCut: false };
    return { ...read, ...known, finalUrl: externalLine(read.finalUrl), fetchedAt: ways.parts.clock.now() };
  } catch {
    ways.signal.throwIfAborted();
    // What came of the first try says more about the page.
    if (!(direct instanceof Error)) return direct;
    throw direct;
  }
}

const MAY_BE_READ_ELSEWHERE: ReadonlySet<string> = new Set(["FETCH_FAILED", "FETCH_TIMEOUT", "FETCH_TOO_LARGE"]);
/** Pages that are not there are nowhere else either. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** Refused to programs, or without anything to read. */
function isDisappointing({ status, text }: FetchedPage): boolean {
  return (status >= 400 && !GONE.has(status)) || (status < 400 && text.trim() === "");
}

async function fetchAnew(url: string, mode: ExtractMode, { settings, parts, signal }: Ways): Promise<FetchedPage> {
  const response = await parts.fetch(url, {
    headers: {
      accept: ACCEPT,
      "accept-language": "en;q=0.8, *;q=0.5",
      "user-agent": settings.userAgent ?? DEFAULT_USER_AGENT,
    },
    signal,
    maxBytes: MAX_BODY_BYTES,
    whenTooLong: "cut",
    timeoutMs: (settings.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    ...(settings.maxRedirects === undefined ? {} : { maxRedirects: settings.maxRedirects }),
  });
  const contentType = response.headers.get("content-type") ?? "";
  const content = await extract(response, contentType, mode);
  signal.throwIfAborted();
  return {
    finalUrl: response.url,
    status: response.status,
    contentType: externalLine(contentType),
    ...content,
    isCut: response.isCut,
    fetchedAt: parts.clock.now(),
  };
}

type Extracted = Pick<FetchedPage, "title" | "text" | "extractor">;

async function extract(response: SafeResponse, contentType: string, mode: ExtractMode): Promise<Extracted> {
  const kind = kindOfPage(contentType, response.bytes);
  const text = decodePage(response.bytes, contentType);
  switch (kind) {
    case "html":
      return await readPage(text, response.url, mode);
    case "json":
      return printJson(text);
    case "markdown":
      return { text, extractor: "cf-markdown" };
    case "text":
      return { text, extractor: "raw" };
  }
}

/** JSON that was cut, or is none, is still worth reading as it is. */
function printJson(text: string): Extracted {
  try {
    return { text: JSON.stringify(JSON.parse(text), null, 2), extractor: "json" };
  } catch {
    return { text, extractor: "raw" };
  }
}

function describePage(page: FetchedPage, mode: ExtractMode, maxChars: number, { ids }: FetchPageParts) {
  const isTruncated = page.text.length > maxChars;
  const shown = isTruncated ? wholeCharacters(page.text.slice(0, maxChars)) : page.text;
  const text = wrapExternalContent(shown, { source: page.finalUrl, about: { Title: page.title } }, ids);
  return {
    finalUrl: page.finalUrl,
    status: page.status,
    contentType: page.contentType,
    ...(page.title ? { title: externalLine(page.title) } : {}),
    extractMode: mode,
    extractor: page.extractor,
    externalContent: { untrusted: true, source: "web_fetch", wrapped: true },
    truncated: isTruncated || page.isCut,
    length: text.length,
    rawLength: shown.length,
    wrappedLength: text.length,
    fetchedAt: new Date(page.fetchedAt).toISOString(),
    ...(page.isCut ? { warning: `Only the first ${MAX_BODY_BYTES / 1_000_000} MB of the page were read.` } : {}),
    text,
  };
}

/** Half of a surrogate pair is no text. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}
