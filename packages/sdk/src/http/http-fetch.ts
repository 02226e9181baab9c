// HTTP calls without the platform's own fetch, which would cost 40 ms and 15 MB at its first use.
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Clock } from "../time.ts";
import { HttpHeaders, type HeaderInput } from "./http-headers.ts";

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: HeaderInput;
  readonly body?: string | Uint8Array | null;
  readonly signal?: AbortSignal | null;
}

export interface HttpFetchOptions {
  /** A response longer than this fails while it is read. Default 64 MiB. */
  readonly maxResponseBytes?: number;
  /** So does one with a line longer than this, for streams that are made of lines. Default: as long as the response. */
  readonly maxLineBytes?: number;
  /** Connections to one host at a time. Default 256: model calls are long, and must not wait for each other. */
  readonly maxSockets?: number;
  /**
   * A request that changes something is not sent again by itself when a connection breaks: whoever asked decides.
   * Absent: every request is, since nearly always the server has not seen it.
   */
  readonly onlyRepeatsReads?: boolean;
  /** An environment that may name proxies: HTTPS_PROXY, HTTP_PROXY, NO_PROXY. Absent: nobody is in between. */
  readonly proxyEnv?: Readonly<Record<string, string | undefined>>;
}

/** Enough of a `fetch` for the libraries that take one. Redirects are never followed: they come back as they are. */
export interface HttpFetch {
  (url: string | URL, request?: HttpRequest): Promise<HttpResponse>;
  /** Closes idle connections; calls that are under way end by themselves. */
  close(): void;
}

export class HttpResponse {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly redirected = false;
  readonly #incoming: IncomingMessage;
  readonly #limits: Limits;
  #headers: HttpHeaders | undefined;
  #body: ReadableStream<Uint8Array> | undefined;
  #used = false;

  constructor(url: string, incoming: IncomingMessage, limits: Limits) {
    this.url = url;
    this.status = incoming.statusCode ?? 0;
    this.statusText = incoming.statusMessage ?? "";
    this.#incoming = incoming;
    this.#limits = limits;
    // An answer may break before anybody reads it; whoever reads then is told, and until then it is no crash.
    incoming.on("error", () => undefined);
  }

  get headers(): HttpHeaders {
    return (this.#headers ??= new HttpHeaders(this.#incoming.headers));
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get bodyUsed(): boolean {
    return this.#used || (this.#body?.locked ?? false);
  }

  /** The body as a web stream. Made only when somebody asks: `chunks` is the cheaper way. */
  get body(): ReadableStream<Uint8Array> {
    return (this.#body ??= toWebStream(this.#incoming, this.#limits));
  }

  /** The body as it arrives, nothing copied. Throws when the connection is cut, the call aborted, or the cap passed. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    this.#used = true;
    const meter = createMeter(this.#limits);
    for await (const chunk of this.#incoming as AsyncIterable<Uint8Array>) {
      const problem = meter(chunk);
      if (problem) throw problem;
      yield chunk;
    }
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.#collect();
    const copy = new ArrayBuffer(bytes.length);
    new Uint8Array(copy).set(bytes);
    return copy;
  }

  async text(): Promise<string> {
    return (await this.#collect()).toString("utf8");
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** Lets go of a body that nobody wants to read. */
  discard(): void {
    this.#incoming.destroy();
  }

  async #collect(): Promise<Buffer> {
    if (!this.#body) {
      this.#used = true;
      return collect(this.#incoming, this.#limits, this.ok ? Infinity : MOST_OF_REFUSAL);
    }
    const parts: Uint8Array[] = [];
    for await (const chunk of this.#body) parts.push(chunk);
    return Buffer.concat(parts);
  }
}

export function createHttpFetch(options: HttpFetchOptions = {}): HttpFetch {
  const bytes = options.maxResponseBytes ?? 64 * 1024 * 1024;
  const limits = { bytes, line: options.maxLineBytes ?? Infinity };
  const { maxSockets = 256, proxyEnv } = options;
  const agentOptions = { keepAlive: true, maxSockets, noDelay: true, ...(proxyEnv ? { proxyEnv } : {}) };
  const doors = new Map<string, Door>();

  const doorFor = (protocol: string): Door => {
    let door = doors.get(protocol);
    if (!door) {
      door = openDoor(protocol, agentOptions);
      doors.set(protocol, door);
    }
    return door;
  };

  const fetch = async (input: string | URL, request: HttpRequest = {}): Promise<HttpResponse> => {
    request.signal?.throwIfAborted();
    const url = typeof input === "string" ? new URL(input) : input;
    const mayRepeat = !options.onlyRepeatsReads || ["GET", "HEAD"].includes(request.method ?? "GET");
    const incoming = await send(doorFor(url.protocol), url, request, mayRepeat);
    return new HttpResponse(url.href, incoming, limits);
  };
  return Object.assign(fetch, {
    close: () => {
      for (const door of doors.values()) door.agent.destroy();
      doors.clear();
    },
  });
}

/** Reads a small JSON answer, or undefined when there is none in time: for asking whether a server is there at all. */
export async function tryGetJson(
  fetch: HttpFetch,
  url: string,
  limits: { clock: Clock; timeoutMs: number; headers?: HeaderInput },
): Promise<unknown> {
  const abort = new AbortController();
  const cancel = limits.clock.after(limits.timeoutMs, () => abort.abort());
  try {
    const response = await fetch(url, {
      signal: abort.signal,
      ...(limits.headers ? { headers: limits.headers } : {}),
    });
    if (response.ok) return await response.json();
    response.discard();
    return undefined;
  } catch {
    // Refused, too slow, or not JSON: all of them mean "no such server here".
    return undefined;
  } finally {
    cancel();
  }
}

/** Shorter ones go into one piece with their headers. */
const LONG_BODY = 4096;

interface Door {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
}

/** `import "node:http"` would touch every export and so load the platform's fetch; asking for the module does not. */
function openDoor(protocol: string, agentOptions: object): Door {
  if (protocol === "http:") {
    const http = process.getBuiltinModule("node:http");
    return { request: http.request, agent: new http.Agent(agentOptions) };
  }
  if (protocol === "https:") {
    const https = process.getBuiltinModule("node:https");
    return { request: https.request, agent: new https.Agent(agentOptions) };
  }
  throw new TypeError(`Only http: and https: addresses can be called, not ${protocol}`);
}

/**
 * A server may close an idle connection at the very moment we reuse it. It has not seen the request then, so it is sent
 * once more, over a connection of its own.
 */
async function send(door: Door, url: URL, request: HttpRequest, mayRepeat: boolean): Promise<IncomingMessage> {
  const first = await sendOnce(door.request, door.agent, url, request);
  if (first.kind === "answered") return first.incoming;
  if (!mayRepeat || !first.staleConnection || request.signal?.aborted) throw first.error;
  const second = await sendOnce(door.request, false, url, request);
  // The first one may have arrived after all, so what became of it is what counts.
  if (second.kind === "failed") throw request.signal?.aborted ? second.error : first.error;
  return second.incoming;
}

type Attempt =
  | { readonly kind: "answered"; readonly incoming: IncomingMessage }
  | { readonly kind: "failed"; readonly error: unknown; readonly staleConnection: boolean };

function sendOnce(open: Door["request"], agent: Agent | false, url: URL, request: HttpRequest): Promise<Attempt> {
  return new Promise((resolve) => {
    const { signal } = request;
    const body = toWireBody(request.body);
    const outgoing = open(url, {
      method: request.method ?? "GET",
      agent,
      headers: toWireHeaders(request, body),
    });
    const abort = (): void => {
      outgoing.destroy(abortReason(signal));
    };
    signal?.addEventListener("abort", abort, { once: true });
    outgoing.once("response", (incoming) => {
      signal?.removeEventListener("abort", abort);
      if (signal) abortWith(incoming, signal);
      resolve({ kind: "answered", incoming });
    });
    // Stays for good: an error after the answer began is reported by the answer itself.
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      signal?.removeEventListener("abort", abort);
      const staleConnection = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      resolve({ kind: "failed", error: signal?.aborted ? abortReason(signal) : error, staleConnection });
    });
    // A server that changes to another protocol gives neither an answer nor an error.
    outgoing.once("close", () => {
      signal?.removeEventListener("abort", abort);
      resolve({ kind: "failed", error: cutOff(), staleConnection: false });
    });
    outgoing.end(body);
  });
}

function abortWith(incoming: IncomingMessage, signal: AbortSignal): void {
  const abort = (): void => {
    incoming.destroy(abortReason(signal));
  };
  signal.addEventListener("abort", abort, { once: true });
  incoming.once("close", () => signal.removeEventListener("abort", abort));
}

/** Always an Error named AbortError, because that name is what libraries look for. */
function abortReason(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  if (reason instanceof Error && reason.name === "AbortError") return reason;
  return Object.assign(new Error("The call was aborted", { cause: reason }), { name: "AbortError" });
}

/** A long text is encoded here, at once; the socket would count its bytes first and then need room for three times as many. */
function toWireBody(body: HttpRequest["body"]): string | Uint8Array | undefined {
  return typeof body === "string" && body.length > LONG_BODY ? Buffer.from(body) : (body ?? undefined);
}

function toWireHeaders(request: HttpRequest, body: string | Uint8Array | undefined): Record<string, string | number> {
  const wire: Record<string, string | number> = {};
  for (const [name, value] of new HttpHeaders(request.headers)) wire[name] = value;
  // Token streams are small and must not be held back by a compressor.
  wire["accept-encoding"] = "identity";
  if (body !== undefined) wire["content-length"] = Buffer.byteLength(body);
  return wire;
}

/** Short answers are many: listening costs less than iterating. */
function collect(incoming: IncomingMessage, limits: Limits, enough: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (incoming.errored) return reject(incoming.errored);
    const parts: Uint8Array[] = [];
    const meter = createMeter(limits);
    let size = 0;
    incoming.on("data", (chunk: Uint8Array) => {
      const problem = meter(chunk);
      if (problem) return void incoming.destroy(problem);
      parts.push(chunk);
      size += chunk.length;
      if (size < enough) return;
      resolve(Buffer.concat(parts));
      incoming.destroy();
    });
    incoming.once("end", () => resolve(Buffer.concat(parts)));
    incoming.once("error", reject);
    // It may have been let go of, now or before, without an error.
    const whenClosed = (): void => (incoming.readableEnded ? resolve(Buffer.concat(parts)) : reject(cutOff()));
    if (incoming.closed) whenClosed();
    else incoming.once("close", whenClosed);
  });
}

function toWebStream(incoming: IncomingMessage, limits: Limits): ReadableStream<Uint8Array> {
  const meter = createMeter(limits);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.on("data", (chunk: Uint8Array) => {
          const problem = meter(chunk);
          if (problem) return void incoming.destroy(problem);
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
        });
        if (incoming.errored) return controller.error(incoming.errored);
        incoming.once("end", () => controller.close());
        incoming.once("error", (error) => controller.error(error));
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        incoming.removeAllListeners("data").destroy();
      },
    },
    { highWaterMark: 32 },
  );
}

function cutOff(): Error {
  return Object.assign(new Error("The connection was closed before the answer was complete"), { code: "ECONNRESET" });
}

interface Limits {
  readonly bytes: number;
  readonly line: number;
}

/** Of an answer that refuses something only the beginning is read: it says why. */
const MOST_OF_REFUSAL = 64 * 1024;
const LINE_END = 10;

/** Says what is wrong as soon as one of the limits is passed. */
function createMeter({ bytes, line }: Limits): (chunk: Uint8Array) => Error | undefined {
  let size = 0;
  let open = 0;
  return (chunk) => {
    size += chunk.length;
    if (size > bytes) return tooLong(`The answer is longer than ${bytes} bytes`);
    if (line === Infinity) return undefined;
    const end = chunk.lastIndexOf(LINE_END);
    open = end < 0 ? open + chunk.length : chunk.length - end - 1;
    return open > line ? tooLong(`A line of the answer is longer than ${line} bytes`) : undefined;
  };
}

function tooLong(message: string): Error {
  return Object.assign(new RangeError(message), { code: "ERR_ANSWER_TOO_LONG" });
}
