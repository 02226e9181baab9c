// Contribution of the room media.
import { methods, type Contribution } from "@chela/sdk";
import { MEDIA_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "media",
  says: "Keeps files that come with messages and go out with replies.",
  hookEvents: ["message:transcribed", "message:preprocessed"],
  methods: [methods(MEDIA_METHODS, async (house: House) => (await import("./methods.ts")).mediaMethods(house))],
};
