// Reads messages of the server: what is in them, who wrote it, where. Pure; what is not for us says why.
import { createHash } from "node:crypto";
import type { ChannelContent, ChannelEvent, ChannelSender, Chat, Quoted } from "@chela/sdk";
import type { XmlElement } from "@xmpp/client";
import { parseAddress, roomTarget } from "../address.ts";
import { mediaIn } from "../media.ts";
import { NS, stampOf } from "../server/stanza.ts";

/** What is known of a room we are in. */
export interface RoomView {
  readonly nick: string;
  /** Whether ids that the room writes on messages are its own, and never those of a sender. */
  readonly stampsIds: boolean;
  /** By the nick only when it is spoken now: in an archive a nick may have been somebody else's. */
  senderOf(nick: string, occupant: string | undefined, isArchived: boolean): ChannelSender;
  isUs(nick: string, occupant: string | undefined, isArchived: boolean): boolean;
}

export interface ParseContext {
  /** Our bare address. */
  readonly self: string;
  /** Whether the server writes ids of our archive on messages, and takes off those of others. */
  readonly stampsIds: boolean;
  room(jid: string): RoomView | undefined;
  isOurMessage(id: string): boolean;
  /** What we call a message that its sender calls `id`. */
  messageIdOf(chat: string, sender: string, id: string): string;
  /** The reactions this sender had on this message until now. */
  reactionsOf(chat: string, sender: string, on: string): readonly string[];
  now(): number;
  newId(): string;
}

/** Where in an archive a message was found. */
export interface Archived {
  readonly id: string;
  readonly at: number;
}

export type ParsedStanza =
  | {
      readonly kind: "events";
      readonly events: readonly ChannelEvent[];
      readonly archiveId?: string;
      readonly isRoom: boolean;
    }
  | { readonly kind: "none"; readonly why: string };

const none = (why: string): ParsedStanza => ({ kind: "none", why });

export function parseMessage(message: XmlElement, context: ParseContext, archived?: Archived): ParsedStanza {
  const { type } = message.attrs;
  if (!message.is("message")) return none("not a message");
  if (type === "error" || type === "headline") return none(`of type ${type}`);
  const from = parseAddress(message.attrs["from"] ?? "");
  if (!from) return none("it says not from whom it is");
  if (message.getChild("sent", NS.carbons) || message.getChild("received", NS.carbons)) return none("a carbon copy");
  const place = type === "groupchat" ? placeInRoom(message, context, archived) : placeDirect(message, context);
  if (typeof place === "string") return none(place);
  const contents = readContents(message, place, context);
  if (contents.length === 0) return none("nothing is in it");
  const { chat, sender } = place;
  const isRoom = chat.kind === "group";
  const archiveId = archived?.id ?? stampedId(message, place);
  const id = idOf(message, place, archiveId, context);
  const messageId = isRoom ? (archiveId ?? message.attrs["id"]) : ownIdOf(message);
  const events = contents.map((content, index) => ({
    id: index === 0 ? id : `${id}#${index}`,
    ...(messageId ? { messageId } : {}),
    at: archived?.at ?? delayOf(message, place, context) ?? context.now(),
    chat,
    sender,
    replyTarget: { to: isRoom ? roomTarget(chat.id) : chat.id },
    content,
  }));
  return { kind: "events", events, isRoom, ...(archiveId ? { archiveId } : {}) };
}

interface Place {
  readonly chat: Chat;
  readonly sender: ChannelSender;
  /** Whose ids count: the room, or our own account. */
  readonly archive: string;
  readonly stampsIds: boolean;
  readonly nick: string | undefined;
}

function placeInRoom(message: XmlElement, context: ParseContext, archived: Archived | undefined): Place | string {
  const from = parseAddress(message.attrs["from"] ?? "");
  const room = from && context.room(from.bare);
  if (!from || !room) return "from a room we are not in";
  if (from.resource === undefined) return "from the room itself";
  const occupant = message.getChild("occupant-id", NS.occupant)?.attrs["id"];
  const isArchived = archived !== undefined || message.getChild("delay", NS.delay) !== undefined;
  if (room.isUs(from.resource, occupant, isArchived)) return "our own";
  return {
    chat: { kind: "group", id: from.bare },
    sender: room.senderOf(from.resource, occupant, isArchived),
    archive: from.bare,
    stampsIds: room.stampsIds,
    nick: room.nick,
  };
}

function placeDirect(message: XmlElement, context: ParseContext): Place | string {
  const from = parseAddress(message.attrs["from"] ?? "");
  if (from?.node === undefined) return "from a server";
  if (from.bare === context.self) return "our own";
  // Whoever writes privately in a room is known to us only by a nick.
  if (context.room(from.bare) || message.getChild("x", NS.mucUser))
    return "a private message in a room, or an invitation";
  const name = message.getChildText("nick", NS.nick)?.trim() || from.node;
  return {
    chat: { kind: "direct", id: from.bare },
    sender: { id: from.bare, name },
    archive: context.self,
    stampsIds: context.stampsIds,
    nick: undefined,
  };
}

function readContents(message: XmlElement, place: Place, context: ParseContext): ChannelContent[] {
  const reactions = message.getChild("reactions", NS.reactions);
  if (reactions) return readReactions(reactions, place, context);
  if (isEncrypted(message)) return [];
  const body = message.getChildText("body") ?? "";
  const corrected = message.getChild("replace", NS.correct)?.attrs["id"];
  if (corrected) {
    const of = context.messageIdOf(place.chat.id, place.sender.id, corrected);
    return body.trim() === "" ? [] : [{ kind: "edit", of, text: body }];
  }
  const media = mediaIn(message);
  const said = media.some(({ ref }) => ref === body.trim()) ? "" : withoutFallback(message, body).trim();
  if (said === "" && media.length === 0) return [];
  const addressed = place.nick === undefined ? undefined : withoutAddress(said, place.nick);
  const replyTo = readQuote(message, context);
  return [
    {
      kind: "message",
      text: addressed ?? said,
      ...(media.length > 0 ? { media } : {}),
      mentionsUs: addressed !== undefined || isMentioned(message, said, place.nick, context.self),
      ...(replyTo ? { replyTo } : {}),
    },
  ];
}

/** A reaction says which ones there are now; what came and what went is for us to find. */
function readReactions(reactions: XmlElement, { chat, sender }: Place, context: ParseContext): ChannelContent[] {
  const on = reactions.attrs["id"];
  if (!on) return [];
  const now = emojisIn(reactions);
  const before = context.reactionsOf(chat.id, sender.id, on);
  const onOurs = context.isOurMessage(on);
  return [
    ...now.filter((emoji) => !before.includes(emoji)).map((emoji) => ({ emoji, isRemoved: false })),
    ...before.filter((emoji) => !now.includes(emoji)).map((emoji) => ({ emoji, isRemoved: true })),
  ].map((change) => ({ kind: "reaction", ...change, on, onOurs }));
}

const MOST_REACTIONS = 10;

export function emojisIn(reactions: XmlElement): string[] {
  const written = reactions.getChildren("reaction").map((reaction) => reaction.text().trim());
  return [...new Set(written.filter((emoji) => emoji !== "" && emoji.length <= 32))].slice(0, MOST_REACTIONS);
}

/** We cannot read it; beside it stands only a sentence that says so. */
function isEncrypted(message: XmlElement): boolean {
  return message
    .getChildElements()
    .some(({ name, attrs }) => name === "encrypted" || attrs["xmlns"] === "jabber:x:encrypted");
}

function readQuote(message: XmlElement, context: ParseContext): Quoted | undefined {
  const id = message.getChild("reply", NS.reply)?.attrs["id"];
  return id ? { id, isOurs: context.isOurMessage(id) } : undefined;
}

/** Clients repeat what they answer for those that cannot show it; it is marked by the number of its characters. */
function withoutFallback(message: XmlElement, body: string): string {
  const range = message
    .getChildren("fallback", NS.fallback)
    .find(({ attrs }) => attrs["for"] === NS.reply)
    ?.getChild("body");
  const start = Number(range?.attrs["start"]);
  const end = Number(range?.attrs["end"]);
  if (!range || !Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end < start) return body;
  const characters = [...body];
  return [...characters.slice(0, start), ...characters.slice(end)].join("");
}

/** `nick: hello` says who is meant; the rest is what is said, so that `nick: /status` is a command. */
function withoutAddress(text: string, nick: string): string | undefined {
  const bare = text.startsWith("@") ? text.slice(1) : text;
  if (!bare.toLowerCase().startsWith(nick.toLowerCase())) return undefined;
  const [, rest] = /^[:,]\s*(.+)$/s.exec(bare.slice(nick.length)) ?? [];
  return rest;
}

function isMentioned(message: XmlElement, text: string, nick: string | undefined, self: string): boolean {
  const isReferred = message
    .getChildren("reference", NS.reference)
    .some(({ attrs }) => attrs["type"] === "mention" && attrs["uri"]?.toLowerCase() === `xmpp:${self}`);
  if (isReferred || nick === undefined) return isReferred;
  const name = nick.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, "iu").test(text);
}

function stampedId(message: XmlElement, { archive, stampsIds }: Place): string | undefined {
  if (!stampsIds) return undefined;
  return message.getChildren("stanza-id", NS.sid).find(({ attrs }) => attrs["by"] === archive)?.attrs["id"];
}

export function ownIdOf(message: XmlElement): string | undefined {
  return message.attrs["id"] || message.getChild("origin-id", NS.sid)?.attrs["id"];
}

/** What a server writes on a message, and may write otherwise when it hands it out again. */
const ADDED_BY_SERVERS = new Set(["delay", "stanza-id", "occupant-id", "x"]);

/** Without an id of the archive the same text from the same device under the same id is the same message. */
function idOf(message: XmlElement, place: Place, archiveId: string | undefined, context: ParseContext): string {
  if (archiveId !== undefined) return place.chat.kind === "group" ? `${place.chat.id}/${archiveId}` : archiveId;
  const own = ownIdOf(message);
  if (!own) return context.newId();
  const said = message.getChildElements().filter(({ name }) => !ADDED_BY_SERVERS.has(name));
  const parts = [message.attrs["from"], own, ...said.map(String)];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** Written by the server or the room; anybody else's is only a claim. */
function delayOf(message: XmlElement, { archive }: Place, { self }: ParseContext): number | undefined {
  const domain = parseAddress(self)?.domain;
  const trusted = message
    .getChildren("delay", NS.delay)
    .find(({ attrs }) => attrs["from"] === archive || attrs["from"] === domain);
  return stampOf(trusted);
}
