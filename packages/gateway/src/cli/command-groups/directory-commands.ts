// Commands about whom a message would reach, and which agent it would get.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const directory = () => import("../../rooms/channels/cli/directory.ts");

const CHANNEL: FlagSpec = { name: "channel", value: "channel", help: "Which channel" };
const ACCOUNT: FlagSpec = { name: "account", value: "id", help: "Which account of it; the default one unless told" };
const LIMIT: FlagSpec = { name: "limit", value: "count", kind: "number", help: "How many at most" };
const QUERY: FlagSpec = { name: "query", value: "text", help: "Part of the name" };

export const DIRECTORY_COMMANDS: readonly CommandSpec[] = [
  { path: ["routing"], summary: "Where messages from channels go" },
  {
    path: ["routing", "explain"],
    summary: "Which agent and session a message would get, and why",
    flags: [
      CHANNEL,
      ACCOUNT,
      { name: "peer", value: "kind:id", help: "The chat: direct:<id>, group:<id> or channel:<id> (required)" },
      { name: "sender", value: "id", help: "Who writes, in a group" },
      { name: "thread-id", value: "id", help: "Thread or topic" },
      { name: "parent-id", value: "id", help: "The chat a thread belongs to" },
      { name: "guild-id", value: "id", help: "Guild of the chat" },
      { name: "team-id", value: "id", help: "Team of the chat" },
      { name: "role", value: "id", repeats: true, help: "Role of the sender; may be given several times" },
      ...RPC_FLAGS,
    ],
    load: async () => (await import("../../rooms/channels/cli/routing-explain.ts")).run,
  },
  { path: ["directory"], summary: "Whom an account knows" },
  {
    path: ["directory", "self"],
    summary: "Who the account is",
    flags: [CHANNEL, ACCOUNT, ...RPC_FLAGS],
    load: async () => (await directory()).self,
  },
  { path: ["directory", "peers"], summary: "People" },
  {
    path: ["directory", "peers", "list"],
    summary: "People the account can write to",
    flags: [CHANNEL, ACCOUNT, QUERY, LIMIT, ...RPC_FLAGS],
    load: async () => (await directory()).peers,
  },
  { path: ["directory", "groups"], summary: "Groups" },
  {
    path: ["directory", "groups", "list"],
    summary: "Groups the account is in",
    flags: [CHANNEL, ACCOUNT, QUERY, LIMIT, ...RPC_FLAGS],
    load: async () => (await directory()).groups,
  },
  {
    path: ["directory", "groups", "members"],
    summary: "Who is in a group",
    flags: [CHANNEL, ACCOUNT, { name: "group-id", value: "id", help: "Which group (required)" }, LIMIT, ...RPC_FLAGS],
    load: async () => (await directory()).members,
  },
];
