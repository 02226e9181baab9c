// Contribution of the room errands.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "errands",
  says: "Carries out work nobody typed, once, until its result has arrived.",
  services: [
    {
      open: async ({ errands }) => ({
        start: async () => void (await errands.takeUp()),
        stop: () => errands.close(),
      }),
    },
  ],
  doctor: async () => (await import("./doctor.ts")).checks,
  topics: { errands: { commits: ["errand-add", "errand-state"] } },
};
