// Finds the person behind an id. Pure. Ids are compared as they are, together with their channel; names are never looked at.
import { PERSON_ROLES, type Person, type PersonId } from "@chela/sdk";

/** Where and as whom somebody writes. */
export interface SeenAs {
  readonly channel: string;
  readonly account: string;
  readonly id: string;
}

export function findPerson(people: readonly Person[], seen: SeenAs): Person | undefined {
  return people.find(({ ids }) => ids.some((known) => isSame(known, seen)));
}

/**
 * The person behind all ids of one sender. They should be one person's; where they are not, somebody made a mistake,
 * and the one who may do the least is meant.
 */
export function findSender(
  people: readonly Person[],
  { channel, account, ids }: Omit<SeenAs, "id"> & { readonly ids: readonly string[] },
): Person | undefined {
  const found = ids.flatMap((id) => findPerson(people, { channel, account, id }) ?? []);
  return found.toSorted((a, b) => rankOf(b) - rankOf(a))[0];
}

/** Whether two ids could mean the same sender: an id without an account is one on every account. */
export function overlaps(one: PersonId, other: PersonId): boolean {
  const isOnSameAccount = one.account === undefined || other.account === undefined || one.account === other.account;
  return one.channel === other.channel && one.id === other.id && isOnSameAccount;
}

/** "" is nobody's id, and "*" is everybody's. */
export function isNobodys(id: string): boolean {
  return id.trim() === "" || id.trim() === "*";
}

function isSame({ channel, account, id }: PersonId, seen: SeenAs): boolean {
  if (isNobodys(seen.id) || isNobodys(id)) return false;
  return channel === seen.channel && id === seen.id && (account === undefined || account === seen.account);
}

/** Higher is less. */
function rankOf({ role }: Person): number {
  return PERSON_ROLES.indexOf(role);
}
