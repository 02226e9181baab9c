// Requests and answers of HTTP routes, as their handlers know them from Node, made of plain messages.
import { STATUS_CODES } from "node:http";
import { Readable, Writable } from "node:stream";
import type { HttpRequestAsks } from "../wire/orders.ts";

type HeaderValue = string | number | readonly string[];

/** The head goes before the first part of the body. */
export type AnswerPart =
  | { readonly part: "head"; readonly status: number; readonly headers: Record<string, string | string[]> }
  | { readonly part: "body"; readonly data: string };

class Request extends Readable {
  readonly method: string;
  url: string;
  readonly headers: HttpRequestAsks["headers"];
  readonly rawHeaders: string[];
  readonly httpVersion = "1.1";
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly complete = true;
  readonly socket: object;
  readonly connection: object;

  constructor({ method, url, headers, remoteAddress, body }: HttpRequestAsks) {
    super();
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.rawHeaders = Object.entries(headers).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((one) => [name, one]),
    );
    this.socket = { remoteAddress, encrypted: false, destroy: () => this.destroy() };
    this.connection = this.socket;
    const bytes = Buffer.from(body, "base64");
    if (bytes.length > 0) this.push(bytes);
    this.push(null);
  }

  override _read(): void {}
}

class Response extends Writable {
  statusCode = 200;
  statusMessage = "";
  headersSent = false;
  readonly #headers = new Map<string, HeaderValue>();
  readonly #tell: (part: AnswerPart) => void;

  constructor(tell: (part: AnswerPart) => void) {
    super({ decodeStrings: true });
    this.#tell = tell;
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }
  getHeader(name: string): HeaderValue | undefined {
    return this.#headers.get(name.toLowerCase());
  }
  getHeaders(): Record<string, HeaderValue> {
    return Object.fromEntries(this.#headers);
  }
  getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }
  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }
  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase());
  }
  writeHead(status: number, ...more: unknown[]): this {
    this.statusCode = status;
    const headers = more.find((one) => typeof one === "object" && one !== null);
    for (const [name, value] of Object.entries(headers ?? {})) this.setHeader(name, value as HeaderValue);
    this.flushHeaders();
    return this;
  }
  flushHeaders(): void {
    if (this.headersSent) return;
    this.headersSent = true;
    this.statusMessage ||= STATUS_CODES[this.statusCode] ?? "";
    const headers = [...this.#headers].map(([name, value]): [string, string | string[]] => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]);
    this.#tell({ part: "head", status: this.statusCode, headers: Object.fromEntries(headers) });
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.flushHeaders();
    this.#tell({ part: "body", data: chunk.toString("base64") });
    done();
  }
  override _final(done: () => void): void {
    this.flushHeaders();
    done();
  }
}

/** Resolves with whether the handler took the request; when it did, after the answer has ended. */
export async function answerRequest(
  asks: HttpRequestAsks,
  handler: (request: unknown, response: unknown) => unknown,
  tell: (part: AnswerPart) => void,
  signal: AbortSignal,
): Promise<{ readonly isTaken: boolean }> {
  const request = new Request(asks);
  const response = new Response(tell);
  const over = new Promise<void>((resolve) => {
    response
      .once("finish", resolve)
      .once("close", resolve)
      .once("error", () => resolve());
  });
  signal.addEventListener("abort", () => (request.destroy(), response.destroy()), { once: true });
  const taken = await handler(request, response);
  if (taken === false && !response.headersSent && !response.writableEnded) return { isTaken: false };
  // A handler that returned may still be writing, as one of a stream does.
  await over;
  return { isTaken: true };
}
