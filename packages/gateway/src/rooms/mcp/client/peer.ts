// Requests and their answers over a wire: numbers, deadlines, progress, calling off, and what the other side asks of us.
import { GatewayError, isBug, type Clock } from "@chela/sdk";
import {
  isNotification,
  isRequest,
  RPC,
  RpcError,
  type RpcAnswer,
  type RpcFailure,
  type RpcId,
  type RpcMessage,
  type RpcParams,
  type RpcRequest,
} from "../wire/messages.ts";
import { WireBroken, type Wire } from "../wire/wire.ts";

export interface PeerParts {
  readonly wire: Wire;
  readonly clock: Clock;
  /** What the other side asks. Whatever is thrown becomes its answer. */
  answer(method: string, params: RpcParams, signal: AbortSignal): Promise<RpcParams>;
  notified(method: string, params: RpcParams): void;
  closed(why: Error): void;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Absent: as long as it takes. Signs of progress begin it anew. */
  readonly timeoutMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  onProgress?: ((progress: Progress) => void) | undefined;
}

interface Waiting {
  readonly method: string;
  settle(ending: RpcParams | Error): void;
  progressed(progress: Progress): void;
}

/** However much progress it tells of. */
const LONGEST_MS = 30 * 60_000;

export class Peer {
  readonly #parts: PeerParts;
  readonly #waiting = new Map<RpcId, Waiting>();
  readonly #serving = new Map<RpcId, AbortController>();
  /** Over the older revisions a request is called off by a word, over HTTP of the newest by hanging up. */
  hangsUp = false;
  #lastId = 0;
  #over: Error | undefined;

  constructor(parts: PeerParts) {
    this.#parts = parts;
    parts.wire.listen({
      heard: (message) => this.#hear(message),
      lost: (id, why) => this.#waiting.get(id)?.settle(why),
      closed: (why) => this.#end(why),
    });
  }

  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /** Rejects with RpcError, WireBroken or PeerTimeout, and with an AbortError when it is called off. */
  async ask(method: string, params: RpcParams, options: AskOptions = {}): Promise<RpcParams> {
    const { signal, timeoutMs, headers, onProgress } = options;
    if (this.#over) throw this.#over;
    signal?.throwIfAborted();
    const { clock, wire } = this.#parts;
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<RpcParams>();
    const hangUp = new AbortController();
    let cancelTimeout: (() => void) | undefined;
    const waitAnew = (): void => {
      cancelTimeout?.();
      if (timeoutMs !== undefined) cancelTimeout = clock.after(timeoutMs, () => callOff(new PeerTimeout(method)));
    };
    const callOff = (why: Error): void => {
      if (!this.#waiting.has(id)) return;
      settle(why);
      if (this.hangsUp) hangUp.abort();
      else if (method !== "initialize")
        void this.tell("notifications/cancelled", { requestId: id, reason: why.message });
    };
    const settle = (ending: RpcParams | Error): void => {
      if (!this.#waiting.delete(id)) return;
      cancelTimeout?.();
      cancelLongest();
      signal?.removeEventListener("abort", onAbort);
      if (ending instanceof Error) reject(ending);
      else resolve(ending);
    };
    const onAbort = (): void => callOff(abortError());
    const cancelLongest =
      timeoutMs === undefined
        ? () => {}
        : clock.after(Math.max(LONGEST_MS, timeoutMs), () => callOff(new PeerTimeout(method)));
    this.#waiting.set(id, {
      method,
      settle,
      progressed: (progress) => (waitAnew(), onProgress?.(progress)),
    });
    waitAnew();
    signal?.addEventListener("abort", onAbort, { once: true });
    const request: RpcRequest = { jsonrpc: "2.0", id, method, params: onProgress ? withToken(params, id) : params };
    wire
      .send(request, { signal: hangUp.signal, ...(headers ? { headers } : {}) })
      .catch((error: unknown) => settle(broken(error)));
    return promise;
  }

  /** What cannot be told any more does not matter. */
  async tell(method: string, params: RpcParams): Promise<void> {
    await this.#parts.wire.send({ jsonrpc: "2.0", method, params }).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#end(new WireBroken("it was let go"));
    await this.#parts.wire.close();
  }

  #end(why: Error): void {
    if (this.#over) return;
    this.#over = why;
    for (const waiting of this.#waiting.values()) waiting.settle(why);
    for (const serving of this.#serving.values()) serving.abort();
    this.#parts.closed(why);
  }

  #hear(message: RpcMessage): void {
    if (isRequest(message)) return void this.#serve(message);
    if (isNotification(message)) return this.#hearNotice(message.method, message.params ?? {});
    const answer = message as RpcAnswer;
    // A refusal without a number is about the only request there is.
    const id = answer.id === "" && this.#waiting.size === 1 ? [...this.#waiting.keys()][0] : answer.id;
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    waiting?.settle(answer.error ? new RpcError(answer.error) : (answer.result ?? {}));
  }

  #hearNotice(method: string, params: RpcParams): void {
    if (method === "notifications/progress") {
      const { progressToken, progress, total, message } = params;
      this.#waiting.get(progressToken as RpcId)?.progressed({
        progress: Number(progress),
        ...(typeof total === "number" ? { total } : {}),
        ...(typeof message === "string" ? { message } : {}),
      });
    } else if (method === "notifications/cancelled") this.#serving.get(params["requestId"] as RpcId)?.abort();
    else this.#parts.notified(method, params);
  }

  async #serve({ id, method, params = {} }: RpcRequest): Promise<void> {
    const calledOff = new AbortController();
    this.#serving.set(id, calledOff);
    const answer: { result: RpcParams } | { error: RpcFailure } = await this.#parts
      .answer(method, params, calledOff.signal)
      .then(
        (result) => ({ result }),
        (error: unknown) => ({ error: failureOf(error) }),
      );
    this.#serving.delete(id);
    if (calledOff.signal.aborted) return;
    await this.#parts.wire.send({ jsonrpc: "2.0", id, ...answer }).catch(() => undefined);
  }
}

export class PeerTimeout extends Error {
  constructor(method: string) {
    super(`it did not answer ${method} in time`);
    this.name = "PeerTimeout";
  }
}

function broken(error: unknown): Error {
  if (error instanceof WireBroken || GatewayError.is(error)) return error;
  return new WireBroken("it cannot be reached", { cause: error });
}

function abortError(): Error {
  const error = new Error("it was stopped");
  error.name = "AbortError";
  return error;
}

function withToken(params: RpcParams, progressToken: RpcId): RpcParams {
  const meta = (params["_meta"] ?? {}) as RpcParams;
  return { ...params, _meta: { ...meta, progressToken } };
}

export function failureOf(error: unknown): RpcFailure {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  if (GatewayError.is(error)) return { code: RPC.params, message: error.explain() };
  return {
    code: RPC.internal,
    message: isBug(error) ? "something unforeseen happened" : String((error as Error).message),
  };
}
