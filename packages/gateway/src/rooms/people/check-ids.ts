// Checks the ids somebody wrote for a person: each in its channel's own form, and no id of anybody else.
import type { Person, PersonId, WrittenId } from "@chela/sdk";
import { isNobodys, overlaps } from "./find-person.ts";

/** What a channel makes of an entry of an allow-list; undefined when there is no such channel here. */
export type ReadId = (channel: string, written: string) => Promise<WrittenId | undefined>;

export type CheckedIds =
  | { readonly kind: "ids"; readonly ids: readonly PersonId[] }
  | { readonly kind: "refused"; readonly why: string };

/** What speaks through our own door has scopes, and no person: an id of it would look as if it were kept to somebody's role. */
const OUR_OWN = new Set(["device", "node", "operator", "webchat"]);

type CheckedId = { readonly kind: "id"; readonly id: PersonId } | { readonly kind: "refused"; readonly why: string };

export async function checkIds(
  written: readonly PersonId[],
  { others, readId }: { readonly others: readonly Person[]; readonly readId: ReadId },
): Promise<CheckedIds> {
  const ids: PersonId[] = [];
  for (const one of written) {
    const checked = await readWritten(one, readId);
    if (checked.kind === "refused") return checked;
    if (OUR_OWN.has(checked.id.channel)) return refuse(sayOwn(checked.id));
    const { id } = checked;
    const owner = others.find((person) => person.ids.some((theirs) => overlaps(theirs, id)));
    if (owner) return refuse(`${sayId(id)} belongs to ${owner.name} (${owner.id}). Unlink it there first.`);
    if (!ids.some((known) => isSame(known, id))) ids.push(id);
  }
  return { kind: "ids", ids };
}

function sayOwn(id: PersonId): string {
  const why = "A device that was paired as operator acts as you and sees every conversation";
  return `${sayId(id)} cannot be anybody's. ${why}; \`chela devices revoke\` takes that away. People write by channels.`;
}

export async function readWritten({ channel, account, id }: PersonId, readId: ReadId): Promise<CheckedId> {
  const name = channel.trim().toLowerCase();
  const written = id.trim();
  if (name === "") return refuse(`Say on which channel "${written}" is an id, such as telegram:123.`);
  if (isNobodys(written)) return refuse(`"${id}" is nobody's id: a person needs an id of their own on ${name}.`);
  const read = (await readId(name, written)) ?? { kind: "id", id: written };
  if (read.kind === "name")
    return refuse(
      `"${read.name}" is a name on ${name}, and names change hands. Give the id: \`chela channels resolve\` finds it.`,
    );
  if (read.kind === "unusable") return refuse(`"${written}" is no id on ${name}: ${read.why}`);
  if (isNobodys(read.id)) return refuse(`"${written}" is nobody's id on ${name}.`);
  const where = account?.trim();
  return { kind: "id", id: { channel: name, ...(where ? { account: where } : {}), id: read.id } };
}

export function isSame(one: PersonId, other: PersonId): boolean {
  return one.channel === other.channel && one.id === other.id && one.account === other.account;
}

export function sayId({ channel, account, id }: PersonId): string {
  return account === undefined ? `${channel}:${id}` : `${channel}:${id} (account ${account})`;
}

function refuse(why: string): { readonly kind: "refused"; readonly why: string } {
  return { kind: "refused", why };
}
