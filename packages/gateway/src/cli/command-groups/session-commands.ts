// Commands about conversations and their branches.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const sessions = () => import("../../rooms/sessions/cli/sessions.ts");
const sessionTree = () => import("../../rooms/sessions/cli/session-tree.ts");
const SESSION_ARGUMENT = { name: "key", help: "Of the session, such as main or agent:main:main" };

const LIST_FLAGS: CommandSpec["flags"] = [
  { name: "agent", value: "id", help: "Only of this agent" },
  { name: "all-agents", help: "Of all agents (the usual)" },
  { name: "active", value: "minutes", kind: "number", help: "Only those used in the last minutes" },
  { name: "limit", value: "count", kind: "number", help: "At most this many" },
  { name: "deleted", help: "Those that were deleted or started anew, and can be restored" },
  {
    name: "store",
    value: "path",
    help: "Another store",
    unused: "--store has no effect: sessions live in the ledger.",
  },
  ...RPC_FLAGS,
];

export const SESSION_COMMANDS: readonly CommandSpec[] = [
  {
    path: ["sessions"],
    summary: "List conversations, newest first",
    flags: LIST_FLAGS,
    load: async () => (await sessions()).list,
  },
  {
    path: ["sessions", "list"],
    summary: "The same",
    flags: LIST_FLAGS,
    load: async () => (await sessions()).list,
  },
  {
    path: ["sessions", "restore"],
    summary: "Bring a deleted conversation back, or the one before a new start",
    args: [{ name: "id", help: "As `chela sessions list --deleted` shows it; its first characters are enough" }],
    flags: [
      { name: "replace", help: "Archive what is talked about under its key now, and take its place" },
      ...RPC_FLAGS,
    ],
    load: async () => (await import("../../rooms/sessions/cli/session-history.ts")).restore,
  },
  {
    path: ["sessions", "cleanup"],
    summary: "Show what is too old or too much; --enforce clears it (transcripts are archived)",
    flags: [
      { name: "dry-run", help: "Only show (the usual)" },
      { name: "enforce", help: "Do it" },
      { name: "active-key", value: "key", help: "A session that must stay" },
      { name: "all-agents", help: "Of all agents (the usual)" },
      {
        name: "agent",
        value: "id",
        help: "Only of one agent",
        unused: "--agent has no effect here: all agents are looked at.",
      },
      {
        name: "store",
        value: "path",
        help: "Another store",
        unused: "--store has no effect: sessions live in the ledger.",
      },
      {
        name: "fix-missing",
        help: "Forget sessions without a transcript",
        unused: "--fix-missing has no effect: the ledger keeps sessions and transcripts together.",
      },
      ...RPC_FLAGS,
    ],
    load: async () => (await import("../commands/sessions-cleanup.ts")).run,
  },
  {
    path: ["sessions", "branches"],
    summary: "The branches of a conversation and its checkpoints",
    args: [SESSION_ARGUMENT],
    flags: RPC_FLAGS,
    load: async () => (await sessionTree()).branches,
  },
  {
    path: ["sessions", "checkpoint"],
    summary: "Give the present point of a conversation a name, or change a name there is",
    args: [SESSION_ARGUMENT, { name: "name", help: "At most 64 characters; the same name again moves it" }],
    flags: [
      { name: "rename", value: "name", help: "What the checkpoint of this name is called from now on" },
      { name: "remove", help: "Take the name away; what was said stays" },
      ...RPC_FLAGS,
    ],
    load: async () => (await sessionTree()).checkpoint,
  },
  {
    path: ["sessions", "rewind"],
    summary: "Go back in a conversation; what came after stays as a branch",
    args: [
      SESSION_ARGUMENT,
      { name: "point", isOptional: true, help: "A checkpoint, or an entry id; its first characters are enough" },
    ],
    flags: [
      { name: "turns", value: "count", kind: "number", preset: "1", help: "How many of your messages to take back" },
      ...RPC_FLAGS,
    ],
    load: async () => (await sessionTree()).rewind,
  },
  {
    path: ["sessions", "switch"],
    summary: "Go on in another branch of a conversation",
    args: [SESSION_ARGUMENT, { name: "point", help: "A checkpoint, or an entry id; its first characters are enough" }],
    flags: RPC_FLAGS,
    load: async () => (await sessionTree()).switchTo,
  },
];
