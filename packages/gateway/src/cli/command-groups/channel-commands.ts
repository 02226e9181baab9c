// Commands about channels: set them up, see how they do, let people in, follow messages.
import { SETUP_FLAGS } from "../channel-setup.ts";
import type { CommandSpec, FlagSpec } from "../command-spec.ts";
import { JSON_FLAG, RPC_FLAGS } from "./shared-flags.ts";

const live = () => import("../commands/channels.ts");
const written = () => import("../commands/channels-config.ts");
const pairing = () => import("../commands/pairing.ts");
const deliveries = () => import("../commands/deliveries.ts");
const directory = () => import("../commands/directory.ts");

const CHANNEL: FlagSpec = { name: "channel", value: "channel", help: "Which channel" };
const ACCOUNT: FlagSpec = { name: "account", value: "id", help: "Which account of it; the default one unless told" };
const LIMIT: FlagSpec = { name: "limit", value: "count", kind: "number", help: "How many at most" };
const QUERY: FlagSpec = { name: "query", value: "text", help: "Part of the name" };
const CODE_ARGS = [
  { name: "channel", help: "Which channel; or the code alone, with --channel" },
  { name: "code", isOptional: true, help: "The code the person was told" },
] as const;
const DELIVERY_FLAGS: readonly FlagSpec[] = [
  {
    name: "state",
    value: "state",
    choices: ["pending", "delivered", "undeliverable"],
    help: "Only those that wait, arrived, or were given up",
  },
  CHANNEL,
  { ...LIMIT, preset: "50" },
  ...RPC_FLAGS,
];

export const CHANNEL_COMMANDS: readonly CommandSpec[] = [
  { path: ["channels"], summary: "The messaging platforms the gateway is connected to" },
  {
    path: ["channels", "list"],
    summary: "Accounts in the configuration, and whether they are complete",
    flags: [{ name: "no-usage", help: "Taken for compatibility" }, JSON_FLAG],
    load: async () => (await written()).list,
  },
  {
    path: ["channels", "status"],
    summary: "How every account does at the running gateway",
    flags: [{ name: "probe", help: "Ask the platforms, too" }, ...RPC_FLAGS],
    load: async () => (await live()).status,
  },
  {
    path: ["channels", "add"],
    summary: "Put an account of a channel into the configuration; a secret it needs is asked for, or piped in",
    args: [{ name: "channel", isOptional: true, help: "Such as telegram; `chela channels list` names all" }],
    flags: [
      CHANNEL,
      ACCOUNT,
      { name: "use-env", help: "Leave the secret in the environment variable the channel reads" },
      { name: "token", value: "token", help: "The channel's own token; better typed when asked" },
      ...SETUP_FLAGS,
      { name: "set", value: "key=value", repeats: true, help: "Any other setting; may be given several times" },
      JSON_FLAG,
    ],
    load: async () => (await written()).add,
  },
  {
    path: ["channels", "remove"],
    summary: "Switch a channel or an account off; --delete takes its settings out of the configuration",
    args: [{ name: "channel", isOptional: true, help: "Which channel" }],
    flags: [CHANNEL, ACCOUNT, { name: "delete", help: "Remove the settings, too" }, JSON_FLAG],
    load: async () => (await written()).remove,
  },
  {
    path: ["channels", "login"],
    summary: "Link an account by a picture to scan or a code to type",
    flags: [
      { ...CHANNEL, help: "Which channel; the first that is linked in this way unless told" },
      ACCOUNT,
      { name: "force", help: "Link anew, even if it is linked" },
      { name: "verbose", help: "Taken for compatibility" },
      ...RPC_FLAGS,
    ],
    load: async () => (await live()).login,
  },
  {
    path: ["channels", "logout"],
    summary: "End the link of an account and forget its credentials",
    flags: [CHANNEL, ACCOUNT, ...RPC_FLAGS],
    load: async () => (await live()).logout,
  },
  {
    path: ["channels", "logs"],
    summary: "What the gateway's log says about channels",
    flags: [
      { ...CHANNEL, preset: "all" },
      { name: "lines", value: "count", kind: "number", preset: "200", help: "How many lines" },
      { name: "local-time", help: "Times of this machine instead of UTC" },
      ...RPC_FLAGS,
    ],
    load: async () => (await import("../commands/logs.ts")).runForChannels,
  },
  {
    path: ["channels", "capabilities"],
    summary: "What each channel can do",
    flags: [CHANNEL, ACCOUNT, ...RPC_FLAGS],
    load: async () => (await live()).capabilities,
  },
  {
    path: ["channels", "resolve"],
    summary: "What names in allow-lists mean: their ids",
    args: [{ name: "entry", repeats: true, help: "As it would stand in allowFrom or groups" }],
    flags: [
      CHANNEL,
      ACCOUNT,
      { name: "kind", value: "kind", choices: ["auto", "user", "group"], preset: "auto", help: "What is looked for" },
      ...RPC_FLAGS,
    ],
    load: async () => (await live()).resolve,
  },
  { path: ["pairing"], summary: "People who wrote to the bot and wait to be let in" },
  {
    path: ["pairing", "list"],
    summary: "Who waits, with the codes to approve",
    args: [{ name: "channel", isOptional: true, help: "Only of this channel" }],
    flags: [CHANNEL, ACCOUNT, ...RPC_FLAGS],
    load: async () => (await pairing()).list,
  },
  {
    path: ["pairing", "approve"],
    summary: "Let somebody in",
    args: CODE_ARGS,
    flags: [CHANNEL, ACCOUNT, { name: "notify", help: "Tell them" }, ...RPC_FLAGS],
    load: async () => (await pairing()).approve,
  },
  {
    path: ["pairing", "reject"],
    summary: "Forget a request; the person may ask again",
    args: CODE_ARGS,
    flags: [CHANNEL, ACCOUNT, ...RPC_FLAGS],
    load: async () => (await pairing()).reject,
  },
  {
    path: ["deliveries"],
    summary: "Messages on their way to channels",
    flags: DELIVERY_FLAGS,
    load: async () => (await deliveries()).list,
  },
  {
    path: ["deliveries", "list"],
    summary: "The same",
    flags: DELIVERY_FLAGS,
    load: async () => (await deliveries()).list,
  },
  {
    path: ["deliveries", "resend"],
    summary: "Try a message again that could not be delivered",
    args: [{ name: "id", help: "As `chela deliveries` shows it" }],
    flags: RPC_FLAGS,
    load: async () => (await deliveries()).resend,
  },
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
    load: async () => (await import("../commands/routing-explain.ts")).run,
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
