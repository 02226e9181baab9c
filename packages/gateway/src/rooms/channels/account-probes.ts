// Asks platforms whether an account is well there, and remembers what they said and when: nobody is asked without need.
import { toGatewayError, type ChannelConnection, type Clock } from "@chela/sdk";
import type { Channels } from "./room.ts";
import { within } from "./within.ts";

/** What the platform answered, and whatever else it said. */
interface Probed {
  readonly [key: string]: unknown;
  readonly ok: boolean;
  readonly error?: string;
}

export interface LastProbe {
  readonly probe: Probed;
  readonly lastProbeAt: number;
}

export const PROBE_PATIENCE_MS = 10_000;

export class AccountProbes {
  readonly #clock: Clock;
  /** By channel and account. */
  readonly #last = new Map<string, LastProbe>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined when it was never asked. */
  last(channel: string, accountId: string): LastProbe | undefined {
    return this.#last.get(nameOf(channel, accountId));
  }

  /** The answer of now; the last one where there is nobody to ask. */
  async ask(
    channels: Pick<Channels, "connection">,
    account: { readonly channel: string; readonly accountId: string },
    timeoutMs = PROBE_PATIENCE_MS,
  ): Promise<LastProbe | undefined> {
    const { channel, accountId } = account;
    const connection = channels.connection({ channel, account: accountId });
    if (!connection?.probe) return this.last(channel, accountId);
    const probe = await this.#answerOf(connection.probe(), timeoutMs);
    const probed = { probe, lastProbeAt: this.#clock.now() };
    this.#last.set(nameOf(channel, accountId), probed);
    return probed;
  }

  /** All accounts that are connected, side by side. */
  async askAll(channels: Pick<Channels, "ids" | "status" | "connection">): Promise<void> {
    const accounts = channels.ids.flatMap((channel) =>
      channels.status(channel).map(({ accountId }) => ({ channel, accountId })),
    );
    await Promise.all(accounts.map((account) => this.ask(channels, account)));
  }

  async #answerOf(asked: ReturnType<NonNullable<ChannelConnection["probe"]>>, timeoutMs: number): Promise<Probed> {
    try {
      const answer = await within(this.#clock, timeoutMs, asked);
      return answer ? { ok: true, ...answer } : { ok: false, error: `no answer within ${timeoutMs} ms` };
    } catch (error) {
      return { ok: false, error: toGatewayError(error, "CHANNEL_OFFLINE").detail };
    }
  }
}

function nameOf(channel: string, accountId: string): string {
  return `${channel}\n${accountId}`;
}
