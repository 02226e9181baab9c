// Links of people who write from several accounts, by the operator: one name for all their ids.
import type { Chat, ChannelSender, Standing } from "@chela/sdk";
import { writeName } from "./key-part.ts";

export type IdentityLinks = Readonly<Record<string, readonly string[]>>;

/** Somebody who is written down as a person. */
interface LinkedPerson {
  readonly id: string;
  readonly ids: readonly { readonly channel: string; readonly id: string }[];
}

export interface LinkedPeople {
  /** Whose ids these are on that channel and account. */
  personOf(channel: string, account: string, ids: readonly string[]): LinkedPerson | undefined;
  readonly all: readonly LinkedPerson[];
}

/** `telegram:123` means that id on that channel; anything else (`+49…`, `@ann:server`) is an id on any channel. */
const WITH_CHANNEL = /^([a-z][a-z0-9_-]*):(.+)$/is;

/** The name of the person a direct chat is with; undefined when nobody has linked them. */
export function linkedName(
  event: {
    readonly channel: string;
    readonly account: string;
    readonly chat: Chat;
    readonly sender: ChannelSender;
    readonly standing: Standing;
  },
  links: IdentityLinks,
  people?: LinkedPeople,
): string | undefined {
  const ids = idsOfPeer(event.chat, event.sender);
  const person = people?.personOf(event.channel, event.account, ids);
  const name = nameIn(links, event.channel, ids) ?? (person && nameOfPerson(person, links));
  return name !== undefined && event.standing === "guest" ? nameOfGuest(name) : name;
}

/** Guests share with nobody, also when the configuration takes them for an id of somebody else. */
function nameOfGuest(name: string): string {
  return `${name}~guest`;
}

function nameIn(links: IdentityLinks, channel: string, ids: readonly string[]): string | undefined {
  const means = (written: string): boolean => {
    const [, on, id] = WITH_CHANNEL.exec(written.trim()) ?? [];
    if (on === undefined || id === undefined) return ids.includes(written.trim());
    return on.toLowerCase() === channel.trim().toLowerCase() && ids.includes(id);
  };
  return Object.entries(links).find(([name, entries]) => name.trim() !== "" && entries.some(means))?.[0];
}

/**
 * Who is linked in the configuration has that name with all their ids. Otherwise it is the person's own id, unless the
 * configuration gave that name to somebody else. With one id only there is nothing to link, and keys stay as they are.
 */
function nameOfPerson({ id, ids }: LinkedPerson, links: IdentityLinks): string | undefined {
  if (ids.length < 2) return undefined;
  for (const one of ids) {
    const linked = nameIn(links, one.channel, [one.id]);
    if (linked !== undefined) return linked;
  }
  const isTaken = Object.keys(links).some((name) => writeName(name) === writeName(id));
  return isTaken ? `${id}~person` : id;
}

/** Every id of the other person in a direct chat. What we wrote there ourselves says nothing about them. */
export function idsOfPeer(chat: Chat, sender: ChannelSender): string[] {
  const ofSender = [sender.id, ...(sender.otherIds ?? [])];
  const ids = chat.id === "" || ofSender.includes(chat.id) ? [chat.id, ...ofSender] : [chat.id];
  return ids.filter((id) => id !== "");
}

/** How linked people stand in keys: a stranger whose id looks like one of these gets another spelling. */
export function namesInKeys(links: IdentityLinks, people?: LinkedPeople): ReadonlySet<string> {
  const ofPeople = (people?.all ?? []).flatMap((person) => nameOfPerson(person, links) ?? []);
  const names = [...Object.keys(links), ...ofPeople];
  return new Set([...names, ...names.map(nameOfGuest)].map(writeName));
}
