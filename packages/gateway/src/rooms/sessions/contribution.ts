// Contribution of the room sessions.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "sessions",
  says: "Keeps conversations: their entries, transcripts, branches and lanes.",
  topics: { sessions: { commits: ["session-put", "session-delete", "entries-append", "transcript-cut"] } },
  commands: async () => (await import("./chat-commands.ts")).commands,
};
