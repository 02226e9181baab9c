// Contribution of the room people.
import { methods, type Contribution } from "@chela/sdk";
import { PEOPLE_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "people",
  says: "Knows one human over all their ids, with a role and limits.",
  methods: [methods(PEOPLE_METHODS, async (house: House) => (await import("./methods.ts")).peopleMethods(house))],
  topics: { people: { commits: ["person-put", "person-delete"] } },
  cli: async () => (await import("./cli/commands.ts")).commands,
};
