// Methods for people: one human over all their ids, with a role and limits.
import * as z from "zod";
import { Person, PersonId } from "../../../people.ts";
import { once } from "../../../schema.ts";
import { empty, type MethodSpec } from "../method-spec.ts";

const PersonKey = () => Person().shape.id;
const Draft = () => Person().omit({ createdAt: true, updatedAt: true });

export const PEOPLE_METHODS = {
  "people.list": {
    role: "operator",
    scope: "operator.read",
    offline: "read",
    says: "Everybody who is known as a person, by name, and how much of their messages is used; with `who` only whoever has this id",
    params: once(() => z.strictObject({ who: PersonId().optional() })),
    result: once(() =>
      z.object({
        people: z.array(Person()),
        /** By id, for those who have a limit of messages. */
        used: z.record(z.string(), z.object({ thisHour: z.int(), today: z.int() })),
      }),
    ),
  },
  "people.put": {
    role: "operator",
    scope: "operator.admin",
    offline: "write",
    says: "Writes a person down, in place of what was known of them; `ifUpdatedAt` null means that they must be new",
    params: once(() => z.strictObject({ person: Draft(), ifUpdatedAt: z.int().nullable().optional() })),
    result: once(() => z.object({ person: Person(), isNew: z.boolean() })),
  },
  "people.delete": {
    role: "operator",
    scope: "operator.admin",
    offline: "write",
    says: "Forgets a person; what the configuration says about their ids holds again",
    params: once(() => z.strictObject({ id: PersonKey() })),
    result: once(() => z.object({ person: Person() })),
  },
  "people.link": {
    role: "operator",
    scope: "operator.admin",
    offline: "write",
    says: "Adds ids to a person and takes ids away",
    params: once(() =>
      z.strictObject({
        id: PersonKey(),
        add: z.array(PersonId()).max(64).optional(),
        remove: z.array(PersonId()).max(64).optional(),
      }),
    ),
    result: once(() => z.object({ person: Person() })),
  },
  "people.suggest": {
    role: "operator",
    scope: "operator.admin",
    offline: "read",
    says: "Who is linked in `session.identityLinks` and could be written down as a person",
    params: empty,
    result: once(() =>
      z.object({
        suggestions: z.array(
          z.object({
            /** The person it adds to, or the id a new one could have. */
            id: z.string(),
            name: z.string(),
            isNew: z.boolean(),
            ids: z.array(PersonId()),
            /** Entries that cannot be taken over, and why. */
            notes: z.array(z.string()),
          }),
        ),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
