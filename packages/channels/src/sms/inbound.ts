// Hands messages to the gateway, in order for each sender, and once although they come in two ways.
import { type ChannelEvent, type ChannelHost, OneAtATime } from "@chela/sdk";
import { RecentIds } from "@chela/sdk/channel-kit";

/** Kept over a restart, so that what was looked at is not looked at again under other rules. */
const KEPT = "taken";
const MOST_KEPT = 100;
const MOST_REMEMBERED = 2_000;

export class Inbound {
  readonly #host: ChannelHost;
  readonly #inOrder = new OneAtATime();
  readonly #taken: RecentIds;

  private constructor(host: ChannelHost, taken: Iterable<string>) {
    this.#host = host;
    this.#taken = new RecentIds(MOST_REMEMBERED, taken);
  }

  static async open(host: ChannelHost): Promise<Inbound> {
    return new Inbound(host, (await host.recall(KEPT))?.split(" ") ?? []);
  }

  /** Resolves when it is written down, and rejects when that is not possible. */
  take(event: ChannelEvent): Promise<void> {
    return this.#inOrder.run(event.chat.id, async () => {
      if (this.#taken.has(event.id)) return;
      await this.#host.receive(event);
      this.#note(event.id);
    });
  }

  /** It was looked at and is of no interest, which a list of messages does not always show. */
  passOver(id: string): void {
    if (!this.#taken.has(id)) this.#note(id);
  }

  has(id: string): boolean {
    return this.#taken.has(id);
  }

  #note(id: string): void {
    this.#taken.add(id);
    // Nobody waits for it: without it the gateway still knows the messages it has answered.
    this.#host.remember(KEPT, this.#taken.list().slice(-MOST_KEPT).join(" ")).catch((error: unknown) => {
      this.#host.log.debug("which messages were taken could not be kept", { error: String(error) });
    });
  }
}
