// Takes one mail in: it is passed over with a reason, or handed to the gateway.
import { defined } from "@chela/sdk/base";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import type { ChannelEvent, ChannelHost } from "@chela/sdk";
import { readBody, type FetchPart } from "./body.ts";
import type { EmailAccount } from "../config.ts";
import { readEnvelope, type Envelope } from "./envelope.ts";
import { parseHeaders } from "./headers.ts";
import { arrivedAt } from "./inbox.ts";
import { isOurMessageId } from "../message-id.ts";
import { toEvent, toSizeNotice } from "./parse.ts";
import type { SenderLimit } from "./sender-limit.ts";
import { readLayout, toMedia } from "./structure.ts";
import type { Threads } from "../threads.ts";

/** Headers beyond this hide something: nothing is believed of such a mail. */
const MOST_HEADER_BYTES = 256 * 1024;

export interface InboundParts {
  readonly client: ImapFlow;
  readonly host: ChannelHost;
  readonly account: EmailAccount;
  readonly threads: Threads;
  readonly limit: SenderLimit;
}

/** False when it could not be written down and has to come again. Rejects when the connection broke. */
export async function takeMail(
  parts: InboundParts,
  mail: FetchMessageObject,
  uidValidity: string,
  held: Set<string>,
): Promise<boolean> {
  const { host } = parts;
  const found = await readTwice(parts, mail, uidValidity);
  if (found.kind === "dropped") {
    host.log.log(found.level, "a mail was passed over", { uid: mail.uid, why: found.why });
    return true;
  }
  const sender = found.envelope.sender.id;
  if (held.has(sender)) return false;
  try {
    await handOver(parts, found.envelope, found.event);
    return true;
  } catch (error) {
    host.log.warn("a mail could not be written down; it is tried again", { uid: mail.uid, error });
    held.add(sender);
    return false;
  }
}

async function handOver({ host, threads }: InboundParts, envelope: Envelope, event: ChannelEvent): Promise<void> {
  const { sender, threadId, subject, messageId, references } = envelope;
  const own = messageId === undefined ? [] : [messageId];
  threads.note(sender.id, threadId, {
    subject,
    ...defined({ lastId: messageId }),
    references: [...references, ...own],
  });
  const { kind } = await host.receive(event);
  // What strangers write is forgotten, or they could fill the disk.
  if (kind === "accepted") await threads.keep(sender.id, threadId);
}

type Found =
  | { readonly kind: "mail"; readonly envelope: Envelope; readonly event: ChannelEvent }
  | { readonly kind: "dropped"; readonly why: string; readonly level: "debug" | "info" | "warn" | "error" };

/** One mail the server cannot hand out, or nobody can read, must not hold up all others. */
async function readTwice(parts: InboundParts, mail: FetchMessageObject, uidValidity: string): Promise<Found> {
  try {
    return await read(parts, mail, uidValidity);
  } catch {
    try {
      return await read(parts, mail, uidValidity);
    } catch (error) {
      if (!parts.client.usable) throw error;
      parts.host.log.debug("a mail cannot be read", { uid: mail.uid, error });
      return { kind: "dropped", why: "it cannot be read", level: "error" };
    }
  }
}

async function read(
  { client, host, account, limit }: InboundParts,
  { uid, size = 0, ...mail }: FetchMessageObject,
  uidValidity: string,
): Promise<Found> {
  const query = {
    uid: true,
    bodyStructure: true,
    bodyParts: [{ key: "header", start: 0, maxLength: MOST_HEADER_BYTES }],
  };
  const fetched = await client.fetchOne(String(uid), query, { uid: true });
  const header = fetched ? (fetched.headers ?? fetched.bodyParts?.get("header")) : undefined;
  if (!fetched || !header) return { kind: "dropped", why: "it is not there any more", level: "info" };
  if (header.length >= MOST_HEADER_BYTES) return { kind: "dropped", why: "its headers are too long", level: "warn" };
  const read = readEnvelope(parseHeaders(header), {
    ourAddress: account.address,
    requireDmarc: account.requireDmarc,
    servers: account.trustedAuthServers,
    home: account.imap.host,
  });
  if (read.kind === "dropped") return read;
  const { envelope } = read;
  const at = arrivedAt({ uid, ...mail }) ?? host.clock.now();
  if (!limit.allows(envelope.sender.id, envelope.eventId, at)) {
    const why = `${envelope.sender.id} sent more than ${account.maxPerSenderPerHour} mails in an hour (maxPerSenderPerHour)`;
    return { kind: "dropped", why, level: "warn" };
  }
  if (size > account.maxMessageBytes) {
    return { kind: "mail", envelope, event: toSizeNotice(envelope, size, account.maxMessageBytes, at) };
  }
  const { sections, files } = readLayout(fetched.bodyStructure);
  const text = await readBody(sections, fetchFrom(client, uid));
  const media = files.map((file) => toMedia(file, { uidValidity, uid }));
  const isOurs = (messageId: string): boolean => isOurMessageId(messageId, account.address);
  return { kind: "mail", envelope, event: toEvent(envelope, { text, media }, { at, isOurs }) };
}

function fetchFrom(client: ImapFlow, uid: number): FetchPart {
  return async (key, maxLength) => {
    const fetched = await client.fetchOne(
      String(uid),
      { uid: true, bodyParts: [{ key, start: 0, maxLength }] },
      { uid: true },
    );
    return fetched ? fetched.bodyParts?.get(key) : undefined;
  };
}
