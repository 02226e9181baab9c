// Calls of the homeserver's client API: with time limits, capped answers, and outcomes as values.
import { defined } from "@chela/sdk/base";
import type { Clock } from "@chela/sdk";
import * as z from "zod";
import { once } from "@chela/sdk";

export interface ApiCall {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** Below `/_matrix`, made with `route`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Bytes to upload, instead of a JSON body. */
  readonly file?: { readonly content: Blob; readonly mimeType: string };
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export type ApiResult =
  | { readonly kind: "done"; readonly body: unknown }
  | Refused
  /** Nobody answered. */
  | { readonly kind: "unreachable"; readonly why: string; readonly mayHaveArrived: boolean };

interface Refused {
  readonly kind: "refused";
  readonly status: number;
  /** Matrix's own word for it, such as M_FORBIDDEN. */
  readonly code: string;
  readonly why: string;
  readonly retryAfterMs?: number;
  readonly isSoftLogout?: boolean;
}

export interface Api {
  call(call: ApiCall): Promise<ApiResult>;
  /** The bytes of something on the server, as they come. */
  stream(path: string, maxBytes: number, signal: AbortSignal): Promise<StreamResult>;
  /** Who we are from now on. */
  authorise(token: string): void;
  close(): void;
}

export type StreamResult =
  | { readonly kind: "open"; readonly bytes: AsyncIterable<Uint8Array> }
  | Exclude<ApiResult, { kind: "done" }>;

const CALL_TIMEOUT_MS = 20_000;
const STREAM_TIMEOUT_MS = 300_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Writes a path; what is filled in can never leave its place. */
export function route(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts
    .map((part, index) => part + (index < values.length ? encodeURIComponent(values[index] ?? "") : ""))
    .join("");
}

const ErrorAnswer = once(() =>
  z.object({
    errcode: z.string(),
    error: z.string().catch(""),
    retry_after_ms: z.number().nonnegative().optional().catch(undefined),
    soft_logout: z.boolean().optional().catch(undefined),
  }),
);

export function openApi(homeserver: string, clock: Clock): Api {
  let authorization: string | undefined;
  const closing = new AbortController();

  const request = async (path: string, init: RequestInit, signals: readonly AbortSignal[]): Promise<Response> =>
    fetch(`${homeserver}/_matrix${path}`, {
      ...init,
      redirect: "error",
      headers: { ...init.headers, ...(authorization ? { authorization } : {}) },
      signal: AbortSignal.any([closing.signal, ...signals]),
    });

  return {
    authorise: (token) => void (authorization = `Bearer ${token}`),
    close: () => closing.abort(),
    async call({ method, path, query, body, file, timeoutMs = CALL_TIMEOUT_MS, signal }) {
      const late = new AbortController();
      const cancel = clock.after(timeoutMs, () => late.abort());
      try {
        const content = file ? file.content : body === undefined ? undefined : JSON.stringify(body);
        const type = file?.mimeType ?? (body === undefined ? undefined : "application/json");
        const init = {
          method,
          ...defined({ body: content }),
          ...(type === undefined ? {} : { headers: { "content-type": type } }),
        };
        const response = await request(path + queryText(query), init, [late.signal, ...(signal ? [signal] : [])]);
        const answer = await readJson(response);
        return response.ok ? { kind: "done", body: answer } : refusal(response, answer);
      } catch (error) {
        return { kind: "unreachable", ...describe(error, late.signal.aborted) };
      } finally {
        cancel();
      }
    },
    async stream(path, maxBytes, signal) {
      const late = new AbortController();
      const cancel = clock.after(STREAM_TIMEOUT_MS, () => late.abort());
      try {
        const response = await request(path, { method: "GET" }, [signal, late.signal]);
        if (response.ok) return { kind: "open", bytes: capped(response, maxBytes, cancel) };
        const answer = await readJson(response);
        cancel();
        return refusal(response, answer);
      } catch (error) {
        cancel();
        return { kind: "unreachable", ...describe(error, late.signal.aborted) };
      }
    },
  };
}

function queryText(query: ApiCall["query"]): string {
  const given = Object.entries(query ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}

async function readJson(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  for await (const part of capped(response, MAX_ANSWER_BYTES, () => {})) parts.push(part);
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    return undefined;
  }
}

async function* capped(response: Response, maxBytes: number, done: () => void): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > maxBytes) throw new RangeError(`more than ${maxBytes} bytes came`);
      yield part;
    }
  } finally {
    done();
  }
}

/** A page of a proxy is not the homeserver's word: nobody's token is refused by it, and no position is unknown. */
function refusal(response: Response, answer: unknown): Exclude<ApiResult, { kind: "done" }> {
  const { status } = response;
  const read = ErrorAnswer().safeParse(answer);
  const header = Number(response.headers.get("retry-after"));
  const waitMs = header > 0 ? header * 1000 : undefined;
  if (!read.success && !SAID_BY_ANYBODY.has(status)) {
    const why = `somebody who does not speak Matrix answered for the homeserver (status ${status})`;
    return { kind: "unreachable", why, mayHaveArrived: status >= 500 };
  }
  const { errcode = "M_UNKNOWN", error = "", retry_after_ms, soft_logout } = read.data ?? {};
  const retryAfterMs = retry_after_ms ?? waitMs;
  return {
    kind: "refused",
    status,
    code: errcode,
    why: `${errcode}${error ? `: ${error.slice(0, 200)}` : ` (status ${status})`}`,
    ...defined({ retryAfterMs }),
    ...(soft_logout ? { isSoftLogout: true } : {}),
  };
}

/** Too large, too often: true whoever says it. */
const SAID_BY_ANYBODY: ReadonlySet<number> = new Set([413, 429]);

/** Before there was a connection, nothing can have arrived. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Only known codes are told: a library's text may hold addresses and more. */
function describe(error: unknown, isLate: boolean): { why: string; mayHaveArrived: boolean } {
  if (isLate) return { why: "the homeserver did not answer in time", mayHaveArrived: true };
  const cause = (error as { cause?: { code?: unknown } } | undefined)?.cause;
  const code = typeof cause?.code === "string" && /^[A-Z_]+$/.test(cause.code) ? cause.code : undefined;
  if (error instanceof RangeError) return { why: "the homeserver's answer is too long", mayHaveArrived: true };
  return {
    why: `the homeserver cannot be reached${code ? ` (${code})` : ""}`,
    mayHaveArrived: code === undefined || !NEVER_SENT.has(code),
  };
}
