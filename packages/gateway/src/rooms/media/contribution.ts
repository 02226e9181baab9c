// Contribution of the room media.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "media",
  says: "Keeps files that come with messages and go out with replies.",
};
