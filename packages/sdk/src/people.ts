// People: one human is one principal, however many channels they write from.
import * as z from "zod";
import { once, type Parsed } from "./schema.ts";

/** What a person may do, from most to least. Nobody is more than a guest unless somebody said so. */
export const PERSON_ROLES = ["owner", "approver", "member", "guest"] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** How somebody is known on a channel: the platform's own, unchangeable id. Never a name. */
export const PersonId = once(() =>
  z.strictObject({
    channel: z.string().min(1).max(64),
    /** Ids are told apart by account where a platform gives each bot its own; absent means on every account. */
    account: z.string().min(1).max(128).optional(),
    id: z.string().min(1).max(256),
  }),
);

export const PersonQuota = once(() =>
  z.strictObject({
    /** Messages that reach an agent. */
    messagesPerHour: z.number().int().min(0).optional(),
    messagesPerDay: z.number().int().min(0).optional(),
    /** US dollars of model calls. */
    costPerDay: z.number().min(0).optional(),
  }),
);

export const Person = once(() =>
  z.strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
    name: z.string().min(1).max(200),
    role: z.enum(PERSON_ROLES),
    ids: z.array(PersonId()).max(64),
    quota: PersonQuota().optional(),
    note: z.string().max(2000).optional(),
    createdAt: z.number().int(),
    updatedAt: z.number().int(),
  }),
);
export type Person = Parsed<typeof Person>;
export type PersonId = Parsed<typeof PersonId>;
export type PersonQuota = Parsed<typeof PersonQuota>;

/** What travels with a message of somebody who is known as a person. */
export type KnownPerson = Pick<Person, "id" | "role">;

/** Under which name what somebody spends is counted: a person's with all their ids, anybody else's by their own id. */
export function spenderName({ id, person }: { readonly id: string; readonly person?: KnownPerson }): string {
  return person ? `person:${person.id}` : id;
}
