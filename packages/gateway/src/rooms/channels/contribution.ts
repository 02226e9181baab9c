// Contribution of the room channels.
import { methods, type Contribution } from "@chela/sdk";
import { CHANNEL_METHODS, DIRECTORY_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { keepAccounts } from "./keep-accounts.ts";

export const contribution: Contribution<House> = {
  id: "channels",
  says: "Keeps accounts connected with their messaging platforms.",
  services: [{ open: async (house) => keepAccounts(house) }],
  topics: { channels: { config: ["channels"] } },
  methods: [
    methods(CHANNEL_METHODS, async (house: House) => (await import("./methods.ts")).channelMethods(house)),
    methods(DIRECTORY_METHODS, async (house: House) =>
      (await import("./directory-methods.ts")).directoryMethods(house),
    ),
  ],
  routes: [
    {
      methods: ["GET", "POST", "PUT"],
      path: (path, { mounts }) => mounts.has(path),
      auth: "own-secret",
      handle: (call, { mounts }) => mounts.answer(call),
    },
  ],
  cli: async () => (await import("./cli/commands.ts")).commands,
  doctor: async () => (await import("./doctor.ts")).checks,
};
