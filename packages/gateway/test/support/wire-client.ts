// Protocol client written from the outside: it shares no code with the gateway, so it cannot share its mistakes.
// What it is answered must be declared, field by field.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { WebSocket } from "ws";
import { expectDeclared } from "./declared-answer.ts";

export const ALL_SCOPES = [
  "operator.admin",
  "operator.read",
  "operator.write",
  "operator.approvals",
  "operator.pairing",
] as const;

/** Longer than anything here takes on a busy machine: only a failure waits that long. */
const PATIENCE_MS = 25_000;

export type Json = Record<string, unknown>;

export interface ResponseFrame {
  readonly type: "res";
  readonly id: string;
  readonly ok: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into payloads of every shape
  readonly payload?: any;
  readonly error?: { code: string; message: string; details?: Json; retryable?: boolean; retryAfterMs?: number };
}

export interface EventFrame {
  readonly type: "event";
  readonly event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into payloads of every shape
  readonly payload: any;
  readonly seq?: number;
  readonly stateVersion?: { presence: number; health: number };
}

export type Frame = ResponseFrame | EventFrame;

export interface TestDevice {
  readonly id: string;
  readonly publicKey: string;
  readonly key: KeyObject;
}

/** A new device, or the one that a seed of 32 bytes in hexadecimal always gives. */
export function createTestDevice(seedHex?: string): TestDevice {
  const key =
    seedHex === undefined
      ? generateKeyPairSync("ed25519").privateKey
      : createPrivateKey({
          key: Buffer.from(`302e020100300506032b657004220420${seedHex}`, "hex"),
          format: "der",
          type: "pkcs8",
        });
  const raw = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  return { id: createHash("sha256").update(raw).digest("hex"), publicKey: raw.toString("base64url"), key };
}

export interface SignedFields {
  readonly clientId: string;
  readonly clientMode: string;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly signedAt: number;
  readonly token: string;
  readonly nonce: string;
  readonly platform?: string;
  readonly deviceFamily?: string;
}

/** The line a device signs, in one of its two forms. */
export function signedLine(version: "v2" | "v3", deviceId: string, fields: SignedFields): string {
  const { clientId, clientMode, role, scopes, signedAt, token, nonce, platform = "", deviceFamily = "" } = fields;
  const common = `${version}|${deviceId}|${clientId}|${clientMode}|${role}|${scopes.join(",")}|${signedAt}|${token}|${nonce}`;
  return version === "v2" ? common : `${common}|${platform.toLowerCase()}|${deviceFamily.toLowerCase()}`;
}

export function signLine(device: TestDevice, line: string): string {
  return sign(null, Buffer.from(line), device.key).toString("base64url");
}

export interface ClientOptions {
  readonly url: string;
  readonly token?: string | undefined;
  readonly password?: string;
  readonly deviceToken?: string;
  readonly bootstrapToken?: string | undefined;
  /** Null connects without a device; absent makes a new one. */
  readonly device?: TestDevice | null;
  readonly role?: string;
  readonly scopes?: readonly string[];
  readonly caps?: readonly string[];
  readonly client?: Json & { id?: string; mode?: string; platform?: string; deviceFamily?: string };
  readonly minProtocol?: number;
  readonly maxProtocol?: number;
  /** Headers of the upgrade request. */
  readonly headers?: Record<string, string>;
  readonly proof?: "v2" | "v3";
  /** Added to the server's time in the challenge. */
  readonly signedAtShiftMs?: number;
  /** Answers may hold fields nobody declared: for files into which a test writes them. */
  readonly isToldAnything?: boolean;
}

export class WireClient implements AsyncDisposable {
  readonly frames: Frame[] = [];
  readonly device: TestDevice | null;
  /** How the connection ended. */
  readonly closed: Promise<{ code: number; reason: string }>;
  // oxlint-disable-next-line typescript/no-explicit-any -- the payload of hello-ok, looked into by tests
  hello: any;
  readonly #options: ClientOptions;
  readonly #socket: WebSocket;
  readonly #watchers = new Set<() => void>();
  #end: { code: number; reason: string } | undefined;
  #failure: Error | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.device = options.device === undefined ? createTestDevice() : options.device;
    this.#socket = new WebSocket(options.url, { headers: options.headers ?? {}, rejectUnauthorized: false });
    const { promise, resolve } = Promise.withResolvers<{ code: number; reason: string }>();
    this.closed = promise;
    this.#socket.on("message", (data) => {
      this.frames.push(JSON.parse(String(data)) as Frame);
      this.#look();
    });
    this.#socket.on("error", (error) => (this.#failure = error));
    this.#socket.on("close", (code, reason) => {
      this.#end = { code, reason: String(reason) };
      resolve(this.#end);
      this.#look();
    });
  }

  /** Nothing more is taken from the gateway, while requests may still be sent. */
  stopReading(): void {
    this.#socket.pause();
  }

  readOn(): void {
    this.#socket.resume();
  }

  get events(): EventFrame[] {
    return this.frames.filter((frame) => frame.type === "event");
  }

  eventsOf(event: string, runId?: string): EventFrame[] {
    return this.events.filter((one) => one.event === event && (runId === undefined || one.payload.runId === runId));
  }

  responsesTo(id: string): ResponseFrame[] {
    return this.frames.filter((frame) => frame.type === "res" && frame.id === id) as ResponseFrame[];
  }

  /** What `find` returns once it is no longer undefined; looks again at every frame that arrives. */
  async until<T>(what: string, find: () => T | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const look = (): void => {
      const found = find();
      if (found !== undefined) resolve(found);
      else if (this.#end)
        reject(new Error(`${what}: closed ${this.#end.code} ${this.#end.reason} ${this.#failure ?? ""}`));
    };
    const timer = setTimeout(() => reject(new Error(`${what}: nothing came`)), PATIENCE_MS);
    this.#watchers.add(look);
    look();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(look);
    }
  }

  untilEvent(event: string, match: (frame: EventFrame) => boolean = () => true): Promise<EventFrame> {
    return this.until(`event ${event}`, () => this.events.find((one) => one.event === event && match(one)));
  }

  async challenge(): Promise<{ nonce: string; ts: number }> {
    return (await this.untilEvent("connect.challenge")).payload as { nonce: string; ts: number };
  }

  send(frame: unknown): void {
    this.sendText(JSON.stringify(frame));
  }

  sendText(text: string | Buffer): void {
    this.#socket.send(text);
  }

  /** The parameters of `connect`, signed for this connection. */
  async connectParams(): Promise<Json> {
    const { token, password, deviceToken, bootstrapToken, proof = "v3" } = this.#options;
    const { role = "operator", scopes = ALL_SCOPES } = this.#options;
    const client: Json = { id: "cli", version: "1.0.0", platform: "linux", mode: "cli", ...this.#options.client };
    const challenge = await this.challenge();
    const auth = {
      ...(token === undefined ? {} : { token }),
      ...(password === undefined ? {} : { password }),
      ...(deviceToken === undefined ? {} : { deviceToken }),
      ...(bootstrapToken === undefined ? {} : { bootstrapToken }),
    };
    return {
      minProtocol: this.#options.minProtocol ?? 3,
      maxProtocol: this.#options.maxProtocol ?? 4,
      client,
      role,
      scopes,
      caps: this.#options.caps ?? ["tool-events"],
      locale: "en-US",
      userAgent: "wire-client/1",
      ...(Object.keys(auth).length > 0 ? { auth } : {}),
      ...(this.device ? { device: this.#prove(this.device, proof, client, challenge) } : {}),
    };
  }

  #prove(device: TestDevice, proof: "v2" | "v3", client: Json, { nonce, ts }: { nonce: string; ts: number }): Json {
    const { token, deviceToken, bootstrapToken, role = "operator", scopes = ALL_SCOPES } = this.#options;
    const { signedAtShiftMs = 0 } = this.#options;
    const signedAt = ts + signedAtShiftMs;
    const line = signedLine(proof, device.id, {
      clientId: String(client["id"]),
      clientMode: String(client["mode"]),
      role,
      scopes,
      signedAt,
      nonce,
      token: token ?? deviceToken ?? bootstrapToken ?? "",
      platform: String(client["platform"] ?? ""),
      deviceFamily: String(client["deviceFamily"] ?? ""),
    });
    return { id: device.id, publicKey: device.publicKey, signature: signLine(device, line), signedAt, nonce };
  }

  /** Sends `connect`, changed by `change`; the response whatever it says. */
  async tryConnect(change: (params: Json) => unknown = (params) => params): Promise<ResponseFrame> {
    const response = await this.request("connect", change(await this.connectParams()));
    if (response.ok) this.hello = response.payload;
    return response;
  }

  /** One request; resolves with the last response: `agent` answers twice. */
  async request(method: string, params?: unknown, id: string = randomUUID()): Promise<ResponseFrame> {
    this.send({ type: "req", id, method, ...(params === undefined ? {} : { params }) });
    const isTwofold = method === "agent";
    const response = await this.until(`response to ${method}`, () =>
      this.responsesTo(id).find((frame) => !(isTwofold && frame.ok && frame.payload?.status === "accepted")),
    );
    if (this.#options.isToldAnything !== true)
      for (const { ok, payload } of this.responsesTo(id)) if (ok) expectDeclared(method, payload);
    return response;
  }

  /** The payload of a request that has to succeed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into payloads of every shape
  async call(method: string, params: unknown = {}): Promise<any> {
    const response = await this.request(method, params);
    if (!response.ok) throw new Error(`${method}: ${response.error?.code} ${response.error?.message}`);
    return response.payload;
  }

  /** Runs a turn and gives the text of its answer. */
  async agent(message: string, params: Json = {}): Promise<string> {
    const payload = await this.call("agent", { message, idempotencyKey: randomUUID(), ...params });
    return (payload.result.payloads as { text: string }[]).map(({ text }) => text).join("\n");
  }

  /** Sends a chat message and gives the last `chat` event of its run. */
  async chat(message: string, params: Json = {}): Promise<EventFrame> {
    const runId = String(params["idempotencyKey"] ?? randomUUID());
    await this.call("chat.send", { sessionKey: "main", message, idempotencyKey: runId, ...params });
    return this.chatEnd(runId);
  }

  chatEnd(runId: string): Promise<EventFrame> {
    return this.untilEvent("chat", ({ payload }) => payload.runId === runId && payload.state !== "delta");
  }

  /** Reads no more, as a machine that fell asleep; not even the end of the connection is noticed. */
  fallAsleep(): void {
    this.#socket.pause();
  }

  /** Drops the connection without a word. */
  terminate(): void {
    this.#socket.terminate();
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.terminate();
    this.#socket.close();
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #look(): void {
    for (const look of this.#watchers) look();
  }
}

/** A client that is let in, or an error that says why not. */
export async function connectClient(options: ClientOptions): Promise<WireClient> {
  const client = new WireClient(options);
  const response = await client.tryConnect();
  if (!response.ok) throw new Error(`not let in: ${response.error?.code} ${response.error?.message}`);
  return client;
}
