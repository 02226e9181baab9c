// Contribution of the room vault.
import { methods, type Contribution } from "@chela/sdk";
import { CREDENTIAL_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "vault",
  says: "Keeps secrets closed with a key, and pointers to secrets elsewhere.",
  methods: [
    methods(CREDENTIAL_METHODS, async (house: House) => (await import("./methods.ts")).credentialMethods(house)),
  ],
  doctor: async () => (await import("./doctor.ts")).checks,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
