// The second connection to the IMAP server: keeps what was sent, finds it again, and fetches files out of mails.
import type { Readable } from "node:stream";
import type { ImapFlow } from "imapflow";
import * as z from "zod";
import { GatewayError, once, type Clock, type Parsed } from "@chela/sdk";
import type { EmailAccount } from "./config.ts";
import type { Access } from "./credentials.ts";
import { openImap } from "./imap.ts";

/** It is opened when it is needed, and let go after this. */
const REST_MS = 60_000;
const LOCK_MS = 60_000;

const FileRef = once(() =>
  z.object({ uidValidity: z.string(), uid: z.int().positive(), part: z.string().regex(/^[\d.]{1,60}$/) }),
);

type FileRef = Parsed<typeof FileRef>;

export class Archive {
  readonly #account: EmailAccount;
  readonly #access: Access;
  readonly #clock: Clock;
  #opening: Promise<ImapFlow> | undefined;
  #sentMailbox: string | undefined;
  #cancelRest = (): void => {};
  #users = 0;
  #isOver = false;

  constructor(account: EmailAccount, access: Access, clock: Clock) {
    this.#account = account;
    this.#access = access;
    this.#clock = clock;
  }

  async keepSent(mail: Buffer, messageId: string): Promise<void> {
    await this.#use(async (client) => {
      const mailbox = await this.#findSentMailbox(client);
      // Courier refuses what is put into a mailbox that the same connection has selected for reading only.
      await inMailbox(client, mailbox, { readOnly: false }, async () => {
        // Some servers keep what is sent through them by themselves.
        if (!(await isHere(client, messageId))) await client.append(mailbox, mail, ["\\Seen"]);
      });
    });
  }

  hasSent(messageId: string): Promise<boolean> {
    return this.#use(async (client) => {
      const mailbox = await this.#findSentMailbox(client);
      return inMailbox(client, mailbox, { readOnly: true }, () => isHere(client, messageId));
    });
  }

  /** The bytes of a file in a mail, as they come. */
  async *download(ref: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const file = readRef(ref);
    const client = await this.#take();
    try {
      const lock = await client.getMailboxLock(this.#account.mailbox, { readOnly: true, acquireTimeout: LOCK_MS });
      try {
        yield* withStop(await this.#openFile(client, file), signal);
      } finally {
        lock.release();
      }
    } catch (cause) {
      if (cause instanceof GatewayError) throw cause;
      throw new GatewayError("CHANNEL_OFFLINE", "the file could not be fetched from the mail server", { cause });
    } finally {
      this.#release();
    }
  }

  async #openFile(client: ImapFlow, { uidValidity, uid, part }: FileRef): Promise<Readable> {
    const isSame = client.mailbox && String(client.mailbox.uidValidity) === uidValidity;
    const maxBytes = this.#account.maxMessageBytes;
    const found = isSame ? await client.download(String(uid), part, { uid: true, maxBytes }) : undefined;
    if (found?.content) return found.content;
    throw new GatewayError("CHANNEL_REFUSED", "the mail is not where it was any more");
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#cancelRest();
    const client = await this.#opening?.catch(() => undefined);
    client?.close();
  }

  async #use<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = await this.#take();
    try {
      return await work(client);
    } finally {
      this.#release();
    }
  }

  async #take(): Promise<ImapFlow> {
    if (this.#isOver) throw new GatewayError("CHANNEL_OFFLINE", "the account was stopped");
    this.#users += 1;
    this.#cancelRest();
    try {
      return await this.#connection();
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Whoever comes while it is being opened waits for the same one. */
  #connection(): Promise<ImapFlow> {
    const open = (): Promise<ImapFlow> => openImap(this.#access);
    this.#opening = this.#opening?.then((client) => (client.usable ? client : open()), open) ?? open();
    return this.#opening;
  }

  #release(): void {
    this.#users -= 1;
    if (this.#users > 0 || this.#isOver) return;
    this.#cancelRest = this.#clock.after(REST_MS, () => {
      void this.#opening?.then((client) => client.logout()).catch(() => {});
      this.#opening = undefined;
    });
  }

  async #findSentMailbox(client: ImapFlow): Promise<string> {
    if (this.#account.sentMailbox !== undefined) return this.#account.sentMailbox;
    if (this.#sentMailbox !== undefined) return this.#sentMailbox;
    const found = (await client.list()).find(({ specialUse }) => specialUse === "\\Sent")?.path;
    this.#sentMailbox = found ?? (await client.mailboxCreate("Sent")).path;
    return this.#sentMailbox;
  }
}

async function inMailbox<T>(
  client: ImapFlow,
  mailbox: string,
  how: { readonly readOnly: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const lock = await client.getMailboxLock(mailbox, { ...how, acquireTimeout: LOCK_MS });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Whether the mailbox that is selected has the mail. */
async function isHere(client: ImapFlow, messageId: string): Promise<boolean> {
  const found = await client.search({ header: { "message-id": `<${messageId}>` } }, { uid: true });
  return found !== undefined && found !== false && found.length > 0;
}

async function* withStop(content: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): void => void content.destroy(new GatewayError("CHANNEL_OFFLINE", "the download was stopped"));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    for await (const bytes of content) yield bytes as Uint8Array;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function readRef(ref: string): FileRef {
  try {
    return FileRef().parse(JSON.parse(ref));
  } catch (cause) {
    throw new GatewayError("CHANNEL_REFUSED", "there is no such file in a mail", { cause });
  }
}
