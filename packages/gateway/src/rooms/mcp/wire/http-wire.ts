// Speaks streamable HTTP: each message is a POST, answered with JSON or with a stream of events that ends with the answer.
import type { Clock } from "@chela/sdk";
import { isObject, parseJson } from "@chela/sdk/base";
import type { HttpFetch, HttpResponse } from "@chela/sdk/http";
import { readEvents, type StreamMarks } from "./event-stream.ts";
import { isRequest, readMessage, type RpcId, type RpcMessage } from "./messages.ts";
import { WireBroken, type SendOptions, type Wire, type WireListener } from "./wire.ts";

/** One HTTP request in the name of whoever is signed in; redirects come back as they are. */
export type Exchange = (request: ExchangeRequest) => Promise<HttpResponse>;

export interface ExchangeRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpWireParts {
  readonly url: string;
  readonly exchange: Exchange;
  readonly clock: Clock;
}

/** How often a stream that broke off is taken up again for one answer. */
const MOST_RESUMES = 5;
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

export class HttpWire implements Wire {
  readonly kind = "http" as const;
  readonly #parts: HttpWireParts;
  readonly #over = new AbortController();
  #listener: WireListener | undefined;
  #version: string | undefined;
  #sessionId: string | undefined;

  constructor(parts: HttpWireParts) {
    this.#parts = parts;
  }

  listen(listener: WireListener): void {
    this.#listener = listener;
  }

  agree(version: string): void {
    this.#version = version;
  }

  async send(message: RpcMessage, { headers = {}, signal }: SendOptions = {}): Promise<void> {
    const id = isRequest(message) ? message.id : undefined;
    const abort = signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal;
    const response = await this.#post(message, headers, abort);
    const session = response.headers.get("mcp-session-id");
    if (session) this.#sessionId = session;
    if (!response.ok) throw await refusalOf(response);
    if (id === undefined || response.status === 202) return response.discard();
    void this.#readAnswer(response, id, abort).catch((error: unknown) => this.#lose(id, error));
  }

  /** A stream for what the server says by itself; servers that have none say so, and that is well. */
  hearMore(): void {
    const marks: StreamMarks = {};
    const listen = async (): Promise<void> => {
      while (!this.#over.signal.aborted) {
        const response = await this.#get(marks, this.#over.signal);
        if (!isStream(response)) return response.discard();
        await this.#readStream(response, marks);
        await this.#pause(marks);
      }
    };
    listen().catch(() => {
      // Whatever matters is asked for; this stream only tells of it sooner.
    });
  }

  async close(): Promise<void> {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    if (this.#sessionId === undefined) return;
    const bye = { method: "DELETE" as const, url: this.#parts.url, headers: this.#ownHeaders() };
    const patience = AbortSignal.timeout(2_000);
    await this.#parts.exchange({ ...bye, signal: patience }).then(
      (response) => response.discard(),
      () => undefined,
    );
  }

  #post(message: RpcMessage, headers: SendOptions["headers"], signal: AbortSignal): Promise<HttpResponse> {
    return this.#parts.exchange({
      method: "POST",
      url: this.#parts.url,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...this.#ownHeaders(),
        ...headers,
      },
      body: JSON.stringify(message),
      signal,
    });
  }

  #get(marks: StreamMarks, signal: AbortSignal): Promise<HttpResponse> {
    return this.#parts.exchange({
      method: "GET",
      url: this.#parts.url,
      headers: {
        accept: "text/event-stream",
        ...this.#ownHeaders(),
        ...(marks.lastId === undefined ? {} : { "last-event-id": marks.lastId }),
      },
      signal,
    });
  }

  #ownHeaders(): Record<string, string> {
    return {
      ...(this.#version === undefined ? {} : { "mcp-protocol-version": this.#version }),
      ...(this.#sessionId === undefined ? {} : { "mcp-session-id": this.#sessionId }),
    };
  }

  async #readAnswer(response: HttpResponse, id: RpcId, signal: AbortSignal): Promise<void> {
    if (!isStream(response)) {
      const message = readMessage(parseJson(await response.text()));
      if (!message) throw new WireBroken("it answered with something that is no message of MCP");
      return this.#listener?.heard(message);
    }
    const marks: StreamMarks = {};
    let stream = response;
    for (let resumes = 0; ; resumes += 1) {
      if (await this.#readStream(stream, marks, id)) return;
      // Without a number there is no place to go on from.
      if (marks.lastId === undefined || resumes >= MOST_RESUMES || signal.aborted)
        throw new WireBroken("it ended its answer before it was whole");
      await this.#pause(marks);
      stream = await this.#get(marks, signal);
      if (!isStream(stream)) throw await refusalOf(stream);
    }
  }

  /** True when the answer to `id` was in it. A stream that breaks is like one that ends: both can be taken up again. */
  async #readStream(response: HttpResponse, marks: StreamMarks, id?: RpcId): Promise<boolean> {
    let isAnswered = false;
    try {
      for await (const { data, event } of readEvents(response.chunks(), marks)) {
        if (event !== "message") continue;
        const message = readMessage(parseJson(data));
        if (!message) continue;
        isAnswered ||= !("method" in message) && message.id === id;
        this.#listener?.heard(message);
      }
    } catch (error) {
      if (!isAnswered && marks.lastId === undefined) throw error;
    }
    return isAnswered;
  }

  #pause({ retryMs = RETRY_MS }: StreamMarks): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(Math.min(retryMs, LONGEST_RETRY_MS), resolve);
      this.#over.signal.addEventListener("abort", () => (cancel(), resolve()), { once: true });
    });
  }

  #lose(id: RpcId, error: unknown): void {
    if (this.#over.signal.aborted) return;
    const why = error instanceof WireBroken ? error : new WireBroken("its answer broke off", { cause: error });
    this.#listener?.lost(id, why);
  }
}

function isStream(response: HttpResponse): boolean {
  return response.ok && /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
}

const MOST_OF_REFUSAL = 4_000;

export async function refusalOf(response: HttpResponse): Promise<WireBroken> {
  const { status } = response;
  const text = await response.text().catch(() => "");
  const body = parseJson(text.slice(0, 1_000_000));
  const said = isObject(body) && isObject(body["error"]) ? body["error"]["message"] : undefined;
  const words = typeof said === "string" ? `: ${said.slice(0, MOST_OF_REFUSAL)}` : "";
  return new WireBroken(`it answered with HTTP ${status}${words}`, { status, body });
}

/** Without signing in. */
export function exchangeBy(fetch: HttpFetch): Exchange {
  return ({ method, url, headers, body, signal }) =>
    fetch(url, { method, headers, ...(body === undefined ? {} : { body }), ...(signal ? { signal } : {}) });
}
