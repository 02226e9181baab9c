// The outbox: replies that are committed, sent by their channel, confirmed by its receipt, retried until then.
import type { Change, Clock, Ledger, Logger, OutboxItem } from "@chela/sdk";

export type DeliveryOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "retry"; readonly why: string }
  | { readonly kind: "undeliverable"; readonly why: string };

/** Hands one reply to a platform. `item.id` is the idempotency key. Must not reject. */
export type SendReply = (item: OutboxItem) => Promise<DeliveryOutcome>;

const CONFIRM_AFTER_MS = 250;
const CONFIRM_AGAIN_MS = 2_000;
const BACKOFF_MS = [1000, 5000, 30_000, 120_000, 600_000];

export class Outbox {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #senders: ReadonlyMap<string, SendReply>;
  #confirmed: Change[] = [];
  #cancelConfirm: (() => void) | undefined;

  constructor(parts: {
    readonly ledger: Ledger;
    readonly clock: Clock;
    readonly log: Logger;
    /** By channel. */
    readonly senders: ReadonlyMap<string, SendReply>;
  }) {
    this.#ledger = parts.ledger;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#senders = parts.senders;
  }

  /** Sends a reply whose row is already committed. */
  async send(item: OutboxItem): Promise<void> {
    const sender = this.#senders.get(item.channel);
    const outcome: DeliveryOutcome = sender
      ? await sender(item)
      : { kind: "undeliverable", why: `there is no channel "${item.channel}"` };
    const attempts = item.attempts + 1;
    if (outcome.kind === "delivered") return this.#note(item.id, "delivered", attempts);
    const wait = BACKOFF_MS[attempts - 1];
    if (outcome.kind === "undeliverable" || wait === undefined) {
      this.#log.error("reply cannot be delivered", { item: item.id, channel: item.channel, why: outcome.why });
      return this.#note(item.id, "undeliverable", attempts);
    }
    this.#log.warn("reply not delivered, trying again", { item: item.id, why: outcome.why, waitMs: wait });
    this.#note(item.id, "pending", attempts);
    this.#clock.after(wait, () => void this.send({ ...item, attempts }));
  }

  /** Sends what an earlier process committed but did not confirm. */
  async recover(): Promise<number> {
    const items = await this.#ledger.outbox("pending", 10_000);
    for (const item of items) await this.send(item);
    return items.length;
  }

  /** Writes receipts that are still in memory; those that cannot be written stay there. */
  async flush(): Promise<void> {
    this.#cancelConfirm?.();
    this.#cancelConfirm = undefined;
    const changes = this.#confirmed;
    this.#confirmed = [];
    if (changes.length === 0) return;
    try {
      await this.#ledger.commit(changes);
    } catch (error) {
      this.#confirmed.unshift(...changes);
      throw error;
    }
  }

  /** Receipts are written together: losing one repeats a delivery under the same idempotency key, which is harmless. */
  #note(id: string, state: OutboxItem["state"], attempts: number): void {
    this.#confirmed.push({ kind: "outbox-state", id, state, attempts });
    this.#confirmIn(CONFIRM_AFTER_MS);
  }

  #confirmIn(ms: number): void {
    this.#cancelConfirm ??= this.#clock.after(ms, () => {
      this.flush().catch((error: unknown) => {
        this.#log.warn("receipts not written yet", { error: String(error) });
        this.#confirmIn(CONFIRM_AGAIN_MS);
      });
    });
  }
}
