// Commands about channels: set them up, see how they do.
import { type CommandSpec, type FlagSpec, JSON_FLAG, RPC_FLAGS } from "@chela/sdk/command-line";
import { SETUP_FLAGS } from "../../rooms/channels/cli/channel-setup.ts";

const live = () => import("../../rooms/channels/cli/channels.ts");
const written = () => import("../commands/channels-config.ts");

const CHANNEL: FlagSpec = { name: "channel", value: "channel", help: "Which channel" };
const ACCOUNT: FlagSpec = { name: "account", value: "id", help: "Which account of it; the default one unless told" };

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
];
