// The other side of a mail conversation: hands mail over byte by byte as a mail exchanger does, and reads its own mailbox.
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { ImapFlow } from "imapflow";
import PostalMime, { type Email } from "postal-mime";
import { address, DOMAIN, PASSWORD, type MailServers } from "./email-servers.test-support.ts";

/** The server whose word about senders counts in these tests. */
export const EXCHANGER = `mx.${DOMAIN}`;

export interface Draft {
  readonly from?: string;
  readonly to?: string;
  readonly subject?: string;
  readonly messageId?: string;
  /** More headers, one in each line, below what our mail exchanger wrote. */
  readonly headers?: readonly string[];
  readonly text?: string;
  /** Instead of the text: everything below the headers, which then say of what kind it is. */
  readonly body?: string;
  /** What our mail exchanger wrote down; "" for nothing. */
  readonly verdict?: string;
  readonly envelopeFrom?: string;
}

let count = 0;

/** A mail as it reaches the mailbox: on top what our own server wrote, below what the sender did. */
export function writeMail(draft: Draft): string {
  const from = draft.from ?? address("alice");
  count += 1;
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? DOMAIN;
  const verdict = draft.verdict ?? `dmarc=pass (p=reject) header.from=${domain}`;
  const written = [
    ...(verdict === "" ? [] : [`Authentication-Results: ${EXCHANGER};\r\n\t${verdict}`]),
    `Received: from mail.${domain} (mail.${domain} [192.0.2.1])\r\n\tby ${EXCHANGER} (Postfix) with ESMTPS id ${count};\r\n\t${new Date().toUTCString()}`,
    `From: ${from}`,
    `To: ${draft.to ?? address("bot")}`,
    `Subject: ${draft.subject ?? `Mail ${count}`}`,
    `Message-ID: <${draft.messageId ?? `m${count}.${process.pid}@${domain}`}>`,
    ...(draft.headers ?? []),
    ...(draft.body === undefined ? ["Content-Type: text/plain; charset=utf-8"] : []),
  ];
  return `${written.join("\r\n")}\r\n\r\n${draft.body ?? `${draft.text ?? ""}\r\n`}`;
}

/** Hands a mail to Dovecot, by hand. */
export async function handOver(servers: MailServers, draft: Draft): Promise<void> {
  const line = await Line.open(servers.lmtpPort);
  await line.ask(`LHLO ${EXCHANGER}`, 250);
  await line.ask(`MAIL FROM:<${draft.envelopeFrom ?? address("alice")}>`, 250);
  await line.ask(`RCPT TO:<${draft.to ?? address("bot")}>`, 250);
  await line.ask("DATA", 354);
  await line.ask(`${writeMail(draft).replace(/^\./gm, "..")}\r\n.`, 250);
  line.close();
}

/** A line to a server that speaks SMTP or LMTP. */
class Line {
  readonly #socket: Socket;
  #heard = "";
  #wake = (): void => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes) => {
      this.#heard += bytes.toString();
      this.#wake();
    });
  }

  static async open(port: number): Promise<Line> {
    const line = new Line(connect(port, "127.0.0.1"));
    await line.#answer(220);
    return line;
  }

  async ask(words: string, expected: number): Promise<void> {
    this.#socket.write(`${words}\r\n`);
    await this.#answer(expected);
  }

  async #answer(expected: number): Promise<void> {
    let last: RegExpExecArray | null = null;
    while (!(last = /^(\d{3}) .*\r\n/m.exec(this.#heard))) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#heard = this.#heard.slice(last.index + last[0].length);
    if (Number(last[1]) !== expected) throw new Error(`the server said ${last[0].trim()}`);
  }

  close(): void {
    this.#socket.end("QUIT\r\n");
  }
}

export interface Letterbox extends AsyncDisposable {
  /** Everything that came, in order; waits until there are at least so many. */
  mails(count: number): Promise<readonly Email[]>;
}

export async function openLetterbox(servers: MailServers, person: string, mailbox = "INBOX"): Promise<Letterbox> {
  const client = new ImapFlow({
    host: "localhost",
    port: servers.imapPort,
    secure: true,
    auth: { user: address(person), pass: PASSWORD },
    tls: { ca: readFileSync(servers.certificate) },
    logger: false,
    autoIdleDelay: 50,
  });
  await client.connect();
  await client.mailboxOpen(mailbox);
  const mails: Email[] = [];
  let last = 0;
  const readNew = async (): Promise<void> => {
    const found = await client.fetchAll(`${last + 1}:*`, { uid: true, source: true }, { uid: true });
    for (const { uid, source } of found.filter((mail) => mail.uid > last)) {
      if (source) mails.push(await PostalMime.parse(source));
      last = Math.max(last, uid);
    }
  };
  return {
    async mails(wanted) {
      await client.noop();
      for (;;) {
        // Listens before it looks: a mail may come in between.
        const more = new Promise((resolve) => client.once("exists", resolve));
        await readNew();
        if (mails.length >= wanted) return mails;
        await more;
      }
    },
    async [Symbol.asyncDispose]() {
      await client.logout();
    },
  };
}
