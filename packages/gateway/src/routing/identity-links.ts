// Which people write from several accounts, as the operator has linked them: one name for all their ids.
import type { Chat, ChannelSender } from "@chela/sdk";
import { writeName } from "./key-part.ts";

export type IdentityLinks = Readonly<Record<string, readonly string[]>>;

/** `telegram:123` means that id on that channel; anything else (`+49…`, `@ann:server`) is an id on any channel. */
const WITH_CHANNEL = /^([a-z][a-z0-9_-]*):(.+)$/is;

/** The name of the person a direct chat is with; undefined when nobody has linked them. */
export function linkedName(
  event: { readonly channel: string; readonly chat: Chat; readonly sender: ChannelSender },
  links: IdentityLinks,
): string | undefined {
  const ids = idsOfPeer(event.chat, event.sender);
  const means = (written: string): boolean => {
    const [, channel, id] = WITH_CHANNEL.exec(written.trim()) ?? [];
    if (channel === undefined || id === undefined) return ids.includes(written.trim());
    return channel.toLowerCase() === event.channel.trim().toLowerCase() && ids.includes(id);
  };
  return Object.entries(links).find(([name, entries]) => name.trim() !== "" && entries.some(means))?.[0];
}

/** Every id of the other person in a direct chat. What we wrote there ourselves says nothing about them. */
export function idsOfPeer(chat: Chat, sender: ChannelSender): string[] {
  const ofSender = [sender.id, ...(sender.otherIds ?? [])];
  const ids = chat.id === "" || ofSender.includes(chat.id) ? [chat.id, ...ofSender] : [chat.id];
  return ids.filter((id) => id !== "");
}

/** How linked people stand in keys: a stranger whose id looks like one of these gets another spelling. */
export function namesInKeys(links: IdentityLinks): ReadonlySet<string> {
  return new Set(Object.keys(links).map(writeName));
}
