// Calls to Discord's REST API: the library keeps its rate limits, we keep time and size of every answer.
import type { REST, RESTOptions } from "@discordjs/rest";
import { createHttpFetch, type HttpFetch } from "@chela/sdk/http";
import { encodeMultipart, type FilePart } from "./multipart.ts";

export type Route = `/${string}`;

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly file?: FilePart;
  readonly signal?: AbortSignal;
  /** Calls that carry a token of their own in the route are made without ours. */
  readonly auth?: false;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Rejects with the library's errors; `failureOf` and `toChannelError` say what they mean. */
export interface DiscordApi {
  call(method: Method, route: Route, options?: CallOptions): Promise<unknown>;
  /** For the library's own gateway part. */
  readonly rest: REST;
  close(): void;
}

export interface ApiParts {
  readonly REST: new (options: Partial<RESTOptions>) => REST;
  readonly token: string;
  readonly apiRoot?: string;
}

const CALL_MS = 20_000;
/** An upload is given longer: this much for each megabyte. */
const UPLOAD_MS_PER_MB = 4_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** A shorter wait is done here; a longer one, and any for a message, is for whoever asked. */
const PATIENCE_MS = 5_000;

export function openApi(parts: ApiParts): DiscordApi {
  const fetch = createHttpFetch({ maxResponseBytes: MAX_ANSWER_BYTES, onlyRepeatsReads: true });
  const rest = new parts.REST({
    ...(parts.apiRoot ? { api: parts.apiRoot } : {}),
    version: "10",
    retries: 0,
    timeout: CALL_MS * 10,
    rejectOnRateLimit: ({ method, route, retryAfter }) =>
      retryAfter > PATIENCE_MS || (method.toUpperCase() === "POST" && route.endsWith("/messages")),
    makeRequest: makeRequestWith(fetch),
  });
  rest.setToken(parts.token);
  return {
    rest,
    call: (method, route, options = {}) => call(rest, method, route, options),
    close() {
      rest.clearHandlerSweeper();
      rest.clearHashSweeper();
      fetch.close();
    },
  };
}

/** Its answers have all that the library reads of a response; the platform's own class is not needed for it. */
function makeRequestWith(fetch: HttpFetch): RESTOptions["makeRequest"] {
  return async (url, { method, headers, body, signal }) => {
    const answer = await fetch(url, {
      method: method ?? "GET",
      headers: headers as Record<string, string>,
      body: body as string | Uint8Array | null,
      signal: signal as AbortSignal | null,
    });
    return answer as unknown as Awaited<ReturnType<RESTOptions["makeRequest"]>>;
  };
}

async function call(rest: REST, method: Method, route: Route, options: CallOptions): Promise<unknown> {
  const megabytes = (options.file?.bytes.length ?? 0) / 1024 / 1024;
  const late = AbortSignal.timeout(Math.ceil(CALL_MS + megabytes * UPLOAD_MS_PER_MB));
  return rest.request({
    method: method as Parameters<REST["request"]>[0]["method"],
    fullRoute: route,
    ...bodyOf(options),
    ...(options.query ? { query: queryOf(options.query) } : {}),
    ...(options.auth === false ? { auth: false } : {}),
    signal: options.signal ? AbortSignal.any([options.signal, late]) : late,
  });
}

function bodyOf({ body, file }: CallOptions): {
  body?: unknown;
  passThroughBody?: true;
  headers?: Record<string, string>;
} {
  if (!file) return body === undefined ? {} : { body };
  const { type, bytes } = encodeMultipart(body, file);
  return { body: bytes, passThroughBody: true, headers: { "content-type": type } };
}

function queryOf(query: NonNullable<CallOptions["query"]>): URLSearchParams {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given;
}
