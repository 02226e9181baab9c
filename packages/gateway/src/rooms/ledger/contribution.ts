// Contribution of the room ledger.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { openSessionLimits } from "./mirror/limit-sessions.ts";

export const contribution: Contribution<House> = {
  id: "ledger",
  says: "Stores messages, turns, transcripts and usage in one SQLite file, and mirrors it as OpenClaw's files.",
  services: [{ open: async (house) => openSessionLimits(house) }],
  doctor: async () => (await import("./doctor.ts")).checks,
};
