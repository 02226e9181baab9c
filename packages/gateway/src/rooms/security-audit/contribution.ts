// Contribution of the room security-audit.
import { methods, type Contribution } from "@chela/sdk";
import { SECURITY_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "security-audit",
  says: "Finds what is weak here and what of it can be put right.",
  methods: [methods(SECURITY_METHODS, async (house: House) => (await import("./methods.ts")).securityMethods(house))],
  doctor: async () => (await import("./doctor.ts")).checks,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
