// Compares senders with lists, by immutable ids and exact equality. Names, titles and usernames are never looked at.
import type { Chat, ChannelSender } from "@chela/sdk";
import type { AllowLists } from "./rules.ts";

export const EVERYBODY = "*";

/** The ids of one person. "" is nobody's and "*" is everybody's, so neither can be somebody's. */
export function idsOf({ id, otherIds }: ChannelSender): string[] {
  return [id, ...(Array.isArray(otherIds) ? otherIds : [])].filter(
    (one: unknown): one is string => typeof one === "string" && one.trim() !== "" && one !== EVERYBODY,
  );
}

/** Without ids of places: what a group posts in its own name is nobody's word, even if the group's id is in a list. */
export function withoutPlaces(ids: readonly string[], chat: Chat): string[] {
  const places: readonly unknown[] = [chat.id, chat.parentId, chat.guildId, chat.teamId];
  return ids.filter((id) => !places.includes(id));
}

/** Whether the list has one of these ids itself; "*" is no name. */
export function names(written: unknown, ids: readonly string[], { people }: AllowLists): boolean {
  return entriesOf(written).some((entry) => {
    const id = people.get(entry);
    return id !== undefined && ids.includes(id);
  });
}

export function isForEverybody(written: unknown): boolean {
  return entriesOf(written).includes(EVERYBODY);
}

export function hasOneOf(set: ReadonlySet<string>, ids: readonly string[]): boolean {
  return ids.some((id) => set.has(id));
}

export function holdsRole(written: unknown, roles: unknown): boolean {
  const held = entriesOf(roles);
  return entriesOf(written).some((role) => role !== "" && held.includes(role));
}

/** What is no list names nobody. */
function entriesOf(written: unknown): string[] {
  return Array.isArray(written) ? written.filter((entry: unknown) => typeof entry === "string") : [];
}
