// Contribution of the room vault.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "vault",
  says: "Keeps secrets closed with a key, and pointers to secrets elsewhere.",
};
