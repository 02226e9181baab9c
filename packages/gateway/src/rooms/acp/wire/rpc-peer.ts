// One end of JSON-RPC over lines of JSON: requests with answers both ways, notices, and cancelling, with bounds on all of it.
import { StringDecoder } from "node:string_decoder";
import { parseJson } from "@chela/sdk/base";
import { once } from "@chela/sdk";
import * as z from "zod";

/** What the other side is told instead of an answer. */
export class RpcFault extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = "RpcFault";
    this.code = code;
    this.data = data;
  }
}

export const RPC = {
  unreadable: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  cancelled: -32_800,
  authRequired: -32_000,
  notFound: -32_002,
} as const;

export interface RpcCall {
  /** Aborts when the other side takes the request back, or is gone. */
  readonly signal: AbortSignal;
}

export interface RpcHandlers {
  /** Undefined for a method that is not known. */
  request(method: string, params: unknown, call: RpcCall): Promise<unknown> | undefined;
  notice(method: string, params: unknown): void;
  /** What came was no frame, or an answer nobody waits for. */
  complain(text: string): void;
}

export interface RpcOutput {
  /** Whole lines. */
  write(line: string): void;
  /** Bytes that wait to be taken. */
  readonly waiting: number;
  /** The other side does not read any more. */
  end(): void;
}

type Id = string | number;

interface Waiting {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (fault: RpcFault) => void;
}

const Frame = once(() =>
  z.looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number(), z.null()]).optional(),
    method: z.string().max(200).optional(),
    params: z.unknown().optional(),
    result: z.unknown().optional(),
    error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
  }),
);
type Frame = z.infer<ReturnType<typeof Frame>>;
const Cancelled = once(() => z.looseObject({ requestId: z.union([z.string(), z.number()]) }));

/** A prompt with pictures fits. */
const LONGEST_LINE = 32 * 1024 * 1024;
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
const MOST_OPEN = 256;

export class RpcPeer {
  readonly #output: RpcOutput;
  readonly #handlers: RpcHandlers;
  readonly #decoder = new StringDecoder("utf8");
  readonly #waiting = new Map<Id, Waiting>();
  readonly #running = new Map<Id, AbortController>();
  #rest: string[] = [];
  #restLength = 0;
  #isSkipping = false;
  #lastId = 0;
  #isClosed = false;

  constructor(output: RpcOutput, handlers: RpcHandlers) {
    this.#output = output;
    this.#handlers = handlers;
  }

  /** Bytes as they come, cut anywhere. */
  take(chunk: Buffer): void {
    const parts = this.#decoder.write(chunk).split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      this.#keep(part);
      this.#line();
    }
    this.#keep(last);
  }

  /** Rejects with an RpcFault. What is not wanted any more is taken back by `signal`. */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(gone(method));
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { method, resolve, reject });
    const cancel = (): void => {
      if (!this.#waiting.delete(id)) return;
      this.notify("$/cancel_request", { requestId: id });
      reject(new RpcFault(RPC.cancelled, `${method} was taken back`));
    };
    if (signal?.aborted) cancel();
    else this.#send({ jsonrpc: "2.0", id, method, params });
    signal?.addEventListener("abort", cancel, { once: true });
    return promise.finally(() => signal?.removeEventListener("abort", cancel));
  }

  notify(method: string, params: unknown): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** The other side is gone: whoever waits for it is told, and what it asked for is let go. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { method, reject } of this.#waiting.values()) reject(gone(method));
    this.#waiting.clear();
    for (const running of this.#running.values()) running.abort();
  }

  #keep(part: string): void {
    if (part === "" || this.#isSkipping) return;
    this.#restLength += part.length;
    if (this.#restLength <= LONGEST_LINE) return void this.#rest.push(part);
    this.#isSkipping = true;
    this.#rest = [];
    this.#answerFault(null, new RpcFault(RPC.invalidRequest, `a frame may have ${LONGEST_LINE} characters at most`));
  }

  #line(): void {
    const text = this.#rest.join("");
    const wasSkipped = this.#isSkipping;
    this.#rest = [];
    this.#restLength = 0;
    this.#isSkipping = false;
    if (!wasSkipped && text.trim() !== "") this.#frame(text);
  }

  #frame(text: string): void {
    const frame = readFrame(text);
    if (frame instanceof RpcFault) {
      this.#handlers.complain(frame.message);
      return this.#answerFault(null, frame);
    }
    const { id, method } = frame;
    if (method === undefined) return this.#settle(frame);
    if (id === undefined) return this.#notice(method, frame.params);
    if (id === null) return this.#answerFault(null, new RpcFault(RPC.invalidRequest, "the id of a request is null"));
    void this.#serve(id, method, frame.params);
  }

  #notice(method: string, params: unknown): void {
    if (method !== "$/cancel_request") return this.#handlers.notice(method, params);
    const parsed = Cancelled().safeParse(params);
    if (parsed.success) this.#running.get(parsed.data.requestId)?.abort();
  }

  async #serve(id: Id, method: string, params: unknown): Promise<void> {
    if (this.#running.has(id) || this.#running.size >= MOST_OPEN) {
      const why = this.#running.has(id) ? "this id is in use" : `${MOST_OPEN} requests are open: wait for some`;
      return this.#answerFault(id, new RpcFault(RPC.invalidRequest, why));
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const work = this.#handlers.request(method, params, { signal: controller.signal });
      if (work === undefined) throw new RpcFault(RPC.unknownMethod, `"${method}" is not a method here`);
      this.#send({ jsonrpc: "2.0", id, result: (await work) ?? {} });
    } catch (error) {
      if (!(error instanceof RpcFault)) this.#handlers.complain(`${method}: ${String(error)}`);
      this.#answerFault(
        id,
        error instanceof RpcFault ? error : new RpcFault(RPC.internal, "something went wrong here"),
      );
    } finally {
      this.#running.delete(id);
    }
  }

  #settle({ id, result, error }: Frame): void {
    const waiting = id === undefined || id === null ? undefined : this.#waiting.get(id);
    if (!waiting || id === undefined || id === null) {
      return this.#handlers.complain(error ? `told of a fault: ${error.message}` : "an answer nobody waits for");
    }
    this.#waiting.delete(id);
    if (error) waiting.reject(new RpcFault(error.code, error.message, error.data));
    else waiting.resolve(result);
  }

  #answerFault(id: Id | null, { code, message, data }: RpcFault): void {
    this.#send({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } });
  }

  #send(frame: object): void {
    if (this.#isClosed) return;
    if (this.#output.waiting > MOST_WAITING_BYTES) {
      this.#handlers.complain("the other side does not read: hung up");
      this.close();
      return this.#output.end();
    }
    this.#output.write(`${JSON.stringify(frame)}\n`);
  }
}

function readFrame(text: string): Frame | RpcFault {
  const value = parseJson(text);
  if (value === undefined) return new RpcFault(RPC.unreadable, "a line is not JSON, or nested too deeply");
  const parsed = Frame().safeParse(value);
  return parsed.success ? parsed.data : new RpcFault(RPC.invalidRequest, "a line is not a frame of JSON-RPC 2.0");
}

function gone(method: string): RpcFault {
  return new RpcFault(RPC.internal, `the other side is gone, and with it the answer to ${method}`);
}

/** Parameters and answers pass a schema before anybody looks at them. */
export function readParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  throw new RpcFault(RPC.invalidParams, z.prettifyError(parsed.error));
}
