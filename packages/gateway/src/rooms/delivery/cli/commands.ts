// Commands about messages on their way to channels.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const deliveries = () => import("./deliveries.ts");

const DELIVERY_FLAGS: readonly FlagSpec[] = [
  {
    name: "state",
    value: "state",
    choices: ["pending", "delivered", "undeliverable"],
    help: "Only those that wait, arrived, or were given up",
  },
  { name: "channel", value: "channel", help: "Which channel" },
  { name: "limit", value: "count", kind: "number", help: "How many at most", preset: "50" },
  ...RPC_FLAGS,
];

export const commands: readonly CommandSpec[] = [
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
];
