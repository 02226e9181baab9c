// Contribution of the room audit.
import { methods, type Contribution } from "@chela/sdk";
import { AUDIT_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "audit",
  says: "Records who did what, so that a change of the record is noticed.",
  services: [{ open: async (house) => house.auditing }],
  methods: [methods(AUDIT_METHODS, async (house: House) => (await import("./methods.ts")).auditMethods(house))],
};
