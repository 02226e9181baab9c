// Suggests whom to write down as a person: those whom the configuration has linked already.
import type { Person, PersonId } from "@chela/sdk";
import { readWritten, type ReadId } from "./check-ids.ts";
import { overlaps } from "./find-person.ts";

/** One human, as `session.identityLinks` tells of them. Nothing of it has any effect until somebody takes it up. */
export interface PersonSuggestion {
  /** The person it adds to, or the id a new one could have. */
  readonly id: string;
  readonly name: string;
  readonly isNew: boolean;
  /** What is not written down yet. */
  readonly ids: readonly PersonId[];
  /** Entries that cannot be taken over, and why. */
  readonly notes: readonly string[];
}

export type IdentityLinks = Readonly<Record<string, readonly string[]>>;

/** `telegram:123`; an entry without a channel is an id on any, which is no typed id. */
const WITH_CHANNEL = /^([a-z][a-z0-9_-]*):(.+)$/is;

export async function suggestPeople(
  links: IdentityLinks,
  people: readonly Person[],
  readId: ReadId,
): Promise<readonly PersonSuggestion[]> {
  const suggestions: PersonSuggestion[] = [];
  for (const [name, entries] of Object.entries(links)) {
    const taken = [...people.map(({ id }) => id), ...suggestions.map(({ id }) => id)];
    const suggestion = await suggestPerson(name.trim(), entries, { people, readId, taken });
    if (suggestion && (suggestion.ids.length > 0 || suggestion.notes.length > 0)) suggestions.push(suggestion);
  }
  return suggestions;
}

async function suggestPerson(
  name: string,
  entries: readonly string[],
  known: { readonly people: readonly Person[]; readonly readId: ReadId; readonly taken: readonly string[] },
): Promise<PersonSuggestion | undefined> {
  if (name === "") return undefined;
  const ids: PersonId[] = [];
  const notes: string[] = [];
  for (const entry of entries) {
    const [, channel, id] = WITH_CHANNEL.exec(entry.trim()) ?? [];
    if (channel === undefined || id === undefined) {
      notes.push(`"${entry}" names no channel, so that it could be anybody's on another one`);
      continue;
    }
    const read = await readWritten({ channel, id }, known.readId);
    if (read.kind === "refused") notes.push(read.why);
    else if (!ids.some((one) => overlaps(one, read.id))) ids.push(read.id);
  }
  const owners = new Set(ids.flatMap((id) => ownerOf(id, known.people) ?? []));
  const [owner] = owners;
  const free = ids.filter((id) => !ownerOf(id, known.people));
  if (owners.size > 1) {
    const names = [...owners].map((person) => person.id).join(", ");
    notes.push(`its ids belong to several people already: ${names}`);
  }
  if (owner) return { id: owner.id, name: owner.name, isNew: false, ids: free, notes };
  return { id: freeId(name, known.taken), name, isNew: true, ids: free, notes };
}

function ownerOf(id: PersonId, people: readonly Person[]): Person | undefined {
  return people.find((person) => person.ids.some((theirs) => overlaps(theirs, id)));
}

const LONGEST_ID = 60;

function freeId(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "")
    .slice(0, LONGEST_ID);
  const wanted = plain || "person";
  for (let number = 1; ; number++) {
    const id = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.includes(id)) return id;
  }
}
