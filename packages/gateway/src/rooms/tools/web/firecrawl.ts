// Firecrawl: a service that reads pages for others, asked for those that cannot be read directly, when somebody set it up.
import * as z from "zod";
import { GatewayError, once } from "@chela/sdk";
import type { SafeFetch } from "../../../base/http/safe-fetch.ts";
import type { Environment } from "./choose-provider.ts";
import type { FirecrawlSettings } from "./web-settings.ts";

/** A service that is ready to be asked. */
export interface Firecrawl {
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
  /** The operator chose the address, so it may be a private one. */
  readonly isOwnAddress: boolean;
  readonly onlyMainContent: boolean;
  readonly maxAgeMs: number;
  readonly timeoutMs: number;
}

export interface ReadByFirecrawl {
  readonly finalUrl: string;
  readonly status: number;
  readonly title?: string;
  readonly text: string;
}

const ADDRESS = "https://api.firecrawl.dev";
const DAY_MS = 86_400_000;
const TIMEOUT_SECONDS = 60;
const MAX_ANSWER_BYTES = 4_000_000;

const Answer = once(() =>
  z.object({
    success: z.boolean(),
    data: z
      .object({
        markdown: z.string().nullish(),
        metadata: z
          .object({
            title: z
              .union([z.string(), z.array(z.string())])
              .nullish()
              .catch(null),
            sourceURL: z.string().nullish().catch(null),
            url: z.string().nullish().catch(null),
            statusCode: z.number().nullish().catch(null),
          })
          .nullish(),
      })
      .nullish(),
  }),
);

/** Undefined unless it is set up: nobody's addresses are told to a service by themselves. */
export function chooseFirecrawl(settings: FirecrawlSettings, environment: Environment): Firecrawl | undefined {
  const apiKey = (settings.apiKey ?? environment("FIRECRAWL_API_KEY"))?.trim() || undefined;
  const own = settings.baseUrl?.trim() || undefined;
  if (settings.enabled === false || (!apiKey && !own)) return undefined;
  return {
    apiKey,
    baseUrl: own ?? ADDRESS,
    isOwnAddress: own !== undefined,
    onlyMainContent: settings.onlyMainContent ?? true,
    maxAgeMs: settings.maxAgeMs ?? DAY_MS,
    timeoutMs: (settings.timeoutSeconds ?? TIMEOUT_SECONDS) * 1000,
  };
}

/** Redirects are not followed: a key belongs to the address it was given for. */
export async function readByFirecrawl(
  page: string,
  service: Firecrawl,
  { fetch: ask, signal }: { readonly fetch: SafeFetch; readonly signal: AbortSignal },
): Promise<ReadByFirecrawl> {
  const { apiKey, baseUrl, isOwnAddress, onlyMainContent, maxAgeMs, timeoutMs } = service;
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}/v2/scrape`);
  const asked = { url: page, formats: ["markdown"], onlyMainContent, maxAge: maxAgeMs, timeout: timeoutMs };
  const response = await ask(url, {
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    },
    body: JSON.stringify(asked),
    signal,
    timeoutMs,
    idleMs: timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    maxRedirects: 0,
    allowPrivate: isOwnAddress ? [url.hostname] : [],
  });
  if (response.status !== 200)
    throw new GatewayError("FETCH_FAILED", `Firecrawl answered with status ${response.status}`);
  return pageOf(response.bytes.toString(), page);
}

function pageOf(text: string, page: string): ReadByFirecrawl {
  const { data: answer } = Answer().safeParse(parsed(text));
  const markdown = answer?.success ? answer.data?.markdown?.trim() : undefined;
  if (!markdown) throw new GatewayError("FETCH_FAILED", "Firecrawl could not read the page either");
  const { title, sourceURL, url, statusCode } = answer?.data?.metadata ?? {};
  const name = Array.isArray(title) ? title[0] : title;
  return {
    finalUrl: url ?? sourceURL ?? page,
    status: statusCode ?? 200,
    ...(name ? { title: name } : {}),
    text: markdown,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
