// Contribution of the room sessions.
import { methods, type Contribution } from "@chela/sdk";
import { SESSION_HISTORY_METHODS, SESSION_METHODS, SESSION_TREE_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "sessions",
  says: "Keeps conversations: their entries, transcripts, branches and lanes.",
  hookEvents: ["session:start", "session:end"],
  topics: { sessions: { commits: ["session-put", "session-delete", "entries-append", "transcript-cut"] } },
  methods: [
    methods(SESSION_METHODS, async (house: House) => (await import("./methods/sessions.ts")).sessionMethods(house)),
    methods(SESSION_TREE_METHODS, async (house: House) =>
      (await import("./methods/tree.ts")).sessionTreeMethods(house),
    ),
    methods(SESSION_HISTORY_METHODS, async (house: House) =>
      (await import("./methods/history.ts")).sessionHistoryMethods(house),
    ),
  ],
  commands: async () => (await import("./chat-commands.ts")).commands,
};
