// Parses a line of the server into an event, or the reason why it is none. Pure.
import { createHash } from "node:crypto";
import type { ChannelContent, ChannelEvent, Chat, Quoted } from "@chela/sdk";
import { readCtcp, stripCodes } from "./codes.ts";
import { timeOf, type ServerFacts } from "../server/server-facts.ts";
import { senderFrom } from "../identity.ts";
import type { Line } from "../server/line.ts";
import { isSendable, lowerAscii } from "../server/names.ts";

export interface ParseContext {
  readonly facts: ServerFacts;
  /** Channels as the operator writes them. */
  readonly knownRooms: readonly string[];
  /** The services account of the sender, when it is known. */
  readonly account: string | undefined;
  /** Written while we were away, perhaps to a nick we had then. */
  readonly isReplayed: boolean;
  isOurMessage(id: string): boolean;
  now(): number;
  newId(): string;
}

export type ParsedLine =
  | { readonly kind: "event"; readonly event: ChannelEvent }
  /** Somebody asks for the name of this program. */
  | { readonly kind: "version-asked"; readonly nick: string }
  | { readonly kind: "none"; readonly why: string };

const none = (why: string): ParsedLine => ({ kind: "none", why });

export function isOurs(line: Line, facts: ServerFacts): boolean {
  const account = line.tags.get("account");
  return (
    line.source !== undefined &&
    (facts.isMe(line.source.nick) ||
      (account !== undefined && facts.account !== undefined && lowerAscii(account) === lowerAscii(facts.account)))
  );
}

export function parseEvent(line: Line, context: ParseContext): ParsedLine {
  const { facts } = context;
  if (line.command !== "PRIVMSG" && line.command !== "TAGMSG") return none("not a message");
  if (!line.source) return none("from the server");
  if (isOurs(line, facts)) return none("our own");
  const sender = senderFrom(line.source, context.account, line.tags.has("bot"));
  if (!sender) return none("the sender has no address");
  const chat = chatOf(line, sender.id, context);
  if (!chat) return none("for somebody else");
  const { nick } = line.source;
  const ctcp = line.command === "PRIVMSG" ? readCtcp(line.params[1] ?? "") : undefined;
  if (ctcp?.verb === "VERSION" && chat.kind === "direct") return { kind: "version-asked", nick };
  if (ctcp && ctcp.verb !== "ACTION") return none(`the request ${ctcp.verb} is not answered`);
  const content =
    line.command === "TAGMSG"
      ? readReaction(line, context)
      : readText(line, ctcp ? `* ${nick} ${ctcp.text}` : (line.params[1] ?? ""), chat, context);
  if (!content) return none("nothing is in it");
  const messageId = line.tags.get("msgid");
  return {
    kind: "event",
    event: {
      id: messageId || idFrom(line, context),
      ...(messageId ? { messageId } : {}),
      at: timeOf(line) ?? context.now(),
      chat,
      sender,
      replyTarget: { to: chat.kind === "group" ? (chat.title ?? chat.id) : nick },
      content,
    },
  };
}

function chatOf(line: Line, senderId: string, { facts, knownRooms, isReplayed }: ParseContext): Chat | undefined {
  const target = line.params[0] ?? "";
  const room = facts.roomOf(target);
  if (room !== undefined) return { kind: "group", id: roomId(room, facts, knownRooms), title: room };
  const isForUs = facts.isMe(target) || (isReplayed && isSendable(target));
  return isForUs ? { kind: "direct", id: senderId } : undefined;
}

/** Where the operator writes a name that the server takes for the same, that spelling counts. */
export function roomId(name: string, facts: ServerFacts, knownRooms: readonly string[]): string {
  const folded = facts.fold(name);
  return lowerAscii(knownRooms.find((known) => facts.fold(known) === folded) ?? folded);
}

function readText(line: Line, raw: string, chat: Chat, context: ParseContext): ChannelContent | undefined {
  const text = stripCodes(raw).trim();
  if (text === "") return undefined;
  const { facts } = context;
  const addressed = chat.kind === "group" ? withoutAddress(text, facts) : undefined;
  const replyTo = readQuote(line, context);
  return {
    kind: "message",
    text: addressed ?? text,
    mentionsUs: addressed !== undefined || isMentioned(text, facts),
    ...(replyTo ? { replyTo } : {}),
  };
}

function readQuote(line: Line, context: ParseContext): Quoted | undefined {
  const id = line.tags.get("+draft/reply") || line.tags.get("+reply");
  return id ? { id, isOurs: context.isOurMessage(id) } : undefined;
}

function readReaction(line: Line, context: ParseContext): ChannelContent | undefined {
  const on = line.tags.get("+draft/reply") || line.tags.get("+reply");
  const added = line.tags.get("+draft/react") || line.tags.get("+react");
  const emoji = added || line.tags.get("+draft/unreact") || line.tags.get("+unreact");
  if (!on || !emoji) return undefined;
  return { kind: "reaction", emoji: stripCodes(emoji), isRemoved: !added, on, onOurs: context.isOurMessage(on) };
}

/** `nick: hello` and `nick, hello` say who is meant; the rest is what is said, so that `nick: /status` is a command. */
function withoutAddress(text: string, facts: ServerFacts): string | undefined {
  const [, name = "", rest = ""] = /^@?([^\s:,]+)[:,]\s*(.+)$/s.exec(text) ?? [];
  return name !== "" && facts.isMe(name) ? rest : undefined;
}

/** Characters nicks are made of: a nick inside a longer one is somebody else. */
const NICK_CHARACTER = /[\p{L}\p{N}[\]\\`_^{|}-]/u;

export function isMentioned(text: string, facts: ServerFacts): boolean {
  const folded = facts.fold(text);
  const nick = facts.fold(facts.nick);
  for (let at = folded.indexOf(nick); at >= 0; at = folded.indexOf(nick, at + 1)) {
    const before = folded.charAt(at - 1) || " ";
    const after = folded.charAt(at + nick.length) || " ";
    if (!NICK_CHARACTER.test(before) && !NICK_CHARACTER.test(after)) return true;
  }
  return false;
}

/** The same line replayed later gets the same id, as long as the server writes times on its lines. */
function idFrom(line: Line, context: ParseContext): string {
  const time = line.tags.get("time");
  if (time === undefined) return context.newId();
  const parts = [time, line.source?.nick, line.command, ...line.params, line.tags.get("+draft/react")];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
