// The life of one server: started by the first who needs it, let go when it is idle, and given rest when it keeps falling.
import { GatewayError, toGatewayError, type Clock, type Logger } from "@chela/sdk";
import type { McpClient } from "../client/client.ts";
import { RpcError } from "../wire/messages.ts";
import { WireBroken } from "../wire/wire.ts";
import { PeerTimeout } from "../client/peer.ts";

export interface Connected {
  readonly client: McpClient;
  readonly pid?: number | undefined;
  readonly sandbox?: string | undefined;
  /** What it last complained of. */
  complaint(): string;
}

export type LifeState =
  | { readonly kind: "idle" }
  | { readonly kind: "starting" }
  | {
      readonly kind: "running";
      readonly pid?: number | undefined;
      readonly sandbox?: string | undefined;
      readonly since: number;
    }
  | { readonly kind: "resting"; readonly why: string; readonly falls: number; readonly until: number };

export interface LifeParts {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly idleMs: number;
  /** `fell` is to be called when it is over, whoever ended it. */
  connect(fell: (why: Error) => void, signal: AbortSignal): Promise<Connected>;
  changed(): void;
}

const SHORTEST_REST_MS = 1_000;
const LONGEST_REST_MS = 5 * 60_000;

export class ServerLife {
  readonly #parts: LifeParts;
  readonly #over = new AbortController();
  #running: Promise<Connected> | undefined;
  #state: LifeState = { kind: "idle" };
  /** How often it was started or let go: what an earlier life still says is not about this one. */
  #lives = 0;
  #inUse = 0;
  #falls = 0;
  #fellAt = -Infinity;
  #why = "";
  #cancelIdle: (() => void) | undefined;

  constructor(parts: LifeParts) {
    this.#parts = parts;
  }

  get state(): LifeState {
    const restMs = this.#restMs();
    if (this.#state.kind !== "idle" || restMs <= 0) return this.#state;
    return { kind: "resting", why: this.#why, falls: this.#falls, until: this.#parts.clock.now() + restMs };
  }

  /** Throws MCP_UNAVAILABLE, MCP_LOGIN, or whatever `work` does. Nothing is done twice: what broke in the middle stays broken. */
  async use<T>(work: (connected: Connected) => Promise<T>): Promise<T> {
    this.#cancelIdle?.();
    this.#inUse += 1;
    try {
      const connected = await this.#connected();
      const result = await work(connected);
      this.#falls = 0;
      return result;
    } catch (error) {
      throw this.#inWords(error);
    } finally {
      this.#inUse -= 1;
      if (this.#inUse === 0) this.#planIdle();
    }
  }

  /** Ends it; the next who needs it starts it anew, without a rest. */
  async letGo(): Promise<void> {
    this.#cancelIdle?.();
    const running = this.#running;
    this.#running = undefined;
    this.#lives += 1;
    this.#falls = 0;
    this.#setState({ kind: "idle" });
    const connected = await running?.catch(() => undefined);
    await connected?.client.close();
  }

  /** For good. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.letGo();
  }

  #connected(): Promise<Connected> {
    if (this.#running) return this.#running;
    const restMs = this.#restMs();
    if (restMs > 0) {
      const seconds = Math.ceil(restMs / 1000);
      const why = `${this.#parts.name}: ${this.#why}. It is tried again in ${seconds} s`;
      return Promise.reject(new GatewayError("MCP_UNAVAILABLE", why));
    }
    const life = (this.#lives += 1);
    this.#running = this.#start(life);
    return this.#running;
  }

  async #start(life: number): Promise<Connected> {
    let isUp = false;
    const fell = (why: Error): void => {
      // While it starts, whoever starts it is told.
      if (isUp && this.#lives === life && this.#running) this.#fall(why);
    };
    this.#setState({ kind: "starting" });
    try {
      const connected = await this.#parts.connect(fell, this.#over.signal);
      if (this.#lives !== life || this.#over.signal.aborted) {
        await connected.client.close();
        throw new WireBroken("it was let go while it started");
      }
      isUp = true;
      if (connected.client.isOver) throw new WireBroken("it ended as soon as it had started");
      const { pid, sandbox } = connected;
      this.#setState({ kind: "running", pid, sandbox, since: this.#parts.clock.now() });
      return connected;
    } catch (error) {
      if (this.#lives === life) this.#fall(error);
      throw error;
    }
  }

  #fall(error: unknown): void {
    const { clock, log, name } = this.#parts;
    this.#running = undefined;
    this.#cancelIdle?.();
    this.#why = reasonOf(error);
    // What a person has to do first is not done by waiting.
    if (!(GatewayError.is(error) && error.code === "MCP_LOGIN")) this.#falls += 1;
    this.#fellAt = clock.steady();
    this.#setState({ kind: "idle" });
    if (!this.#over.signal.aborted)
      log.warn("an MCP server ended or could not be used", { server: name, why: this.#why });
  }

  #restMs(): number {
    if (this.#falls === 0) return 0;
    const rest = Math.min(SHORTEST_REST_MS * 2 ** (this.#falls - 1), LONGEST_REST_MS);
    return this.#fellAt + rest - this.#parts.clock.steady();
  }

  #planIdle(): void {
    if (!this.#running || this.#parts.idleMs <= 0) return;
    this.#cancelIdle = this.#parts.clock.after(this.#parts.idleMs, () => {
      if (this.#inUse === 0) void this.letGo();
    });
  }

  #setState(state: LifeState): void {
    this.#state = state;
    this.#parts.changed();
  }

  #inWords(error: unknown): Error {
    if (GatewayError.is(error)) return error;
    if (error instanceof Error && error.name === "AbortError") return error;
    if (error instanceof RpcError)
      return new GatewayError("MCP_REQUEST", `${this.#parts.name} answered: ${error.message}`);
    if (error instanceof WireBroken || error instanceof PeerTimeout) {
      const unknown = "whether it took effect is not known";
      return new GatewayError("MCP_UNAVAILABLE", `${this.#parts.name}: ${error.message}; ${unknown}`, { cause: error });
    }
    return toGatewayError(error, "MCP_UNAVAILABLE");
  }
}

function reasonOf(error: unknown): string {
  if (GatewayError.is(error)) return error.detail;
  if (error instanceof Error) return error.name === "ZodError" ? "it does not answer as MCP wants it" : error.message;
  return String(error);
}
