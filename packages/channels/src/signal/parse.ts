// Parses signal-cli's frames into events of the gateway. Pure; what is of no interest is dropped with a reason.
import type { ChannelContent, ChannelEvent, ChannelSender, Chat, InboundMedia, Quoted } from "@chela/sdk";
import { bareId, idsOf, type Person } from "./address.ts";
import { writeMessageId } from "./message-id.ts";
import { Frame, type Attachment, type DataMessage, type Envelope, type Mention, type Quote } from "./wire.ts";

export interface Reader {
  isUs(person: Person): boolean;
  /** Whether what came for this account came for us. */
  isAddressee(account: string): boolean;
  /** What a person called themselves lately. */
  nameOf(id: string): string | undefined;
  readonly takesAttachments: boolean;
}

export type Parsed =
  | { readonly kind: "event"; readonly event: ChannelEvent }
  | { readonly kind: "dropped"; readonly why: string };

export function parseFrame(frame: unknown, reader: Reader): Parsed {
  const read = Frame().safeParse(frame);
  if (!read.success) return drop(`unreadable: ${read.error.issues[0]?.path.join(".") ?? ""}`);
  const { account, envelope } = read.data;
  if (account && !reader.isAddressee(account)) return drop("for another account");
  if (envelope.syncMessage) return drop("written by ourselves on another device");
  const data = envelope.dataMessage ?? envelope.editMessage?.dataMessage;
  if (!data) return drop("no message");
  const sender = readSender(envelope);
  if (!sender) return drop("a sender without an id");
  if (reader.isUs({ number: envelope.sourceNumber, uuid: envelope.sourceUuid })) return drop("written by ourselves");
  const chat = readChat(data, sender);
  const content = readContent(envelope, data, { reader, sender, chat });
  if (!content) return drop("nothing one could read");
  // People are told apart by ids alone, and a time is one person's only once.
  const id = writeMessageId(data.timestamp, bareId(sender.id));
  const event: ChannelEvent = {
    id,
    messageId: id,
    at: data.timestamp,
    chat,
    sender,
    replyTarget: { to: addressOf(chat) },
    content,
  };
  return { kind: "event", event };
}

const drop = (why: string): Parsed => ({ kind: "dropped", why });

function readSender({ sourceNumber, sourceUuid, sourceName }: Envelope): ChannelSender | undefined {
  const [id, ...otherIds] = idsOf({ number: sourceNumber, uuid: sourceUuid });
  if (id === undefined) return undefined;
  return { id, ...(otherIds.length > 0 ? { otherIds } : {}), ...(sourceName ? { name: sourceName } : {}) };
}

function readChat({ groupInfo, groupV2 }: DataMessage, sender: ChannelSender): Chat {
  const id = groupInfo?.groupId ?? groupV2?.id;
  if (id === undefined) return { kind: "direct", id: sender.id };
  return { kind: "group", id, ...(groupInfo?.groupName ? { title: groupInfo.groupName } : {}) };
}

function addressOf({ kind, id }: Chat): string {
  return kind === "direct" ? id : `group:${id}`;
}

interface Scene {
  readonly reader: Reader;
  readonly sender: ChannelSender;
  readonly chat: Chat;
}

function readContent({ editMessage }: Envelope, data: DataMessage, scene: Scene): ChannelContent | undefined {
  const { reader, sender } = scene;
  const { reaction, remoteDelete, pollCreate } = data;
  const ofSender = (timestamp: number) => writeMessageId(timestamp, bareId(sender.id));
  if (editMessage) {
    const text = readableText(data.message, data.mentions, reader);
    return { kind: "edit", of: ofSender(editMessage.targetSentTimestamp), text };
  }
  if (reaction) {
    const author = { number: reaction.targetAuthorNumber, uuid: reaction.targetAuthorUuid };
    return {
      kind: "reaction",
      emoji: reaction.emoji,
      isRemoved: reaction.isRemove === true,
      on: messageOf(reaction.targetSentTimestamp, author, reader),
      onOurs: reader.isUs(author),
    };
  }
  if (remoteDelete) return { kind: "notice", text: `deleted the message ${ofSender(remoteDelete.timestamp)}` };
  if (pollCreate) {
    const options = pollCreate.options.map((option, index) => `${index + 1}. ${option}`);
    return { kind: "notice", text: [`started a poll: ${pollCreate.question}`, ...options].join("\n") };
  }
  return readMessage(data, scene);
}

function readMessage(data: DataMessage, { reader, chat }: Scene): ChannelContent | undefined {
  const written = readableText(data.message, data.mentions, reader);
  const media = reader.takesAttachments ? readMedia(data, addressOf(chat)) : [];
  const text = written || (data.contacts?.length ? "(a contact was shared)" : "");
  if (text.trim() === "" && media.length === 0) return undefined;
  return {
    kind: "message",
    text,
    ...(media.length > 0 ? { media } : {}),
    mentionsUs: (data.mentions ?? []).some((mention) => reader.isUs(mention)),
    ...(data.quote ? { replyTo: readQuote(data.quote, reader) } : {}),
  };
}

/** Whoever is mentioned stands in the text as one odd character; people read a name instead. */
function readableText(text: string | null | undefined, mentions: Mention[] | null | undefined, reader: Reader): string {
  let readable = text ?? "";
  for (const mention of (mentions ?? []).toSorted((a, b) => b.start - a.start)) {
    const { start, length } = mention;
    if (start + length > readable.length) continue;
    readable = `${readable.slice(0, start)}@${wordFor(mention, reader)}${readable.slice(start + length)}`;
  }
  return readable;
}

function wordFor(mention: Mention, reader: Reader): string {
  const known = idsOf(mention).map((id) => reader.nameOf(id));
  return known.find((name) => name !== undefined) ?? mention.number ?? mention.name ?? mention.uuid ?? "somebody";
}

function readQuote({ id, authorNumber, authorUuid, text, mentions }: Quote, reader: Reader): Quoted {
  const author = { number: authorNumber, uuid: authorUuid };
  const [authorId, ...otherIds] = idsOf(author);
  return {
    id: messageOf(id, author, reader),
    isOurs: reader.isUs(author),
    ...(authorId ? { sender: { id: authorId, ...(otherIds.length > 0 ? { otherIds } : {}) } } : {}),
    ...(text ? { text: readableText(text, mentions, reader) } : {}),
  };
}

function messageOf(timestamp: number, author: Person, reader: Reader): string {
  const [id] = idsOf(author);
  return writeMessageId(timestamp, reader.isUs(author) || id === undefined ? undefined : bareId(id));
}

function readMedia({ attachments, sticker }: DataMessage, from: string): InboundMedia[] {
  const files = (attachments ?? []).flatMap((attachment) => readAttachment(attachment, from) ?? []);
  if (!sticker) return files;
  return [...files, { kind: "sticker", ref: `sticker ${sticker.packId} ${sticker.stickerId}` }];
}

/** The reference names the chat, too: signal-cli wants to know it. */
function readAttachment({ id, contentType, filename, size }: Attachment, from: string): InboundMedia | undefined {
  if (!id || /\s/.test(id)) return undefined;
  return {
    kind: mediaKind(contentType ?? "", filename),
    ref: `attachment ${id} ${from}`,
    ...(contentType ? { mimeType: contentType } : {}),
    ...(filename ? { name: filename } : {}),
    ...(size ? { bytes: size } : {}),
  };
}

function mediaKind(mimeType: string, name: string | null | undefined): InboundMedia["kind"] {
  const [family] = mimeType.split("/", 1);
  if (family === "image" || family === "video") return family;
  if (family !== "audio") return "file";
  // Recordings have no name, files have one.
  return name ? "audio" : "voice";
}
