// Watches the mailbox: hands over each new mail, and notes how far it came only when all before is settled.
import type { FetchMessageObject, ImapFlow, MailboxObject } from "imapflow";
import { GatewayError, type ChannelHost, type Disconnect } from "@chela/sdk";
import { every } from "@chela/sdk/base";
import { recallCursor, rememberCursor, type Cursor } from "./cursor.ts";

/** A server that only listens is silent for minutes; this asks it for a sign of life. */
const PULSE_MS = 25_000;
/** After UIDVALIDITY changed: so much before the last mail that was read is read again. Known mails are recognised. */
const LOOK_BACK_MS = 24 * 3_600_000;
const MOST_LOOKED_BACK = 500;

export interface InboxParts {
  readonly client: ImapFlow;
  readonly host: ChannelHost;
  readonly mailbox: string;
  /**
   * False when the mail could not be written down: it is tried again, and meanwhile holds up only what the same sender
   * wrote after it, which `held` says. Rejects when the connection is of no use any more.
   */
  take(mail: FetchMessageObject, uidValidity: string, held: Set<string>): Promise<boolean>;
}

export interface Inbox {
  readonly ended: Promise<Disconnect>;
  stop(): Promise<void>;
}

export async function watchInbox(parts: InboxParts): Promise<Inbox> {
  const watch = new InboxWatch(parts);
  await watch.open();
  return watch;
}

class InboxWatch implements Inbox {
  readonly #parts: InboxParts;
  readonly #end = Promise.withResolvers<Disconnect>();
  #uidValidity = "";
  #cursor: Cursor = { uidValidity: "", uid: 0, at: 0 };
  /** Mails behind one that could not be written down yet: the cursor cannot say that they are done with. */
  readonly #taken = new Set<number>();
  #isOver = false;
  #isAskedAgain = false;
  #isSweeping = false;
  #stopPulse = (): void => {};

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  get ended(): Promise<Disconnect> {
    return this.#end.promise;
  }

  async open(): Promise<void> {
    const { client, host } = this.#parts;
    const opened = await this.#openMailbox();
    this.#uidValidity = String(opened.uidValidity);
    await this.#findStart(opened);
    client.on("exists", () => {
      host.alive();
      this.#sweep();
    });
    client.once("close", () => this.#finish("the connection to the IMAP server was lost"));
    this.#stopPulse = every(host.clock, PULSE_MS, () => this.#pulse());
    this.#sweep();
  }

  /** Does not wait for a mail that is being handed over: it was not acknowledged, and comes again. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#stopPulse();
  }

  async #openMailbox(): Promise<MailboxObject> {
    const { client, mailbox } = this.#parts;
    try {
      return await client.mailboxOpen(mailbox, { readOnly: true });
    } catch (cause) {
      if (!client.usable) throw new GatewayError("CHANNEL_OFFLINE", "the IMAP server hung up", { cause });
      throw new GatewayError("CHANNEL_SETTINGS", `there is no mailbox "${mailbox}" on the IMAP server`, { cause });
    }
  }

  /** At the very first start everything that is there already counts as read. */
  async #findStart(opened: MailboxObject): Promise<void> {
    const { host, mailbox } = this.#parts;
    const kept = await recallCursor(host, mailbox);
    if (kept) return void (this.#cursor = kept);
    await this.#moveTo({ uidValidity: this.#uidValidity, uid: await this.#lastUid(opened), at: host.clock.now() });
  }

  /** Servers need not say which UID comes next, and Courier does not. */
  async #lastUid(opened: MailboxObject): Promise<number> {
    const uidNext: number | undefined = opened.uidNext;
    if (uidNext !== undefined) return Math.max(uidNext - 1, 0);
    if (opened.exists === 0) return 0;
    const last = await this.#parts.client.fetchOne("*", { uid: true });
    return last ? last.uid : 0;
  }

  async #moveTo(cursor: Cursor): Promise<void> {
    await rememberCursor(this.#parts.host, this.#parts.mailbox, cursor);
    this.#cursor = cursor;
  }

  async #pulse(): Promise<void> {
    try {
      await this.#parts.client.noop();
      this.#parts.host.alive();
      this.#sweep();
    } catch {
      this.#finish("the IMAP server does not answer");
    }
  }

  /** One at a time; what comes meanwhile is looked for afterwards. */
  #sweep(): void {
    this.#isAskedAgain = true;
    if (!this.#isSweeping) void this.#sweepAll();
  }

  async #sweepAll(): Promise<void> {
    this.#isSweeping = true;
    try {
      while (this.#isAskedAgain && !this.#isOver) {
        this.#isAskedAgain = false;
        await this.#takeAll(await this.#findNew());
      }
    } catch (error) {
      const why = error instanceof GatewayError ? error.detail : "mail could not be read or written down";
      this.#parts.host.log.debug("reading mail stopped", { error });
      this.#finish(why);
    } finally {
      this.#isSweeping = false;
    }
  }

  async #findNew(): Promise<FetchMessageObject[]> {
    const { client } = this.#parts;
    const query = { uid: true, size: true, internalDate: true };
    if (this.#cursor.uidValidity === this.#uidValidity) {
      const { uid } = this.#cursor;
      const found = await client.fetchAll(`${uid + 1}:*`, query, { uid: true });
      // A server answers with its last mail when there is none in the range.
      return found.filter((mail) => mail.uid > uid).toSorted((a, b) => a.uid - b.uid);
    }
    this.#parts.host.log.warn("the mailbox was made anew; looking through the latest mail", { since: this.#cursor.at });
    const since = new Date(this.#cursor.at - LOOK_BACK_MS);
    const uids = ((await client.search({ since }, { uid: true })) || []).slice(-MOST_LOOKED_BACK);
    if (uids.length > 0) {
      return (await client.fetchAll(uids.join(","), query, { uid: true })).toSorted((a, b) => a.uid - b.uid);
    }
    await this.#moveTo({ ...this.#cursor, uidValidity: this.#uidValidity, uid: 0 });
    return [];
  }

  /** The cursor stops at the first mail that was not taken; the next pulse begins there again. */
  async #takeAll(mails: readonly FetchMessageObject[]): Promise<void> {
    const { host } = this.#parts;
    const held = new Set<string>();
    let isComplete = true;
    for (const mail of mails) {
      if (this.#isOver) return;
      const isTaken = this.#taken.has(mail.uid) || (await this.#parts.take(mail, this.#uidValidity, held));
      if (isTaken) this.#taken.add(mail.uid);
      isComplete &&= isTaken;
      if (isComplete) await this.#pass(mail);
      host.alive();
    }
  }

  async #pass(mail: FetchMessageObject): Promise<void> {
    const at = arrivedAt(mail) ?? this.#parts.host.clock.now();
    await this.#moveTo({ uidValidity: this.#uidValidity, uid: mail.uid, at });
    this.#taken.delete(mail.uid);
  }

  #finish(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopPulse();
    this.#end.resolve({ why });
  }
}

export function arrivedAt({ internalDate }: FetchMessageObject): number | undefined {
  const at = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime();
  return Number.isNaN(at) ? undefined : at;
}
