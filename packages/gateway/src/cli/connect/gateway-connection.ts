// One WebSocket connection to a gateway: challenge, connect, then requests and events until it closes.
import { randomUUID } from "node:crypto";
import { WebSocket, type ClientOptions } from "ws";
import type {
  ErrorShape,
  HelloOk,
  MAX_PAYLOAD_BYTES,
  MethodAnswer,
  MethodName,
  PROTOCOL_VERSION,
  SCOPES,
  WrittenParams,
} from "@chela/sdk/protocol";
import { VERSION } from "../../version.ts";
import { checkAnswer, loadAnswerCheck } from "./check-answer.ts";
import { lost, noGateway, openFailure, refusal, strange, timedOut, WRONG_CERTIFICATE } from "./connection-failures.ts";
import type { OwnDevice } from "./device-proof.ts";

/** The types keep these equal to the protocol's own; its module would load every schema. */
const PROTOCOL: typeof PROTOCOL_VERSION = 3;
const MAX_PAYLOAD: typeof MAX_PAYLOAD_BYTES = 26_214_400;
const ALL_SCOPES: typeof SCOPES = [
  "operator.admin",
  "operator.read",
  "operator.write",
  "operator.approvals",
  "operator.pairing",
];

export interface GatewayEvent {
  readonly event: string;
  readonly payload: unknown;
}

export interface ConnectOptions {
  readonly url: string;
  readonly auth: { readonly token?: string; readonly password?: string; readonly deviceToken?: string };
  readonly device: () => Promise<OwnDevice>;
  readonly timeoutMs: number;
  /** This machine's own gateway: its self-made certificate is fine. */
  readonly isLocal: boolean;
  readonly tlsFingerprint?: string | undefined;
}

export interface RequestOptions {
  /** None when absent. */
  readonly timeoutMs?: number | undefined;
  /** Waits past the first answer of a method that answers twice, and tells about that one here. */
  readonly accepted?: (payload: unknown) => void;
}

interface Waiting {
  readonly method: string;
  readonly accepted: ((payload: unknown) => void) | undefined;
  resolve(payload: unknown): void;
  reject(error: Error): void;
}

interface Frame {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly ok?: unknown;
  readonly event?: unknown;
  readonly payload?: unknown;
  readonly error?: ErrorShape;
}

export class GatewayConnection {
  readonly #socket: WebSocket;
  readonly #options: ConnectOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Set<(event: GatewayEvent) => void>();
  readonly #closed = Promise.withResolvers<{ readonly code: number; readonly reason: string }>();
  #challenge: (nonce: string) => void = () => {};
  #lastFrame = 0;
  #count = 0;

  private constructor(options: ConnectOptions) {
    this.#options = options;
    this.#socket = new WebSocket(options.url, {
      perMessageDeflate: false,
      maxPayload: MAX_PAYLOAD,
      handshakeTimeout: options.timeoutMs,
      ...trustOf(options),
    });
  }

  /** Rejects with a CommandFailure: "no-gateway" when nobody is there, "refused" when we may not come in. */
  static async open(options: ConnectOptions): Promise<{ connection: GatewayConnection; hello: HelloOk }> {
    const connection = new GatewayConnection(options);
    // While the gateway is being waited for.
    loadAnswerCheck();
    const nonce = await connection.#greeted();
    const device = await options.device();
    const hello = (await connection.requestAny("connect", connectParams(options, device, nonce), {
      timeoutMs: options.timeoutMs,
    })) as HelloOk;
    connection.#watchTicks(hello.policy.tickIntervalMs);
    return { connection, hello };
  }

  /** Resolves when the connection is gone, for whatever reason. */
  get closed(): Promise<{ readonly code: number; readonly reason: string }> {
    return this.#closed.promise;
  }

  onEvent(listener: (event: GatewayEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Rejects with a CommandFailure when the answer is none of this method. */
  async request<M extends MethodName>(
    method: M,
    params: WrittenParams<M> | undefined,
    options: RequestOptions = {},
  ): Promise<MethodAnswer<M>> {
    return checkAnswer(method, await this.requestAny(method, params ?? {}, options));
  }

  /** For methods that are named by a person: what comes back may be anything. */
  requestAny(method: string, params: unknown, { timeoutMs, accepted }: RequestOptions = {}): Promise<unknown> {
    const id = String(++this.#count);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#socket.readyState !== WebSocket.OPEN) reject(lost(this.#options.url, ""));
    else {
      this.#waiting.set(id, { method, accepted, resolve, reject });
      this.#socket.send(JSON.stringify({ type: "req", id, method, params }));
    }
    if (!timeoutMs) return promise;
    const timer = setTimeout(() => reject(timedOut(method, timeoutMs)), timeoutMs);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(id);
    });
  }

  close(): void {
    this.#socket.close(1000);
  }

  /** For a connection that is not wanted any more and may not answer. */
  drop(): void {
    this.#socket.terminate();
  }

  #greeted(): Promise<string> {
    const { url, timeoutMs } = this.#options;
    return new Promise((resolve, reject) => {
      let isOpen = false;
      const timer = setTimeout(() => {
        reject(isOpen ? strange(url, "it does not greet as a gateway does") : noGateway(this.#options));
        this.#socket.terminate();
      }, timeoutMs);
      this.#challenge = (nonce) => {
        clearTimeout(timer);
        resolve(nonce);
      };
      this.#socket.on("open", () => (isOpen = true));
      this.#socket.on("message", (data) => this.#receive(String(data)));
      this.#socket.on("error", (error: NodeJS.ErrnoException) => reject(openFailure(this.#options, error)));
      this.#socket.on("close", (code, reason) => {
        clearTimeout(timer);
        reject(isOpen ? lost(url, String(reason)) : noGateway(this.#options));
        this.#end(code, String(reason));
      });
    });
  }

  #receive(text: string): void {
    this.#lastFrame = performance.now();
    let frame: Frame | null;
    try {
      frame = JSON.parse(text) as Frame | null;
    } catch {
      return;
    }
    if (frame?.type === "res" && typeof frame.id === "string") this.#settle(frame.id, frame);
    if (frame?.type !== "event" || typeof frame.event !== "string") return;
    if (frame.event === "connect.challenge") this.#challenge(String((frame.payload as { nonce?: unknown }).nonce));
    for (const listener of this.#listeners) listener({ event: frame.event, payload: frame.payload });
  }

  #settle(id: string, frame: Frame): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    const isFirst = frame.ok === true && (frame.payload as { status?: unknown } | null)?.status === "accepted";
    if (isFirst && waiting.accepted) return waiting.accepted(frame.payload);
    this.#waiting.delete(id);
    if (frame.ok === true) waiting.resolve(frame.payload);
    else waiting.reject(refusal(waiting.method, frame));
  }

  #end(code: number, reason: string): void {
    for (const { reject } of this.#waiting.values()) reject(lost(this.#options.url, reason));
    this.#waiting.clear();
    this.#closed.resolve({ code, reason });
  }

  /** A connection over which nothing comes any more is a dead one. */
  #watchTicks(everyMs: number): void {
    this.#lastFrame = performance.now();
    const timer = setInterval(
      () => {
        if (performance.now() - this.#lastFrame > 2 * everyMs) this.#socket.terminate();
      },
      Math.max(everyMs, 1000),
    );
    timer.unref();
    void this.closed.then(() => clearInterval(timer));
  }
}

function connectParams({ auth }: ConnectOptions, device: OwnDevice, nonce: string): object {
  const client = {
    id: "cli",
    displayName: "chela",
    version: VERSION,
    platform: process.platform,
    mode: "cli",
    instanceId: randomUUID(),
  };
  const signed = {
    clientId: client.id,
    clientMode: client.mode,
    role: "operator",
    scopes: ALL_SCOPES,
    nonce,
    token: auth.token ?? auth.deviceToken ?? "",
    platform: client.platform,
  };
  return {
    minProtocol: PROTOCOL,
    maxProtocol: PROTOCOL,
    client,
    role: "operator",
    scopes: ALL_SCOPES,
    caps: [],
    auth,
    device: device.prove(signed, Date.now()),
  };
}

function trustOf({ isLocal, tlsFingerprint, url }: ConnectOptions): ClientOptions {
  if (!url.startsWith("wss:")) return {};
  if (!tlsFingerprint) return isLocal ? { rejectUnauthorized: false } : {};
  const wanted = plainFingerprint(tlsFingerprint);
  return {
    // The pin says which certificate is meant, so who signed it does not matter.
    rejectUnauthorized: false,
    finishRequest: (request) => {
      request.once("socket", (socket) => {
        socket.once("secureConnect", () => {
          const { fingerprint256 } = (
            socket as unknown as { getPeerCertificate(): { fingerprint256?: string } }
          ).getPeerCertificate();
          if (plainFingerprint(fingerprint256 ?? "") === wanted) request.end();
          else request.destroy(new Error(WRONG_CERTIFICATE));
        });
      });
    },
  };
}

function plainFingerprint(text: string): string {
  return text
    .replace(/^sha256[:/]/i, "")
    .replaceAll(":", "")
    .toLowerCase();
}
