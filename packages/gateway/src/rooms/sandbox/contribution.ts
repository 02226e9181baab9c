// Contribution of the room sandbox.
import { methods, type Contribution } from "@chela/sdk";
import { SANDBOX_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "sandbox",
  says: "Runs the tools of conversations apart from this machine.",
  services: [{ open: async (house) => house.sandboxes }],
  methods: [methods(SANDBOX_METHODS, async (house: House) => (await import("./methods.ts")).sandboxMethods(house))],
  doctor: async () => (await import("./doctor.ts")).checks,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
