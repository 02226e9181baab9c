// Contribution of the way itself: what was asked on it, and sending beside it. What it asks of one room is that room's.
import { methods, type Contribution } from "@chela/sdk";
import { MESSAGE_METHODS, RUN_METHODS } from "@chela/sdk/protocol";
import type { House } from "../house/house.ts";

export const contribution: Contribution<House> = {
  id: "flow",
  says: "Takes a message from whoever wrote it to whoever is answered.",
  methods: [
    methods(RUN_METHODS, async (house: House) => (await import("./told-runs/methods.ts")).runMethods(house)),
    methods(MESSAGE_METHODS, async (house: House) => (await import("./messages/methods.ts")).messageMethods(house)),
  ],
};
