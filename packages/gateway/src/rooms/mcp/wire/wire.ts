// The seam between MCP and what carries it: a process's pipes, streamable HTTP, or the older HTTP with server-sent events.
import type { RpcId, RpcMessage } from "./messages.ts";

export interface WireListener {
  heard(message: RpcMessage): void;
  /** A request whose answer will never come, though the wire is well. */
  lost(id: RpcId, why: Error): void;
  /** Nothing will be heard any more. */
  closed(why: Error): void;
}

export interface SendOptions {
  /** Of HTTP alone: what stands in the body besides, for proxies that do not read it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the exchange, which is how a request is called off over HTTP. */
  readonly signal?: AbortSignal | undefined;
}

export interface Wire {
  readonly kind: "stdio" | "http" | "sse";
  listen(listener: WireListener): void;
  /** Resolves when it is on its way. Rejects when it could not be sent, with what a person can read. */
  send(message: RpcMessage, options?: SendOptions): Promise<void>;
  /** The revision both sides agreed on. */
  agree?(version: string): void;
  /** Listens to what the server says without being asked; only the older revisions over HTTP have that. */
  hearMore?(): void;
  close(): Promise<void>;
}

/** The wire broke, or could not be made. `code` is HTTP's number, where there is one. */
export class WireBroken extends Error {
  readonly status: number | undefined;
  /** What was answered instead, as far as it was JSON. */
  readonly body: unknown;

  constructor(message: string, more: { status?: number; body?: unknown; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.name = "WireBroken";
    this.status = more.status;
    this.body = more.body;
  }
}
