// The answer to an HTTP request: its head, and a body that is read once, as it comes or whole, within limits.
import type { IncomingMessage } from "node:http";
import { HttpHeaders } from "./http-headers.ts";
import { cutOff } from "./transport.ts";

/** What of an answer is too much. */
export interface AnswerLimits {
  readonly bytes: number;
  /** Of one line, for streams that are made of lines. */
  readonly line: number;
}

export class HttpResponse {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly redirected = false;
  readonly #incoming: IncomingMessage;
  readonly #limits: AnswerLimits;
  #headers: HttpHeaders | undefined;
  #body: ReadableStream<Uint8Array> | undefined;
  #used = false;

  constructor(url: string, incoming: IncomingMessage, limits: AnswerLimits) {
    this.url = url;
    this.status = incoming.statusCode ?? 0;
    this.statusText = incoming.statusMessage ?? "";
    this.#incoming = incoming;
    this.#limits = limits;
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

/** Short answers are many: listening costs less than iterating. */
function collect(incoming: IncomingMessage, limits: AnswerLimits, enough: number): Promise<Buffer> {
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

function toWebStream(incoming: IncomingMessage, limits: AnswerLimits): ReadableStream<Uint8Array> {
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

/** Of an answer that refuses something only the beginning is read: it says why. */
const MOST_OF_REFUSAL = 64 * 1024;
const LINE_END = 10;

/** Says what is wrong as soon as one of the limits is passed. */
function createMeter({ bytes, line }: AnswerLimits): (chunk: Uint8Array) => Error | undefined {
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
