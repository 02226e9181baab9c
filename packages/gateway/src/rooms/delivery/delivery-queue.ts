// Delivery queue: sends committed messages to channels, in order for each recipient, again when that may help, and never lost silently.
import type { Address, Change, Clock, Ledger, Logger, OutboxItem, SendOutcome } from "@chela/sdk";
import { defined, waitAtMost } from "@chela/sdk/base";

export type AttemptOutcome =
  | SendOutcome
  /** There is no connection now: this is no attempt. */
  | { readonly kind: "offline"; readonly why: string };

export interface Pace {
  /** Messages a second. */
  readonly perChat?: number;
  readonly perAccount?: number;
}

export interface DeliveryQueueParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  /** Between 0 and 1; for waits that do not all end at once. */
  random(): number;
  /** Hands one message to its platform. Never rejects. */
  attempt(item: OutboxItem, mayHaveArrived: boolean): Promise<AttemptOutcome>;
  /** How fast its platform takes messages. */
  pace(channel: string): Promise<Pace | undefined>;
  /** What is written together with the receipt of a message. */
  afterSending(item: OutboxItem, attempts: number, at: number, messageId: string): readonly Change[];
  /** Given up: whoever waits for it has to know. What this says is written together with it. */
  afterGivingUp(item: OutboxItem, why: string): Promise<readonly Change[]>;
}

/** After each failed attempt; then it is given up. */
const BACKOFF_MS = [1000, 5000, 30_000, 120_000, 600_000];
const JITTER = 0.2;
const OFFLINE_CHECK_MS = 5000;
const DEFAULT_RATE_WAIT_MS = 2000;
const MOST_RATE_WAITS = 100;
/** Nobody wants yesterday's answer. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
const STORE_RETRY_MS = 2000;
/** How long a message that is just being sent may keep the queue from closing. */
const CLOSE_PATIENCE_MS = 5000;
const HOPELESS: ReadonlySet<string> = new Set(["rejected", "unreachable"]);
const NO_ATTEMPT: ReadonlySet<string> = new Set(["rate-limited", "unauthorised"]);

interface Waiting {
  item: OutboxItem;
  /** By the steady clock: when nobody wants it any more. */
  readonly staleAt: number;
  mayHaveArrived: boolean;
  rateWaits: number;
}

interface Recipient {
  readonly waiting: Waiting[];
  isWorking: boolean;
  /** By the steady clock: nothing is sent before. */
  heldUntil?: number;
  wake?: () => void;
}

export class DeliveryQueue {
  readonly #parts: DeliveryQueueParts;
  readonly #recipients = new Map<string, Recipient>();
  /** By account: when, by the steady clock, the platform takes the next message. */
  readonly #accounts = new Map<string, number>();
  readonly #listeners = new Set<(id: string) => void>();
  /** Attempts that have begun. */
  readonly #underWay = new Set<Promise<boolean>>();
  #isClosed = false;

  constructor(parts: DeliveryQueueParts) {
    this.#parts = parts;
  }

  /** Takes a message whose row is committed. Those for one recipient are sent in the order they come here. */
  add(item: OutboxItem, mayHaveArrived = false): void {
    const name = recipientOf(item);
    const recipient = this.#recipients.get(name) ?? { waiting: [], isWorking: false };
    this.#recipients.set(name, recipient);
    if (recipient.waiting.some((delivery) => delivery.item.id === item.id)) return;
    // How old it is was measured by the clock of an earlier process; how much older it gets is not.
    const { clock } = this.#parts;
    const staleAt = clock.steady() + LONGEST_WAIT_MS - Math.max(0, clock.now() - item.createdAt);
    recipient.waiting.push({ item, staleAt, mayHaveArrived, rateWaits: 0 });
    if (!recipient.isWorking) void this.#work(name, recipient);
  }

  /** Calls back with the id of each message that is done with, once the ledger knows. The returned function ends that. */
  onSettled(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Puts one that was given up back into the queue. */
  async resend(id: string): Promise<OutboxItem | undefined> {
    const item = await this.#parts.ledger.delivery(id);
    if (!item || item.state !== "undeliverable") return undefined;
    const again: OutboxItem = { ...item, state: "pending", attempts: 0 };
    const at = this.#parts.clock.now();
    await this.#parts.ledger.commit([{ kind: "outbox-state", id, state: "pending", attempts: 0, at }]);
    // Whoever asks for it wants it now, however old it is.
    this.add({ ...again, createdAt: at }, true);
    return again;
  }

  /** Somebody connected: what waited for that is tried at once. */
  connected({ channel, account }: Address): void {
    const prefix = `${accountOf({ channel, account })}\n`;
    for (const [name, { wake }] of this.#recipients) if (name.startsWith(prefix)) wake?.();
  }

  /**
   * Sends nothing more; what is left stays in the ledger for the next start. Resolves when it is known what became of
   * that which was just being sent, or when that takes too long.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { wake } of this.#recipients.values()) wake?.();
    await waitAtMost(CLOSE_PATIENCE_MS, Promise.allSettled(this.#underWay), this.#parts.clock);
  }

  async #work(name: string, recipient: Recipient): Promise<void> {
    recipient.isWorking = true;
    for (let delivery = recipient.waiting[0]; delivery && !this.#isClosed; delivery = recipient.waiting[0]) {
      await this.#waitForTurn(delivery.item, recipient);
      if (this.#isClosed) break;
      const attempt = this.#deliver(delivery, recipient);
      this.#underWay.add(attempt);
      const isDone = await attempt;
      this.#underWay.delete(attempt);
      if (!isDone) continue;
      recipient.waiting.shift();
      for (const listener of this.#listeners) listener(delivery.item.id);
    }
    recipient.isWorking = false;
    this.#leave(name, recipient);
  }

  /** A recipient is forgotten when the next message to them would not have to wait. */
  #leave(name: string, recipient: Recipient): void {
    if (recipient.isWorking || recipient.waiting.length > 0) return;
    const { clock } = this.#parts;
    const waitMs = (recipient.heldUntil ?? 0) - clock.steady();
    if (waitMs > 0) clock.after(waitMs, () => this.#leave(name, recipient));
    else if (this.#recipients.get(name) === recipient) this.#recipients.delete(name);
  }

  /** Whether the message is done with, one way or the other. */
  async #deliver(delivery: Waiting, recipient: Recipient): Promise<boolean> {
    const { item } = delivery;
    const outcome = await this.#parts.attempt(item, delivery.mayHaveArrived);
    if (outcome.kind === "sent") {
      const { messageId, chatId } = outcome;
      const receipt = { messageId, ...defined({ chatId }) };
      const at = this.#parts.clock.now();
      const attempts = item.attempts + 1;
      await this.#note(async () => [
        { kind: "outbox-state", id: item.id, state: "delivered", attempts, at, receipt },
        ...this.#parts.afterSending(item, attempts, at, messageId),
      ]);
      return true;
    }
    const isStale = this.#parts.clock.steady() > delivery.staleAt;
    if (outcome.kind === "offline") {
      if (isStale) return this.#giveUp(delivery, outcome.why);
      await this.#sleep(OFFLINE_CHECK_MS, recipient);
      return false;
    }
    delivery.mayHaveArrived ||= outcome.reason === "uncertain";
    if (HOPELESS.has(outcome.reason) || isStale) return this.#giveUp(delivery, outcome.why);
    return NO_ATTEMPT.has(outcome.reason)
      ? this.#waitForPlatform(delivery, recipient, outcome)
      : this.#tryLater(delivery, recipient, outcome.why);
  }

  async #waitForPlatform(
    delivery: Waiting,
    recipient: Recipient,
    { reason, why, retryAfterMs, holdsFor }: Extract<SendOutcome, { kind: "failed" }>,
  ): Promise<boolean> {
    delivery.rateWaits += 1;
    if (delivery.rateWaits > MOST_RATE_WAITS) return this.#giveUp(delivery, why);
    const waitMs = reason === "unauthorised" ? (BACKOFF_MS[3] ?? 0) : (retryAfterMs ?? DEFAULT_RATE_WAIT_MS);
    const until = this.#parts.clock.steady() + this.#jittered(waitMs, 0);
    if (holdsFor === "account") this.#accounts.set(accountOf(delivery.item), until);
    recipient.heldUntil = until;
    this.#parts.log.warn("the platform asks to wait", { item: delivery.item.id, why, waitMs });
    return false;
  }

  async #tryLater(delivery: Waiting, recipient: Recipient, why: string): Promise<boolean> {
    const attempts = delivery.item.attempts + 1;
    const wait = BACKOFF_MS[attempts - 1];
    delivery.item = { ...delivery.item, attempts };
    if (wait === undefined) return this.#giveUp(delivery, why);
    const at = this.#parts.clock.now();
    await this.#note(async () => [
      { kind: "outbox-state", id: delivery.item.id, state: "pending", attempts, at, error: why },
    ]);
    this.#parts.log.warn("not delivered, trying again", { item: delivery.item.id, why, waitMs: wait });
    await this.#sleep(this.#jittered(wait, JITTER), recipient);
    return false;
  }

  async #giveUp({ item }: Waiting, why: string): Promise<true> {
    this.#parts.log.error("a message cannot be delivered", { item: item.id, channel: item.channel, why });
    const { id, attempts } = item;
    const at = this.#parts.clock.now();
    await this.#note(async () => [
      { kind: "outbox-state", id, state: "undeliverable", attempts, at, error: why },
      ...(await this.#parts.afterGivingUp({ ...item, state: "undeliverable", error: why }, why)),
    ]);
    return true;
  }

  /** Not faster than the platform wants it, and not before it wants it. */
  async #waitForTurn(item: OutboxItem, recipient: Recipient): Promise<void> {
    const { clock, pace } = this.#parts;
    const { perChat, perAccount } = (await pace(item.channel)) ?? {};
    const delayMs = item.attempts === 0 ? Number(item.payload["delayMs"] ?? 0) : 0;
    const ownMs = Math.max(delayMs, (recipient.heldUntil ?? 0) - clock.steady());
    if (ownMs > 0) await this.#sleep(ownMs);
    // Only now: a chat that has to wait takes no place among those of its account.
    const account = accountOf(item);
    const now = clock.steady();
    const waitMs = Math.max(0, (this.#accounts.get(account) ?? 0) - now);
    if (perAccount) this.#accounts.set(account, now + waitMs + 1000 / perAccount);
    if (perChat) recipient.heldUntil = now + waitMs + 1000 / perChat;
    if (waitMs > 0) await this.#sleep(waitMs);
  }

  /** A receipt that is not written means a message that may be seen twice: nothing else is sent to this recipient before. */
  async #note(changes: () => Promise<readonly Change[]>): Promise<void> {
    for (;;) {
      try {
        return await this.#parts.ledger.commit(await changes());
      } catch (error) {
        if (this.#isClosed) return;
        this.#parts.log.warn("a receipt could not be written yet", { error: String(error) });
        await this.#sleep(STORE_RETRY_MS);
      }
    }
  }

  #jittered(ms: number, share: number): number {
    return ms + (share > 0 ? (this.#parts.random() * 2 - 1) * share * ms : this.#parts.random() * 250);
  }

  /** `recipient`: may be woken earlier. */
  #sleep(ms: number, recipient?: Recipient): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve();
      const cancel = this.#parts.clock.after(ms, () => wake());
      const wake = (): void => {
        cancel();
        if (recipient) delete recipient.wake;
        resolve();
      };
      if (recipient) recipient.wake = wake;
    });
  }
}

function accountOf({ channel, account }: { readonly channel: string; readonly account: string }): string {
  return `${channel}\n${account}`;
}

function recipientOf(item: OutboxItem): string {
  const thread = item.payload["threadId"];
  return `${accountOf(item)}\n${item.to}\n${typeof thread === "string" ? thread : ""}`;
}
