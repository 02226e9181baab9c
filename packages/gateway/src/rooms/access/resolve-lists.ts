// Reads the lists an operator wrote: what each entry means, in ids. What means nothing yet is told, and lets nobody in.
import type { ChannelPolicy, DirectoryEntry, GroupPolicy, WrittenId } from "@chela/sdk";
import { saysWho } from "./find-group.ts";
import { EVERYBODY } from "./match-ids.ts";
import type { AllowLists } from "./rules.ts";

/** What a channel knows about its own ids, and the book of names. */
export interface ListReader {
  readonly channel: string;
  readId(written: string): WrittenId;
  /** The same for keys of `policy.groups`; absent: they are ids. */
  readGroup?(written: string): WrittenId;
  /** The id a name was given once and for all; undefined when it has none yet. */
  idOfName(name: string, kind: DirectoryEntry["kind"]): Promise<string | undefined>;
}

export interface WrittenLists {
  readonly policy: ChannelPolicy;
  /** `commands.ownerAllowFrom`: ids, also as `channel:id`. */
  readonly owners?: readonly string[] | undefined;
}

export interface ReadLists {
  readonly lists: AllowLists;
  /** Entries that mean nobody, or no group, until they are corrected or can be looked up. */
  readonly unresolved: readonly string[];
}

export async function resolveLists({ policy, owners }: WrittenLists, reader: ListReader): Promise<ReadLists> {
  const people = new Map<string, string>();
  const unresolved: string[] = [];
  for (const entry of peopleIn(policy)) {
    const id = await idOf(reader.readId(entry), "user", reader);
    if (id === undefined) unresolved.push(entry);
    else people.set(entry, id);
  }
  const groups = await readGroups(policy.groups, reader, unresolved);
  return {
    lists: { people, groups, ...(owners ? { owners: await readOwners(owners, reader) } : {}) },
    unresolved,
  };
}

/** Ids as the pairing store has them, in the channel's own form; names are not approved, people are. */
export function readIds(stored: Iterable<string>, readId: (written: string) => WrittenId): ReadonlySet<string> {
  return new Set([...stored].flatMap((written) => plainId(readId(written)) ?? []));
}

async function idOf(
  read: WrittenId,
  kind: DirectoryEntry["kind"],
  { idOfName }: ListReader,
): Promise<string | undefined> {
  return read.kind === "name" ? idOfName(read.name, kind) : plainId(read);
}

function plainId(read: WrittenId): string | undefined {
  return read.kind === "id" && read.id !== "" && read.id !== EVERYBODY ? read.id : undefined;
}

/** Every entry of every list of people, once. */
function peopleIn({ allowFrom, groupAllowFrom, groups }: ChannelPolicy): ReadonlySet<string> {
  const inGroup = (group: GroupPolicy): string[] => [
    ...(group.allowFrom ?? []),
    ...Object.values(group.topics ?? {}).flatMap(inGroup),
  ];
  const all = [...allowFrom, ...(groupAllowFrom ?? []), ...Object.values(groups).flatMap(inGroup)];
  return new Set(all.filter((entry) => entry !== EVERYBODY));
}

/** An owner of another channel is nobody here, and nothing to complain about. */
async function readOwners(owners: readonly string[], reader: ListReader): Promise<ReadonlySet<string>> {
  const mark = `${reader.channel}:`;
  const ids = new Set<string>();
  for (const entry of owners.filter((written) => written !== EVERYBODY)) {
    const isOurs = entry.startsWith(mark);
    const read = reader.readId(isOurs ? entry.slice(mark.length) : entry);
    const id = isOurs ? await idOf(read, "user", reader) : plainId(read);
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

async function readGroups(
  written: ChannelPolicy["groups"],
  reader: ListReader,
  unresolved: string[],
): Promise<ReadonlyMap<string, GroupPolicy>> {
  const groups = new Map<string, GroupPolicy>();
  let isIncomplete = false;
  for (const [key, group] of Object.entries(written)) {
    const id = await groupIdOf(key, reader);
    if (id !== undefined) groups.set(id, withShut(groups.get(id), group));
    else {
      unresolved.push(key);
      isIncomplete ||= narrows(group);
    }
  }
  if (!isIncomplete) return groups;
  // One of the groups "*" stands for may be the one that was to be restricted, so "*" waits until it is known.
  return new Map([...groups].filter(([id]) => !isPattern(id)));
}

async function groupIdOf(key: string, reader: ListReader): Promise<string | undefined> {
  if (isPattern(key) || !reader.readGroup) return key;
  return idOf(reader.readGroup(key), "group", reader);
}

function isPattern(key: string): boolean {
  return key === EVERYBODY || key.endsWith(`/${EVERYBODY}`);
}

/** The same group under its id and its name: switched off once is switched off. */
function withShut(first: GroupPolicy | undefined, second: GroupPolicy): GroupPolicy {
  const isShut = first?.isEnabled === false || second.isEnabled === false;
  return { ...second, ...first, ...(isShut ? { isEnabled: false } : {}) };
}

/** Whether losing these settings could let somebody in. */
function narrows(group: GroupPolicy): boolean {
  return (
    group.isEnabled === false ||
    group.group === "disabled" ||
    group.group === "allowlist" ||
    saysWho(group) ||
    Object.values(group.topics ?? {}).some(narrows)
  );
}
