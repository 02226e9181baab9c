// Contribution of the room delivery.
import { methods, type Contribution } from "@chela/sdk";
import { DELIVERY_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { sendWhatIsLeft } from "./send-what-is-left.ts";

export const contribution: Contribution<House> = {
  id: "delivery",
  says: "Cuts replies for their channels, sends them and notes the receipts.",
  hookEvents: ["message:sent"],
  methods: [methods(DELIVERY_METHODS, async (house: House) => (await import("./methods.ts")).deliveryMethods(house))],
  services: [{ open: async (house) => sendWhatIsLeft(house) }],
  topics: { deliveries: { commits: ["outbox-add", "outbox-state"] } },
  cli: async () => (await import("./cli/commands.ts")).commands,
};
