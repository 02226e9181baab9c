// Facts about a person, and what a change would give them. Pure.
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";
import type { InOtherWords, Sections } from "../../words/index.ts";

export type PeopleWords = InOtherWords<Sections["people"]>;

export type Person = MethodAnswer<"people.list">["people"][number];
export type Draft = MethodParams<"people.put">["person"];
export type PersonId = Person["ids"][number];
export type Role = Person["role"];
export type Quota = NonNullable<Person["quota"]>;
export type Suggestion = MethodAnswer<"people.suggest">["suggestions"][number];

/** From most to least. */
export const ROLES = ["owner", "approver", "member", "guest"] as const satisfies readonly Role[];

/** Those who may do most first, then by name. */
export function inOrder(people: readonly Person[]): Person[] {
  return people.toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || a.name.localeCompare(b.name));
}

/** Whether somebody could do more after this than before: a higher role, or a high role for one more id. */
export function givesPower(
  before: Pick<Person, "role" | "ids"> | undefined,
  after: Pick<Person, "role" | "ids">,
): boolean {
  if (after.role !== "owner" && after.role !== "approver") return false;
  const isRaised = before === undefined || ROLES.indexOf(after.role) < ROLES.indexOf(before.role);
  const isWider = after.ids.some((id) => !before?.ids.some((one) => isSameId(one, id)));
  return isRaised || isWider;
}

function isSameId(one: PersonId, other: PersonId): boolean {
  return one.channel === other.channel && one.id === other.id && one.account === other.account;
}

/** As it would be typed: `telegram:123`. */
export function writeId({ channel, id }: PersonId): string {
  return `${channel}:${id}`;
}

const LONGEST_ID = 60;

/** An id somebody of this name could have; "" when nothing of the name can stand in one. */
export function idOfName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "")
    .slice(0, LONGEST_ID);
}

/** The same, but nobody else's. */
export function freeId(name: string, taken: readonly string[]): string {
  const wanted = idOfName(name) || "person";
  for (let number = 1; ; number++) {
    const id = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.includes(id)) return id;
  }
}

/** What was typed into the fields of limits; an empty field is no limit. Undefined when none is set. */
export function readQuota(typed: Readonly<Record<keyof Quota, string>>): Quota | undefined {
  const entries = Object.entries(typed).flatMap(([name, text]) => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    return Number.isFinite(value) && value >= 0 ? [[name, value] as const] : [];
  });
  return entries.length > 0 ? (Object.fromEntries(entries) as Quota) : undefined;
}

/** The name under which what a person spends is counted. */
export function spenderOf({ id }: Pick<Person, "id">): string {
  return `person:${id}`;
}
