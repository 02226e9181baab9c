// Carries calls to the Bot API and knows whether a request had left when it failed: that decides whether it may be repeated.
import { parseJson } from "@chela/sdk/base";
import { errnoOf } from "@chela/sdk/files";
import { HttpResponse, openPool, writeInPieces } from "@chela/sdk/http";

/** Never holds the address: the token is part of it. */
export class TransportError extends Error {
  readonly hadLeft: boolean;

  constructor(why: string, hadLeft: boolean) {
    super(why);
    this.name = "TransportError";
    this.hadLeft = hadLeft;
  }
}

interface Call {
  readonly headers?: Record<string, string>;
  readonly body: string | AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

/** As much of a `fetch` as the Bot API's client needs. */
export interface Transport {
  fetch(url: string, call: Call): Promise<{ json(): Promise<unknown> }>;
  close(): void;
}

/** A hundred updates are far smaller. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export function createTransport(): Transport {
  const pool = openPool();
  return {
    async fetch(address, { headers = {}, body, signal }) {
      // An idle connection that was closed meanwhile is no reason to fail: the request is sent once more.
      const wire = typeof body === "string" ? body : writeInPieces(body);
      const request = { method: "POST", headers, body: wire, signal, mayRepeat: true };
      const carried = await pool.carry(new URL(address), request);
      if (carried.kind === "failed") throw new TransportError(reasonOf(carried.error), carried.hadLeft);
      const answer = new HttpResponse("", carried.incoming, { bytes: MAX_ANSWER_BYTES, line: Infinity });
      return { json: () => readAnswer(answer) };
    },
    close: () => pool.close(),
  };
}

async function readAnswer(answer: HttpResponse): Promise<unknown> {
  try {
    return toApiAnswer(answer.status, await answer.text());
  } catch (error) {
    throw new TransportError(reasonOf(error), true);
  }
}

/** By these Telegram says that a token or a chat is no good. A proxy that shows a page with them says nothing of that. */
const TELEGRAMS_OWN: ReadonlySet<number> = new Set([401, 403, 404, 409]);
const BAD_GATEWAY = 502;

/** Proxies and some servers answer with pages of their own; only their status can be used then. */
function toApiAnswer(status: number, text: string): unknown {
  const parsed = parseJson(text);
  const isApiAnswer = typeof parsed === "object" && parsed !== null && "ok" in parsed;
  if (isApiAnswer) return parsed;
  const isPage = text.trimStart().startsWith("<");
  const error_code = isPage && TELEGRAMS_OWN.has(status) ? BAD_GATEWAY : status;
  return { ok: false, error_code, description: `the server answered with status ${status}` };
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "AbortError") return "the call took too long or was stopped";
  const code = errnoOf(error);
  if (code) return `the connection failed (${code})`;
  return error instanceof Error ? error.message : "the connection failed";
}
