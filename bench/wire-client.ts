// A client of the gateway protocol with a device proof, written for measuring: it reads no more of a frame than it must.
import { createHash, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { WebSocket } from "ws";

export interface Device {
  readonly id: string;
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

export interface WireOptions {
  readonly port: number;
  readonly token: string;
  readonly device: Device;
}

type Json = Record<string, unknown>;

interface Waiting {
  readonly method: string;
  /** An `agent` call is answered twice; only the second answer ends it. */
  readonly untilFinal: boolean;
  resolve(payload: Json): void;
  reject(error: Error): void;
}

interface ResponseFrame {
  readonly id: string;
  readonly ok: boolean;
  readonly payload?: Json;
  readonly error?: { readonly code: string; readonly message: string };
}

const SCOPES = ["operator.admin", "operator.read", "operator.write", "operator.approvals", "operator.pairing"];
const CLIENT = { id: "cli", version: "1.0.0", platform: "linux", mode: "cli" };
const ROLE = "operator";
const HANDSHAKE_MS = 10_000;
const RESPONSE_START = '{"type":"res"';
const EVENT_START = '{"type":"event"';

export function createDevice(): Device {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return {
    id: createHash("sha256").update(raw).digest("hex"),
    publicKey: raw.toString("base64url"),
    privateKey,
  };
}

export class WireClient {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, Waiting>();
  #lastId = 0;
  /** While set, frames go there uninterpreted. */
  #tap: ((text: string) => void) | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(String(data)));
    socket.on("close", (code) => this.#fail(new Error(`the connection was closed (${code})`)));
    socket.on("error", () => undefined);
  }

  /** Resolves at hello-ok. */
  static async connect({ port, token, device }: WireOptions): Promise<WireClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false, maxPayload: 2 ** 28 });
    try {
      const { nonce, ts } = await readChallenge(socket);
      const client = new WireClient(socket);
      await client.request("connect", connectParams(device, token, nonce, ts));
      return client;
    } catch (error) {
      socket.terminate();
      throw error;
    }
  }

  request(method: string, params: object = {}): Promise<Json> {
    return this.#send(method, params, false);
  }

  /** One turn, from the message to the final answer. */
  async turn(sessionKey: string, message: string): Promise<void> {
    const idempotencyKey = crypto.randomUUID();
    const final = await this.#send("agent", { message, sessionKey, idempotencyKey }, true);
    if (final["status"] !== "ok") throw new Error(`the turn ended with ${JSON.stringify(final)}`);
  }

  /** Sends `count` equal requests, `depth` of them under way at a time; resolves with the milliseconds it took. */
  async pipeline(method: string, params: object, { count, depth }: { count: number; depth: number }): Promise<number> {
    const tail = `","method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let sent = 0;
    let answered = 0;
    const sendNext = (): void => this.#socket.send(`{"type":"req","id":"p${sent++}${tail}`);
    this.#tap = (text) => {
      if (!text.startsWith(RESPONSE_START)) return;
      if (!text.includes('"ok":true')) return reject(new Error(`${method} was answered with ${text.slice(0, 200)}`));
      answered += 1;
      if (answered === count) resolve();
      else if (sent < count) sendNext();
    };
    const began = performance.now();
    while (sent < Math.min(depth, count)) sendNext();
    try {
      await promise;
      return performance.now() - began;
    } finally {
      this.#tap = undefined;
    }
  }

  close(): void {
    this.#socket.terminate();
  }

  #send(method: string, params: object, untilFinal: boolean): Promise<Json> {
    const id = `r${++this.#lastId}`;
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    this.#waiting.set(id, { method, untilFinal, resolve, reject });
    this.#socket.send(JSON.stringify({ type: "req", id, method, params }));
    return promise;
  }

  #receive(text: string): void {
    if (this.#tap) return this.#tap(text);
    if (text.startsWith(EVENT_START)) return;
    const frame = JSON.parse(text) as ResponseFrame;
    const waiting = this.#waiting.get(frame.id);
    if (!waiting) return;
    const payload = frame.payload ?? {};
    if (frame.ok && waiting.untilFinal && payload["status"] === "accepted") return;
    this.#waiting.delete(frame.id);
    if (frame.ok) waiting.resolve(payload);
    else waiting.reject(new Error(`${waiting.method}: ${frame.error?.code}: ${frame.error?.message}`));
  }

  #fail(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

function readChallenge(socket: WebSocket): Promise<{ nonce: string; ts: number }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no challenge came")), HANDSHAKE_MS);
    const settle = (): void => clearTimeout(timer);
    socket.once("error", (error) => (settle(), reject(error)));
    socket.once("close", () => (settle(), reject(new Error("closed before the challenge"))));
    socket.once("message", (data) => {
      settle();
      const frame = JSON.parse(String(data)) as { payload: { nonce: string; ts: number } };
      resolve(frame.payload);
    });
  });
}

function connectParams(device: Device, token: string, nonce: string, signedAt: number): object {
  const proof = ["v3", device.id, CLIENT.id, CLIENT.mode, ROLE, SCOPES.join(","), signedAt, token, nonce];
  const text = [...proof, CLIENT.platform, ""].join("|");
  const signature = sign(null, Buffer.from(text), device.privateKey).toString("base64url");
  return {
    minProtocol: 3,
    maxProtocol: 4,
    client: CLIENT,
    role: ROLE,
    scopes: SCOPES,
    caps: [],
    auth: { token },
    device: { id: device.id, publicKey: device.publicKey, signature, signedAt, nonce },
    locale: "en-US",
    userAgent: "chela-bench",
  };
}
