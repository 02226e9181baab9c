// The connection with the gateway: opens it, opens it again, asks and is told. It goes to the page's own origin only.
import type { EventFrame, HelloOk, MethodName, MethodParams, MethodAnswer, ResponseFrame } from "@chela/sdk/protocol";
import { Live } from "../state/live.ts";
import { canMakeKeys, keepDeviceToken, proveDevice, readDeviceToken } from "./device-key.ts";
import type { WireEvents } from "./events.ts";
import { WireFailure } from "./failure.ts";

export type WireState =
  | { readonly kind: "connecting" }
  /** `openedAt` is when the hello came: what it says of times counts from then. */
  | { readonly kind: "open"; readonly hello: HelloOk; readonly openedAt: number }
  /** Lost; tries again by itself. */
  | { readonly kind: "lost"; readonly retryAt: number; readonly why: string }
  /** Needs something of a person before it makes sense to try again. */
  | { readonly kind: "signed-out"; readonly code: string; readonly why: string; readonly requestId?: string };

export interface Secrets {
  readonly code?: string;
  readonly token?: string;
  readonly password?: string;
}

/** One frame as the console shows it. */
export interface SeenFrame {
  readonly at: number;
  readonly way: "in" | "out";
  readonly frame: unknown;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  /** The first of two answers does not settle the call. */
  readonly isFinal: (payload: unknown) => boolean;
}

const CLIENT = { id: "openclaw-control-ui", mode: "ui" } as const;
const SCOPES = ["operator.admin", "operator.approvals", "operator.pairing"] as const;
const FIRST_RETRY_MS = 400;
const MOST_RETRY_MS = 15_000;
/** Codes of the handshake after which another try with the same words gives the same answer. */
const NEEDS_PERSON = /^(AUTH_|CONTROL_UI_|DEVICE_|PAIRING_REQUIRED)/;

type Listener = (payload: never) => void;

export class Wire {
  readonly state = new Live<WireState>({ kind: "connecting" });
  readonly #url: string;
  readonly #version: string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #frames = new Set<(frame: SeenFrame) => void>();
  readonly #resync = new Set<() => void>();
  #socket: WebSocket | undefined;
  #secrets: Secrets;
  /** As it was told last: what a gateway knows is not forgotten while the connection is lost. */
  #methods: ReadonlySet<string> = new Set();
  #seq: number | undefined;
  #count = 0;
  #retryMs = FIRST_RETRY_MS;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceMs = 0;

  constructor(options: { readonly url: string; readonly version: string; readonly secrets: Secrets }) {
    this.#url = options.url;
    this.#version = options.version;
    this.#secrets = options.secrets;
  }

  get hello(): HelloOk | undefined {
    return this.state.value.kind === "open" ? this.state.value.hello : undefined;
  }

  /** Number of the event that was told last. */
  get seq(): number {
    return this.#seq ?? 0;
  }

  /** Whether this gateway knows a method: pages of capabilities it does not have are not shown. */
  has(method: string): boolean {
    return this.#methods.has(method);
  }

  start(): void {
    this.#open();
    window.addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && this.state.value.kind === "lost") this.retryNow();
    });
  }

  /** Tries with other words of proof. */
  signIn(secrets: Secrets): void {
    if (this.state.value.kind === "open") return;
    this.#secrets = secrets;
    this.retryNow();
  }

  retryNow(): void {
    if (this.state.value.kind === "open" || this.state.value.kind === "connecting") return;
    this.#retryMs = FIRST_RETRY_MS;
    this.#open();
  }

  async call<M extends MethodName>(
    method: M,
    params: MethodParams<M>,
    options: { readonly isFinal?: (payload: unknown) => boolean } = {},
  ): Promise<MethodAnswer<M>> {
    return (await this.callAny(method, params, options)) as MethodAnswer<M>;
  }

  /** For the console, where somebody types the method's name. */
  callAny(
    method: string,
    params: unknown,
    options: { readonly isFinal?: (payload: unknown) => boolean } = {},
  ): Promise<unknown> {
    if (this.state.value.kind !== "open") return Promise.reject(offline());
    return this.#request(method, params, options.isFinal ?? (() => true));
  }

  on<E extends keyof WireEvents>(event: E, listener: (payload: WireEvents[E]) => void): () => void {
    const all = this.#listeners.get(event) ?? new Set<Listener>();
    this.#listeners.set(event, all.add(listener as Listener));
    return () => void all.delete(listener as Listener);
  }

  /** Tells when events may have been missed: what is shown has to be asked for again. */
  onResync(listener: () => void): () => void {
    this.#resync.add(listener);
    return () => void this.#resync.delete(listener);
  }

  onFrame(listener: (frame: SeenFrame) => void): () => void {
    this.#frames.add(listener);
    return () => void this.#frames.delete(listener);
  }

  #open(): void {
    clearTimeout(this.#retryTimer);
    this.state.set({ kind: "connecting" });
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.#socket) this.#receive(String(data));
    });
    socket.addEventListener("close", ({ reason }) => {
      if (socket === this.#socket) this.#lost(reason);
    });
  }

  #receive(text: string): void {
    const frame = JSON.parse(text) as EventFrame | ResponseFrame;
    this.#show("in", frame);
    this.#listenForSilence();
    if (frame.type === "res") return this.#answered(frame);
    if (frame.event === "connect.challenge") return void this.#introduce(frame.payload as { nonce: string });
    this.#checkOrder(frame.seq);
    for (const listener of this.#listeners.get(frame.event) ?? []) listener(frame.payload as never);
  }

  #answered(frame: ResponseFrame): void {
    const waiting = this.#waiting.get(frame.id);
    if (!waiting || (frame.ok && !waiting.isFinal(frame.payload))) return;
    this.#waiting.delete(frame.id);
    if (frame.ok) return waiting.resolve(frame.payload);
    waiting.reject(new WireFailure(frame.error ?? { code: "UNAVAILABLE", message: "The gateway gave no reason." }));
  }

  #checkOrder(seq: number | undefined): void {
    if (seq === undefined) return;
    const isGap = this.#seq !== undefined && seq > this.#seq + 1;
    this.#seq = seq;
    if (isGap) this.#tellResync();
  }

  async #introduce({ nonce }: { nonce: string }): Promise<void> {
    try {
      const hello = (await this.#request("connect", await this.#connectParams(nonce), () => true)) as HelloOk;
      await this.#welcome(hello);
    } catch (error) {
      await this.#refused(error);
    }
  }

  async #connectParams(nonce: string): Promise<MethodParamsOfConnect> {
    const { code, token, password } = this.#secrets;
    const deviceToken = token || password || !canMakeKeys() ? undefined : await readDeviceToken();
    const auth = {
      ...(token ? { token } : {}),
      ...(password ? { password } : {}),
      ...(deviceToken ? { deviceToken } : {}),
      ...(code && !deviceToken ? { bootstrapToken: code } : {}),
    };
    const platform = "web";
    const secret = token ?? deviceToken ?? auth.bootstrapToken ?? "";
    const { id: clientId, mode: clientMode } = CLIENT;
    const words = { clientId, clientMode, role: "operator", scopes: SCOPES, secret, nonce, platform };
    return {
      minProtocol: 3,
      maxProtocol: 3,
      client: { ...CLIENT, version: this.#version, platform, displayName: browserName() },
      role: "operator",
      scopes: SCOPES,
      caps: ["tool-events"],
      ...(canMakeKeys() ? { device: await proveDevice(words) } : {}),
      ...(Object.keys(auth).length > 0 ? { auth } : {}),
      locale: navigator.language,
      userAgent: navigator.userAgent,
    };
  }

  async #welcome(hello: HelloOk): Promise<void> {
    if (hello.auth?.deviceToken) await keepDeviceToken(hello.auth.deviceToken);
    this.#secrets = {};
    this.#methods = new Set(hello.features.methods);
    this.#seq = undefined;
    this.#retryMs = FIRST_RETRY_MS;
    this.#silenceMs = hello.policy.tickIntervalMs * 2;
    this.#listenForSilence();
    this.state.set({ kind: "open", hello, openedAt: Date.now() });
    this.#tellResync();
  }

  async #refused(error: unknown): Promise<void> {
    if (!(error instanceof WireFailure) || error.code === "OFFLINE") return;
    const { code = "", requestId } = (error.details ?? {}) as { code?: string; requestId?: string };
    if (code === "AUTH_DEVICE_TOKEN_MISMATCH") {
      // The token was revoked or the gateway is another one: the code or token of this visit may still do.
      await keepDeviceToken(undefined);
      if (this.#secrets.code) return this.#openAgain();
    }
    if (!NEEDS_PERSON.test(code)) return;
    this.#secrets = {};
    this.#leave({ kind: "signed-out", code, why: error.message, ...(requestId ? { requestId } : {}) });
  }

  #openAgain(): void {
    this.#leave({ kind: "connecting" });
    this.#open();
  }

  #leave(state: WireState): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#rejectAll();
    this.state.set(state);
  }

  #lost(reason: string): void {
    this.#socket = undefined;
    clearTimeout(this.#silenceTimer);
    this.#rejectAll();
    const waitMs = this.#retryMs * (0.8 + Math.random() * 0.4);
    this.#retryMs = Math.min(this.#retryMs * 1.7, MOST_RETRY_MS);
    this.state.set({ kind: "lost", retryAt: Date.now() + waitMs, why: reason });
    this.#retryTimer = setTimeout(() => this.#open(), waitMs);
  }

  /** A gateway that says nothing for two ticks is gone, even if the network has not noticed. */
  #listenForSilence(): void {
    clearTimeout(this.#silenceTimer);
    if (this.#silenceMs === 0) return;
    this.#silenceTimer = setTimeout(() => this.#socket?.close(4000, "tick timeout"), this.#silenceMs);
  }

  #request(method: string, params: unknown, isFinal: (payload: unknown) => boolean): Promise<unknown> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(offline());
    const id = String(++this.#count);
    const frame = { type: "req", id, method, params };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, isFinal });
      socket.send(JSON.stringify(frame));
      this.#show("out", frame);
    });
  }

  #rejectAll(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of all) reject(offline());
  }

  #tellResync(): void {
    for (const listener of this.#resync) listener();
  }

  #show(way: SeenFrame["way"], frame: unknown): void {
    if (this.#frames.size === 0) return;
    for (const listener of this.#frames) listener({ at: Date.now(), way, frame });
  }
}

type MethodParamsOfConnect = Readonly<Record<string, unknown>>;

function offline(): WireFailure {
  return new WireFailure({ code: "OFFLINE", message: "There is no connection to the gateway right now." });
}

function browserName(): string {
  const [, name = "Browser"] = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(navigator.userAgent) ?? [];
  return { Edg: "Edge", OPR: "Opera" }[name] ?? name;
}
