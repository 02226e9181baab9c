// Outbox: replies that are committed. Those for our own clients are told at once, those for channels wait in the delivery queue.
import type { Change, Clock, Ledger, Logger, OutboxItem } from "@chela/sdk";
import type { DeliveryQueue } from "./delivery-queue.ts";

const CONFIRM_AFTER_MS = 250;
const CONFIRM_AGAIN_MS = 2_000;
const MOST_RECOVERED = 100_000;

type NewItem = Omit<OutboxItem, "attempts" | "state" | "updatedAt">;

export interface OutboxParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether an item is for our own clients. */
  isOwn(item: NewItem): boolean;
  /** Tells our own clients. */
  tell(item: OutboxItem): void;
  /** What is written together with the receipt of one that is for our own clients. */
  toldChanges(item: NewItem, attempts: number, at: number): readonly Change[];
  /** What goes to channels. */
  readonly queue: DeliveryQueue;
}

export class Outbox {
  readonly queue: DeliveryQueue;
  readonly #parts: Omit<OutboxParts, "queue">;
  #confirmed: Change[] = [];
  #cancelConfirm: (() => void) | undefined;

  constructor({ queue, ...parts }: OutboxParts) {
    this.queue = queue;
    this.#parts = parts;
  }

  /**
   * The rows of replies, for the commit that makes them true. Our own clients read the ledger whenever they connect, so
   * what is for them has arrived once it is written; whoever is connected is told besides.
   */
  rows(items: readonly NewItem[], at: number): Change[] {
    return items.flatMap((item): Change[] =>
      this.#parts.isOwn(item)
        ? [{ kind: "outbox-add", item, deliveredAt: at }, ...this.#parts.toldChanges(item, 1, at)]
        : [{ kind: "outbox-add", item }],
    );
  }

  /** Sends replies whose rows were written as `rows` made them. */
  sendRows(items: readonly NewItem[]): void {
    for (const item of items) {
      if (this.#parts.isOwn(item)) this.#parts.tell({ ...item, attempts: 1, state: "delivered" });
      else this.queue.add({ ...item, attempts: 0, state: "pending" });
    }
  }

  /** Sends a reply whose row waits in the ledger. `mayHaveArrived`: an earlier process may have sent it. */
  send(item: OutboxItem, mayHaveArrived = false): void {
    if (!this.#parts.isOwn(item)) return this.queue.add(item, mayHaveArrived);
    this.#parts.tell(item);
    // Losing this note tells our clients twice under the same id, which is harmless: notes are written together.
    const at = this.#parts.clock.now();
    const attempts = item.attempts + 1;
    const receipt: Change = { kind: "outbox-state", id: item.id, state: "delivered", attempts, at };
    this.#confirmed.push(receipt, ...this.#parts.toldChanges(item, attempts, at));
    this.#confirmIn(CONFIRM_AFTER_MS);
  }

  /** Sends what an earlier process committed but did not confirm. */
  async recover(): Promise<number> {
    const items = await this.#parts.ledger.outbox("pending", MOST_RECOVERED);
    for (const item of items) this.send(item, true);
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
      await this.#parts.ledger.commit(changes);
    } catch (error) {
      this.#confirmed.unshift(...changes);
      throw error;
    }
  }

  #confirmIn(ms: number): void {
    this.#cancelConfirm ??= this.#parts.clock.after(ms, () => {
      this.flush().catch((error: unknown) => {
        this.#parts.log.warn("receipts not written yet", { error: String(error) });
        this.#confirmIn(CONFIRM_AGAIN_MS);
      });
    });
  }
}
