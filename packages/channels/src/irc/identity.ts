// Ids of people. A nick can be taken by anybody, so it is only a name; ids are the services account and the address.
import type { ChannelSender, WrittenId, WrittenTarget } from "@chela/sdk";
import type { Source } from "./server/line.ts";
import { isRoomName, isSendable, lowerAscii } from "./server/names.ts";

export const accountId = (account: string): string => `account:${lowerAscii(account)}`;
export const hostId = (user: string, host: string): string => `host:${lowerAscii(`${user}@${host}`)}`;
const maskId = (nick: string, user: string, host: string): string => `mask:${lowerAscii(`${nick}!${user}@${host}`)}`;

/** Undefined for servers and for whoever has no address: they are nobody one could let in. */
export function senderFrom(source: Source, account: string | undefined, isBot: boolean): ChannelSender | undefined {
  const { nick, user, host } = source;
  if (!user || !host) return undefined;
  const byHost = hostId(user, host);
  const byMask = maskId(nick, user, host);
  return {
    ...(account ? { id: accountId(account), otherIds: [byHost, byMask] } : { id: byHost, otherIds: [byMask] }),
    name: nick,
    username: nick,
    ...(isBot ? { isBot } : {}),
  };
}

/** `account:name`, `host:user@host`, `mask:nick!user@host` (the first word may be left out of the last two), or a nick. */
export function readIrcId(written: string): WrittenId {
  const text = written.trim().replace(/^(?:irc|user):/i, "");
  if (text === "" || /\s/.test(text)) return { kind: "unusable", why: "an entry is one word, without spaces" };
  const [, kind = "", rest = text] = /^(account|host|mask):(.*)$/i.exec(text) ?? [];
  if (/[*?]/.test(rest)) return { kind: "unusable", why: `wildcards are not supported: ${text}` };
  const [, nick, user, host] = /^(?:([^!@]+)!)?([^!@]+)@([^@]+)$/.exec(rest) ?? [];
  const word = kind.toLowerCase();
  if (word === "account") {
    return rest === "" ? { kind: "unusable", why: "account: needs a name" } : { kind: "id", id: accountId(rest) };
  }
  if (user && host && nick && word !== "host") return { kind: "id", id: maskId(nick, user, host) };
  if (user && host && !nick && word !== "mask") return { kind: "id", id: hostId(user, host) };
  if (word !== "" || /[!@]/.test(rest)) {
    return { kind: "unusable", why: `write account:name, user@host or nick!user@host instead of ${text}` };
  }
  if (isRoomName(rest, "#&")) return { kind: "unusable", why: `${text} is a channel, not a person` };
  return { kind: "name", name: rest };
}

/** `#room` or a nick, with or without `irc:`, `channel:` or `user:` before it. */
export function readIrcTarget(written: string): WrittenTarget {
  const [, kind = "", to = ""] = /^(?:irc:)?(?:(channel|user):)?(.*)$/is.exec(written.trim()) ?? [];
  if (/^(?:account|host|mask):/i.test(to)) {
    return { kind: "unusable", why: `one can write to a nick, not to ${to}` };
  }
  const isRoom = isRoomName(to, "#&+!");
  if (!isSendable(to)) return { kind: "unusable", why: `"${written}" is neither a nick nor a channel such as #room` };
  if (kind.toLowerCase() === "channel" && !isRoom) return { kind: "unusable", why: `a channel begins with #: ${to}` };
  if (kind.toLowerCase() === "user" && isRoom) return { kind: "unusable", why: `${to} is a channel, not a person` };
  return { kind: "target", target: { to }, chat: { kind: isRoom ? "group" : "direct", id: lowerAscii(to) } };
}
