// One WebSocket connection: challenge, handshake, then requests until it closes.
import type { WebSocket } from "ws";
import type { Ids, Logger } from "@chela/sdk";
import {
  ConnectParams,
  explainIssues,
  MAX_BUFFERED_BYTES,
  RequestFrame,
  type ErrorShape,
  actorOf,
  type Client,
} from "@chela/sdk/protocol";
import { loginEvent, refusedLoginEvent } from "../rooms/audit/room.ts";
import { isTooDeep, parseJson } from "@chela/sdk/base";
import type { Visitor } from "./auth/index.ts";
import type { Dispatcher } from "./dispatch.ts";
import type { House } from "../house/house.ts";
import { refuseProtocol, shakeHands, type HandshakeParts, type Link } from "./handshake.ts";
import { messageLimit } from "./frame-limit.ts";
import { nodeLink } from "./node-link.ts";
import { broadcastPresence, presenceOf, refreshEverybody, writeHello, type Admitted } from "./welcome.ts";

export interface ConnectionParts {
  readonly gateway: House;
  readonly dispatcher: Dispatcher;
  readonly handshake: HandshakeParts;
  readonly ids: Ids;
  readonly log: Logger;
  authMode(): "none" | "token" | "password" | "trusted-proxy";
}

const MAX_UNAUTHORIZED_CALLS = 10;
/** Of all frames together that come while the handshake is still being decided. */
const MAX_EARLY_CHARS = 256 * 1024;
const CLOSE_REASON_BYTES = 120;
/** How long the other side may take to say goodbye. */
const FAREWELL_MS = 500;

/** Speaks the protocol over an open socket. `visitor` is its place in the waiting room until it is let in. */
export function serveConnection(
  socket: WebSocket,
  link: Omit<Link, "nonce">,
  visitor: Visitor,
  parts: ConnectionParts,
): Pick<Connection, "messageLimit"> {
  const connection = new Connection(socket, link, visitor, parts);
  connection.open();
  return connection;
}

class Connection {
  readonly #socket: WebSocket;
  readonly #link: Link;
  readonly #visitor: Visitor;
  readonly #parts: ConnectionParts;
  readonly #log: Logger;
  readonly #connId: string;
  #client: Client | undefined;
  #stage: "new" | "shaking" | "open" | "ended" = "new";
  /** Frames that came while the handshake was still being decided. */
  #early: string[] = [];
  #earlyChars = 0;
  #unauthorizedCalls = 0;
  #leaveNode: (() => void) | undefined;
  /** The request that is changing grants right now. */
  #speaking: string | undefined;
  /** That request took this connection's own grant away: it is answered, and then all is over. */
  #lastWord: { readonly id: string; readonly code: number; readonly reason: string } | undefined;
  #cancelFarewell: (() => void) | undefined;

  constructor(socket: WebSocket, link: Omit<Link, "nonce">, visitor: Visitor, parts: ConnectionParts) {
    this.#socket = socket;
    this.#link = { ...link, nonce: parts.ids.uuid() };
    this.#visitor = visitor;
    this.#parts = parts;
    this.#connId = parts.ids.uuid();
    this.#log = parts.log.child({ conn: this.#connId.slice(0, 8) });
  }

  /** Bytes of one message. */
  get messageLimit(): number {
    return messageLimit(this.#client);
  }

  open(): void {
    const { nonce } = this.#link;
    const ts = this.#parts.gateway.clock.now();
    this.#socket.on("message", (data) => this.#receive(String(data)));
    this.#socket.on("close", () => this.#closed());
    this.#socket.on("error", (error) => this.#log.debug("socket error", { error: error.message }));
    this.#send({ type: "event", event: "connect.challenge", payload: { nonce, ts } });
  }

  #receive(text: string): void {
    if (this.#stage === "ended") return;
    if (this.#stage === "shaking") {
      this.#early.push(text);
      this.#earlyChars += text.length;
      if (this.#earlyChars > MAX_EARLY_CHARS) this.#end(1008, "too much before the handshake was done");
      return;
    }
    const frame = parseJson(text);
    if (frame === undefined && isTooDeep(text)) {
      return this.#socket.close(1008, "invalid request frame: nested too deeply");
    }
    if (this.#stage === "open") {
      if (frame !== undefined && this.#client) void this.#request(frame, this.#client, text.length);
    } else if (frame === undefined) this.#socket.close(1008, "invalid request frame");
    else {
      this.#stage = "shaking";
      void this.#connect(frame);
    }
  }

  async #connect(frame: unknown): Promise<void> {
    const request = RequestFrame().safeParse(frame);
    if (!request.success) return this.#socket.close(1008, "invalid request frame");
    const { id, method, params } = request.data;
    const refuse = (error: ErrorShape, code = 1008): void => {
      const { ip } = this.#link.client;
      this.#log.info("connection refused", { why: error.message, ip });
      const claims = ConnectParams().safeParse(params).data?.device?.id;
      const refusal = refusedLoginEvent({ surface: "ws", ip, why: error.message, claims });
      this.#parts.gateway.audit.refusedLogins.add(refusal);
      this.#send({ type: "res", id, ok: false, error });
      this.#socket.close(code, cutBytes(error.message, CLOSE_REASON_BYTES));
    };
    if (method !== "connect") {
      return refuse({ code: "INVALID_REQUEST", message: "invalid handshake: first request must be connect" });
    }
    const otherProtocol = refuseProtocol(params);
    if (otherProtocol) return refuse(otherProtocol.error, otherProtocol.closeCode);
    const parsed = ConnectParams().safeParse(params ?? {});
    if (!parsed.success) {
      const why = explainIssues(parsed.error.issues, params ?? {});
      return refuse({ code: "INVALID_REQUEST", message: `invalid connect params: ${why}` });
    }
    try {
      const outcome = await shakeHands(parsed.data, this.#link, this.#parts.handshake);
      if (outcome.kind === "refused") return refuse(outcome.error, outcome.closeCode);
      if (this.#socket.readyState === this.#socket.OPEN) await this.#admit(id, parsed.data, outcome);
    } catch (error) {
      this.#log.error("handshake failed", { error: error instanceof Error ? error.stack : String(error) });
      refuse({ code: "UNAVAILABLE", message: "the gateway could not complete the handshake; see its log" }, 1011);
    }
  }

  async #admit(id: string, params: ConnectParams, outcome: Admitted): Promise<void> {
    this.#visitor.leave();
    const { gateway } = this.#parts;
    const client = this.#createClient(params, outcome);
    const nodes = client.role === "node" ? await gateway.nodes() : undefined;
    const health = await gateway.health.get();
    // Who was let in for good just now is told so when that is written down.
    if (gateway.audit.isUnsettled) await gateway.audit.settled();
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    // Much may have happened since the handshake was decided.
    if (!this.#stillGranted(client)) return client.close(1008, "access was revoked");
    this.#leaveNode = nodes?.connect(
      nodeLink(params, outcome, {
        connId: this.#connId,
        address: this.#link.client,
        send: (event, payload) => {
          if (this.#stage === "open") this.#send({ type: "event", event, payload });
        },
      }),
    );
    this.#client = client;
    const { presenceKey } = client;
    if (presenceKey !== undefined) gateway.presence.enter(presenceKey, presenceOf(params, outcome));
    const methods = this.#parts.dispatcher.listed;
    const place = { connId: this.#connId, authMode: this.#parts.authMode(), health, methods };
    this.#send({ type: "res", id, ok: true, payload: writeHello(gateway, outcome, place) });
    gateway.hub.add(client);
    this.#stage = "open";
    const { role, scopes, method } = client;
    const { ip } = this.#link.client;
    gateway.audit.note(loginEvent({ actor: actorOf(client), role, scopes, method, ip, client: params.client }));
    this.#log.info("client connected", { client: params.client.id, mode: params.client.mode, auth: outcome.method });
    for (const text of this.#early.splice(0)) this.#receive(text);
    refreshEverybody(gateway);
  }

  #createClient(params: ConnectParams, outcome: Admitted): Client {
    const socket = this.#socket;
    const { id, mode, displayName } = params.client;
    return {
      connId: this.#connId,
      role: outcome.role,
      scopes: outcome.scopes,
      caps: new Set(params.caps ?? []),
      ...(outcome.device ? { deviceId: outcome.device.id, deviceToken: outcome.device.token } : {}),
      method: outcome.method,
      info: { id, mode, ...(displayName ? { displayName } : {}) },
      // Short-lived commands are not worth an entry.
      ...(mode === "cli" ? {} : { presenceKey: outcome.device?.id ?? params.client.instanceId ?? this.#connId }),
      get buffered() {
        return socket.bufferedAmount;
      },
      send: (text) => socket.send(text),
      close: (code, reason) => this.#end(code, reason),
    };
  }

  async #request(frame: unknown, client: Client, size: number): Promise<void> {
    const parsed = RequestFrame().safeParse(frame);
    if (!parsed.success) {
      const id = (frame as { id?: unknown } | null)?.id;
      const why = explainIssues(parsed.error.issues, frame);
      const error = { code: "INVALID_REQUEST", message: `invalid request frame: ${why}` };
      return this.#send({ type: "res", id: typeof id === "string" && id ? id : "invalid", ok: false, error });
    }
    const { id, method, params } = parsed.data;
    if (method === "connect") {
      const error = { code: "INVALID_REQUEST", message: "connect is only valid as the first request" };
      return this.#send({ type: "res", id, ok: false, error });
    }
    if (!this.#stillGranted(client)) return client.close(1008, "access was revoked");
    if (this.#stage === "ended") return;
    const outcome = await this.#parts.dispatcher.call(method, params, {
      client,
      size,
      ip: this.#link.client.ip,
      early: (payload) => this.#answer(id, { ok: true, payload }),
      withLastWord: (work) => this.#hearOut(id, work),
    });
    this.#answer(id, outcome);
    if (this.#lastWord?.id === id) this.#farewell(this.#lastWord.code, this.#lastWord.reason);
    this.#countUnauthorized(outcome, client);
  }

  /** Who was shown out meanwhile is told nothing more, however long the answer was under way. */
  #answer(id: string, outcome: object): void {
    if (this.#stage === "open" || this.#lastWord?.id === id) this.#send({ type: "res", id, ...outcome });
  }

  #hearOut<T>(id: string, work: () => T): T {
    this.#speaking = id;
    try {
      return work();
    } finally {
      this.#speaking = undefined;
    }
  }

  /** From here on nothing that comes is heard and nothing is told, even if the other side does not hang up. */
  #end(code: number, reason: string): void {
    if (this.#stage === "ended") return;
    this.#stage = "ended";
    this.#leave();
    if (this.#speaking === undefined) this.#farewell(code, reason);
    else this.#lastWord = { id: this.#speaking, code, reason };
  }

  #farewell(code: number, reason: string): void {
    this.#socket.close(code, reason);
    this.#cancelFarewell ??= this.#parts.gateway.clock.after(FAREWELL_MS, () => this.#socket.terminate());
  }

  #leave(): void {
    const { gateway } = this.#parts;
    if (!this.#client) return;
    gateway.hub.remove(this.#client);
    gateway.watchers.leave(this.#client);
    gateway.subscribers.leave(this.#client);
    this.#leaveNode?.();
  }

  /** Authority is asked for anew with every request, never remembered from the handshake. */
  #stillGranted(client: Client): boolean {
    if (client.deviceId === undefined) return true;
    return this.#parts.gateway.devices.isGranted(client.deviceId, client.role, client.scopes);
  }

  #countUnauthorized(outcome: { ok: boolean; error?: ErrorShape }, client: Client): void {
    const isUnauthorized = !outcome.ok && outcome.error?.message.startsWith("unauthorized role");
    this.#unauthorizedCalls = isUnauthorized ? this.#unauthorizedCalls + 1 : 0;
    if (this.#unauthorizedCalls > MAX_UNAUTHORIZED_CALLS) client.close(1008, "repeated unauthorized calls");
  }

  #closed(): void {
    this.#visitor.leave();
    const { gateway } = this.#parts;
    this.#stage = "ended";
    this.#cancelFarewell?.();
    this.#leave();
    if (!this.#client) return;
    const { presenceKey, info } = this.#client;
    const isLast = [...gateway.hub.clients].every((other) => other.presenceKey !== presenceKey);
    if (presenceKey !== undefined && isLast) {
      gateway.presence.leave(presenceKey);
      broadcastPresence(gateway);
    }
    this.#log.info("client left", { client: info.id });
  }

  /** Answers are kept for a slow reader as events are: up to a limit, and then for nobody. */
  #send(frame: object): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount <= MAX_BUFFERED_BYTES) return this.#socket.send(JSON.stringify(frame));
    this.#log.warn("a client was shown out: it asks and does not read the answers");
    this.#end(1008, "slow consumer");
  }
}

/** WebSocket close reasons are limited in bytes, and must not end in half a character. */
function cutBytes(text: string, max: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= max ? text : bytes.toString("utf8", 0, max).replace(/\uFFFD+$/, "");
}
