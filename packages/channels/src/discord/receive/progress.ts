// Tracks which events were taken in: for Discord when a session is resumed, and for reading on after one ended.
import * as z from "zod";
import { once, type ChannelHost, type Parsed } from "@chela/sdk";
import { Noted, recallAs } from "@chela/sdk/channel-kit";

const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
const MOST_CHANNELS = 100;
const WRITE_AFTER_MS = 5_000;
const NAME = "progress";

const Session = once(() =>
  z.object({
    sessionId: z.string(),
    resumeURL: z.string().regex(/^wss?:\/\//),
    sequence: z.number(),
    shardId: z.number(),
    shardCount: z.number(),
  }),
);
export type Session = Parsed<typeof Session>;

const Kept = once(() =>
  z.object({
    /** Which token and which intents the session was made with. */
    scope: z.string().optional(),
    session: Session().optional().catch(undefined),
    /** By channel: the last message that was taken in, and when. */
    read: z.record(z.string(), z.tuple([z.string(), z.number()])).catch({}),
  }),
);

export class Progress {
  readonly #host: Pick<ChannelHost, "clock" | "log" | "remember">;
  readonly #scope: string;
  readonly #read: Map<string, [string, number]>;
  readonly #open = new Set<number>();
  #session: Session | undefined;
  readonly #noted: Noted;

  private constructor(host: Pick<ChannelHost, "clock" | "log" | "remember">, scope: string, kept: Parsed<typeof Kept>) {
    this.#host = host;
    this.#scope = scope;
    this.#session = kept.scope === scope ? kept.session : undefined;
    this.#read = new Map(Object.entries(kept.read));
    // Losing the last seconds only means that a few events come twice, and are known by their ids.
    this.#noted = new Noted(host, { name: NAME, afterMs: WRITE_AFTER_MS, read: () => this.#written() });
  }

  static async load(host: ChannelHost, scope: string): Promise<Progress> {
    return new Progress(host, scope, (await recallAs(host, NAME, Kept)) ?? { read: {} });
  }

  /** As Discord may know it: everything up to this number is taken in. */
  get session(): Session | undefined {
    if (!this.#session) return undefined;
    const first = Math.min(...this.#open);
    return { ...this.#session, sequence: Math.min(this.#session.sequence, first - 1) };
  }

  set session(session: Session | undefined) {
    this.#session = session;
    if (!session) this.#open.clear();
    this.#noted.changed();
  }

  get openCount(): number {
    return this.#open.size;
  }

  begin(sequence: number): void {
    this.#open.add(sequence);
  }

  done(sequence: number): void {
    this.#open.delete(sequence);
    this.#noted.changed();
  }

  /** This message of the channel, and all before it, are taken in. */
  noteRead(channelId: string, messageId: string): void {
    const [last = "0"] = this.#read.get(channelId) ?? [];
    if (BigInt(messageId) <= BigInt(last)) return;
    this.#read.set(channelId, [messageId, this.#host.clock.now()]);
    this.#noted.changed();
  }

  /** Where reading goes on, for the channels in which somebody spoke lately. */
  lastRead(): Array<{ channelId: string; messageId: string }> {
    return this.#recent().map(([channelId, [messageId]]) => ({ channelId, messageId }));
  }

  /** Writes for the last time: after that, another connection may have taken over. */
  close(): Promise<void> {
    return this.#noted.close();
  }

  #written(): string {
    return JSON.stringify({ scope: this.#scope, session: this.session, read: Object.fromEntries(this.#recent()) });
  }

  #recent(): Array<[string, [string, number]]> {
    const since = this.#host.clock.now() - KEPT_FOR_MS;
    return [...this.#read]
      .filter(([, [, at]]) => at >= since)
      .sort(([, [, one]], [, [, other]]) => other - one)
      .slice(0, MOST_CHANNELS);
  }
}
