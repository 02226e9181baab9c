// Contribution of the room devices.
import { methods, type Contribution } from "@chela/sdk";
import { DEVICE_METHODS, DEVICE_SETUP_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { deviceMethods } from "./methods.ts";

export const contribution: Contribution<House> = {
  id: "devices",
  says: "Knows which devices may connect, by their keys.",
  methods: [
    // Part of every start: what takes a grant away must not be overtaken.
    methods(DEVICE_METHODS, async (house: House) => deviceMethods(house), { isLoadedFirst: true }),
    methods(DEVICE_SETUP_METHODS, async (house: House) => (await import("./setup-methods.ts")).setupCodeMethods(house)),
  ],
};
