// Methods that say who is who. Only an operator who may administer can give somebody a role.
import type { PeopleOutcome } from "./room.ts";
import { type PEOPLE_METHODS, actorOf, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type PeopleMethods = Pick<Handlers, keyof typeof PEOPLE_METHODS>;

export function peopleMethods({ people }: Pick<House, "people">): PeopleMethods {
  return {
    async "people.list"({ who }) {
      const found = who ? await (await people.changes()).whoHas(who) : [...people.directory.all];
      return { people: found, used: await people.usedMessages(found) };
    },

    async "people.put"({ person, ifUpdatedAt }, { client }) {
      const done = settle(await (await people.changes()).put(person, actorOf(client), ifUpdatedAt));
      return { person: done.person, isNew: done.isNew };
    },

    async "people.delete"({ id }, { client }) {
      return { person: settle(await (await people.changes()).remove(id, actorOf(client))).person };
    },

    async "people.link"({ id, add = [], remove = [] }, { client }) {
      return { person: settle(await (await people.changes()).link(id, { add, remove }, actorOf(client))).person };
    },

    async "people.suggest"() {
      const found = await people.suggestions();
      return { suggestions: found.map((one) => ({ ...one, ids: [...one.ids], notes: [...one.notes] })) };
    },
  };
}

function settle<T>(outcome: PeopleOutcome<T>): T {
  if (outcome.kind === "refused") throw invalid(outcome.why);
  return outcome;
}
