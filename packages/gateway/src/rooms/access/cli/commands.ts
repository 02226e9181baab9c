// Commands about people who wait to be let in.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const pairing = () => import("./pairing.ts");

const CHANNEL: FlagSpec = { name: "channel", value: "channel", help: "Which channel" };
const ACCOUNT: FlagSpec = { name: "account", value: "id", help: "Which account of it; the default one unless told" };
const CODE_ARGS = [
  { name: "channel", help: "Which channel; or the code alone, with --channel" },
  { name: "code", isOptional: true, help: "The code the person was told" },
] as const;

export const commands: readonly CommandSpec[] = [
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
];
