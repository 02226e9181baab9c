// Keeps one account of a channel connected: starts it, notices when it is gone or mute, and starts it again after a pause.
import {
  GatewayError,
  toGatewayError,
  type AccountAbout,
  type AccountReport,
  type Channel,
  type ChannelConnection,
  type ChannelHost,
  type Clock,
  type Disconnect,
  type Logger,
} from "@chela/sdk";
import { waitAtMost } from "@chela/sdk/base";

/** What operators see of an account: flags that each stand for themselves. */
export interface AccountStatus extends AccountAbout {
  readonly accountId: string;
  readonly enabled: boolean;
  readonly configured: boolean;
  readonly linked: boolean;
  readonly running: boolean;
  readonly connected: boolean;
  readonly reconnectAttempts: number;
  readonly lastStartAt?: number;
  readonly lastStopAt?: number;
  readonly lastConnectedAt?: number;
  readonly lastDisconnect?: { readonly at: number; readonly why: string };
  readonly lastInboundAt?: number;
  readonly lastOutboundAt?: number;
  readonly lastError?: string;
  readonly self?: Readonly<Record<string, string>>;
}

export interface RunnerParts {
  readonly channel: Channel;
  readonly account: unknown;
  readonly accountId: string;
  readonly clock: Clock;
  readonly log: Logger;
  random(): number;
  /** Everything of the host that is not about the connection itself. */
  host(): Omit<ChannelHost, "alive" | "report">;
  connected(connection: ChannelConnection): void;
  /** The status is another one now. When it was last spoken alone is not worth a word. */
  changed(): void;
  /** Takes secrets out of what a platform said. */
  redact(text: string): string;
}

const BACKOFF_MS = [1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000];
const CONFLICT_WAIT_MS = 30_000;
/** A connection that held this long was a good one: the next pause is short again. */
const GOOD_AFTER_MS = 60_000;
const START_PATIENCE_MS = 180_000;
/** A platform that does not let go keeps nobody from stopping. */
const CLOSE_PATIENCE_MS = 10_000;

export class AccountRunner {
  readonly #parts: RunnerParts;
  #connection: ChannelConnection | undefined;
  #isOver = false;
  #attempts = 0;
  #lastSign = 0;
  #wake: () => void = () => {};
  /** Ends the wait for the connection's end when we close it ourselves. */
  #letGo: (why: Disconnect) => void = () => {};
  /** Ends the wait for a connection that is being made. */
  #abandonStart: () => void = () => {};
  #done: Promise<void> = Promise.resolve();
  #status: AccountStatus;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#status = {
      accountId: parts.accountId,
      enabled: true,
      configured: true,
      linked: true,
      running: false,
      connected: false,
      reconnectAttempts: 0,
    };
  }

  get status(): AccountStatus {
    return this.#status;
  }

  /** Undefined while there is no connection. */
  get connection(): ChannelConnection | undefined {
    return this.#status.connected ? this.#connection : undefined;
  }

  start(): void {
    this.#set({ running: true, lastStartAt: this.#parts.clock.now() });
    this.#done = this.#keepConnected();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#wake();
    this.#abandonStart();
    await this.#close();
    await this.#done;
    this.#set({ running: false, connected: false, lastStopAt: this.#parts.clock.now() });
  }

  /** The connection is made anew at once, whatever state it is in. */
  reconnect(): void {
    this.#attempts = 0;
    void this.#close();
    this.#wake();
  }

  note(what: "inbound" | "outbound"): void {
    const at = this.#parts.clock.now();
    this.#status = { ...this.#status, ...(what === "inbound" ? { lastInboundAt: at } : { lastOutboundAt: at }) };
  }

  async #keepConnected(): Promise<void> {
    while (!this.#isOver) {
      const ended = await this.#connectOnce();
      if (this.#isOver) return;
      const end = { ...ended, why: this.#parts.redact(ended.why) };
      this.#attempts += 1;
      this.#set({ connected: false, reconnectAttempts: this.#attempts, lastError: end.why });
      this.#set({ lastDisconnect: { at: this.#parts.clock.now(), why: end.why } });
      if (end.isFinal) {
        this.#parts.log.error("the account is stopped until somebody sees to it", { why: end.why });
        this.#set({ running: false, linked: false });
        return;
      }
      await this.#pause(end);
    }
  }

  /** Connects and stays until the connection is gone; says why it is. */
  async #connectOnce(): Promise<Disconnect> {
    const { channel, account, clock, log } = this.#parts;
    const startedAt = clock.steady();
    const line = { isCurrent: true };
    try {
      const connection = await this.#startWithPatience(channel.start(account, this.#host(line)));
      this.#connection = connection;
      if (this.#isOver) return { why: "it was stopped" };
      this.#set({ connected: true, linked: true, lastConnectedAt: clock.now(), reconnectAttempts: 0 });
      this.#clearError();
      log.info("connected");
      this.#parts.connected(connection);
      const closed = new Promise<Disconnect>((resolve) => (this.#letGo = resolve));
      using silence = this.#watchForSilence();
      const end = await Promise.race([connection.ended, silence.noticed, closed]);
      if (clock.steady() - startedAt > GOOD_AFTER_MS) this.#attempts = 0;
      log.warn("disconnected", { why: end.why });
      return end;
    } catch (thrown) {
      const error = toGatewayError(thrown, "CHANNEL_OFFLINE");
      log.warn("could not connect", { code: error.code, why: error.detail });
      return { why: error.detail, isFinal: error.code === "CHANNEL_AUTH" || error.code === "CHANNEL_SETTINGS" };
    } finally {
      await this.#close();
      line.isCurrent = false;
    }
  }

  async #startWithPatience(starting: Promise<ChannelConnection>): Promise<ChannelConnection> {
    const late = Promise.withResolvers<never>();
    const abandon = (why: string): void => late.reject(new GatewayError("CHANNEL_OFFLINE", why));
    this.#abandonStart = () => abandon("it was stopped");
    const cancel = this.#parts.clock.after(START_PATIENCE_MS, () =>
      abandon(`no connection within ${START_PATIENCE_MS / 1000} seconds`),
    );
    try {
      return await Promise.race([starting, late.promise]);
    } catch (error) {
      // One that comes after all is not wanted any more.
      void starting.then((connection) => connection.close()).catch(() => {});
      throw error;
    } finally {
      cancel();
      this.#abandonStart = () => {};
    }
  }

  /** `noticed` resolves when there was no sign of life for too long. */
  #watchForSilence(): Disposable & { readonly noticed: Promise<Disconnect> } {
    const { clock, channel } = this.#parts;
    const { stallMs } = channel.traits;
    const { promise: noticed, resolve } = Promise.withResolvers<Disconnect>();
    let cancel = (): void => {};
    this.#lastSign = clock.steady();
    const look = (): void => {
      if (stallMs === undefined) return;
      const quiet = clock.steady() - this.#lastSign;
      if (quiet >= stallMs) resolve({ why: `no sign of life for ${Math.round(quiet / 1000)} seconds` });
      else cancel = clock.after(Math.min(stallMs, stallMs - quiet), look);
    };
    look();
    return { noticed, [Symbol.dispose]: () => cancel() };
  }

  /** What a connection says of itself counts as long as it is the one we have. */
  #host(line: { readonly isCurrent: boolean }): ChannelHost {
    return {
      ...this.#parts.host(),
      alive: () => void (this.#lastSign = this.#parts.clock.steady()),
      report: (change: Partial<AccountReport>) => (line.isCurrent ? this.#set(this.#shown(change)) : undefined),
    };
  }

  #shown({ lastError, ...change }: Partial<AccountReport>): Partial<AccountReport> {
    return lastError === undefined ? change : { ...change, lastError: this.#parts.redact(lastError) };
  }

  async #pause({ isConflict }: Disconnect): Promise<void> {
    const { clock, random } = this.#parts;
    const base = BACKOFF_MS[Math.min(this.#attempts, BACKOFF_MS.length) - 1] ?? 1000;
    const waitMs = Math.max(base, isConflict ? CONFLICT_WAIT_MS : 0) * (0.8 + 0.4 * random());
    await new Promise<void>((resolve) => {
      const cancel = clock.after(waitMs, resolve);
      this.#wake = () => (cancel(), resolve());
    });
    this.#wake = () => {};
  }

  async #close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#letGo({ why: "it was closed" });
    if (!connection) return;
    const closing = connection.close().catch((error: unknown) => {
      this.#parts.log.debug("a connection did not close well", { error: String(error) });
    });
    await waitAtMost(CLOSE_PATIENCE_MS, closing, this.#parts.clock);
  }

  #set(change: Partial<AccountStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#parts.changed();
  }

  #clearError(): void {
    const { lastError: _, ...rest } = this.#status;
    this.#status = rest;
  }
}
