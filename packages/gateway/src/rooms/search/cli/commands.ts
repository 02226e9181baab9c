// The command that finds what was said.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

export const commands: readonly CommandSpec[] = [
  {
    path: ["search"],
    summary: 'Find what was said: all of the words, "phrases", -words to leave out',
    args: [
      {
        name: "words",
        repeats: true,
        help: "What to look for; in one pair of single quotes when there are quotes or minus signs in it",
      },
    ],
    flags: [
      { name: "agent", value: "id", help: "Only in conversations with this agent" },
      { name: "session", value: "key", help: "Only in this conversation" },
      { name: "role", value: "who", choices: ["user", "assistant"], help: "Only what people or what the agent said" },
      { name: "after", value: "time", help: "Not before this: 2d, 12h, or a date such as 2026-01-31" },
      { name: "before", value: "time", help: "Only before this, written the same way" },
      { name: "limit", value: "count", kind: "number", preset: "20", help: "At most this many, 100 at most" },
      { name: "deleted", help: "Also in conversations that were deleted" },
      ...RPC_FLAGS,
    ],
    load: async () => (await import("./search.ts")).search,
  },
];
