// Contribution of the room heartbeat.
import { methods, type Contribution } from "@chela/sdk";
import { HEARTBEAT_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "heartbeat",
  says: "Lets an agent look after things by itself.",
  methods: [methods(HEARTBEAT_METHODS, async (house: House) => (await import("./methods.ts")).heartbeatMethods(house))],
  services: [{ open: async (house) => house.heartbeat }],
  errands: [{ kind: "heartbeat", handler: async (house) => (await house.heartbeat.room()).handler }],
  cli: async () => (await import("./cli/commands.ts")).commands,
};
