// Carries calls to the Bot API and knows whether a request had left when it failed: that decides whether it may be repeated.
import { parseJson } from "@chela/sdk/base";
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Socket } from "node:net";
import { errnoOf } from "@chela/sdk/files";

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
  const doors = new Map<string, Door>();
  const doorFor = (protocol: string): Door => {
    const door = doors.get(protocol) ?? openDoor(protocol);
    doors.set(protocol, door);
    return door;
  };
  return {
    async fetch(address, call) {
      const url = new URL(address);
      const answer = await send(doorFor(url.protocol), url, call);
      return { json: () => readAnswer(answer, call.signal) };
    },
    close: () => {
      for (const door of doors.values()) door.agent.destroy();
      doors.clear();
    },
  };
}

interface Door {
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
  /** The event after which bytes of the request go out. */
  readonly opened: "connect" | "secureConnect";
}

/** `import "node:http"` would touch every export and so load the platform's fetch; asking for the module does not. */
function openDoor(protocol: string): Door {
  const { request, Agent } = process.getBuiltinModule(protocol === "http:" ? "node:http" : "node:https");
  const agent = new Agent({ keepAlive: true });
  return { request, agent, opened: protocol === "http:" ? "connect" : "secureConnect" };
}

type Attempt =
  | { readonly kind: "answered"; readonly incoming: IncomingMessage }
  | { readonly kind: "failed"; readonly error: TransportError; readonly wasStale: boolean };

/**
 * A server may close an idle connection just when it is used again. It has not seen the request then, and gets it once
 * more; an upload cannot be repeated, and has a connection of its own from the start.
 */
async function send(door: Door, url: URL, call: Call): Promise<IncomingMessage> {
  let attempt = await sendOnce(door, url, call, typeof call.body === "string" ? door.agent : false);
  if (attempt.kind === "failed" && attempt.wasStale && !call.signal.aborted) {
    attempt = await sendOnce(door, url, call, false);
  }
  if (attempt.kind === "failed") throw attempt.error;
  return attempt.incoming;
}

function sendOnce(door: Door, url: URL, call: Call, agent: Agent | false): Promise<Attempt> {
  return new Promise((resolve) => {
    let hadLeft = false;
    const outgoing = door.request(url, { method: "POST", headers: headersOf(call), agent });
    const abort = (): void => void outgoing.destroy(new Error("the call took too long or was stopped"));
    if (call.signal.aborted) abort();
    call.signal.addEventListener("abort", abort, { once: true });
    outgoing.once("close", () => {
      call.signal.removeEventListener("abort", abort);
      // A server that changes to another protocol gives neither an answer nor an error.
      resolve({ kind: "failed", error: new TransportError("the connection was closed", hadLeft), wasStale: false });
    });
    outgoing.once("socket", (socket: Socket) => {
      if (socket.connecting) socket.once(door.opened, () => (hadLeft = true));
      else hadLeft = true;
    });
    outgoing.once("response", (incoming) => {
      // It may break before anybody reads it; whoever reads then is told.
      incoming.on("error", () => undefined);
      resolve({ kind: "answered", incoming });
    });
    // Stays for good: an error after the answer began is reported by the answer itself.
    outgoing.on("error", (error) => {
      const wasStale = outgoing.reusedSocket && ["ECONNRESET", "EPIPE"].includes(errnoOf(error) ?? "");
      resolve({ kind: "failed", error: new TransportError(reasonOf(error), hadLeft), wasStale });
    });
    writeBody(outgoing, call.body);
  });
}

function headersOf({ headers, body }: Call): Record<string, string> {
  const length = typeof body === "string" ? { "content-length": String(Buffer.byteLength(body)) } : {};
  return { ...headers, ...length };
}

function writeBody(outgoing: ClientRequest, body: Call["body"]): void {
  if (typeof body === "string") return void outgoing.end(body);
  const { Readable, pipeline } = process.getBuiltinModule("node:stream");
  // A failure shows as an "error" of the request.
  pipeline(Readable.from(body), outgoing, () => undefined);
}

async function readAnswer(incoming: IncomingMessage, signal: AbortSignal): Promise<unknown> {
  const abort = (): void => void incoming.destroy(new Error("the call took too long or was stopped"));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return toApiAnswer(incoming.statusCode ?? 0, await collect(incoming));
  } catch (error) {
    throw new TransportError(reasonOf(error), true);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function collect(incoming: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of incoming as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) throw new RangeError(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
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
  const code = errnoOf(error);
  if (code) return `the connection failed (${code})`;
  return error instanceof Error ? error.message : "the connection failed";
}
