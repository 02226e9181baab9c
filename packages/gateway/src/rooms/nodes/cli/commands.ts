// Commands about nodes.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const nodes = () => import("./nodes.ts");

const NODE: FlagSpec = { name: "node", value: "id", help: "Which node: its id, the start of it, its name or address" };
const CONNECTED: FlagSpec = { name: "connected", help: "Only those that are connected" };
const REQUEST = { name: "id", help: "Of the request; its first characters are enough" };
const INVOKE_TIMEOUT: FlagSpec = {
  name: "invoke-timeout",
  value: "ms",
  kind: "number",
  preset: "15000",
  help: "How long the node may take",
};

export const commands: readonly CommandSpec[] = [
  { path: ["nodes"], summary: "Devices that do things for agents" },
  {
    path: ["nodes", "list"],
    summary: "Nodes that are paired or connected",
    flags: [CONNECTED, ...RPC_FLAGS],
    load: async () => (await nodes()).list,
  },
  {
    path: ["nodes", "status"],
    summary: "The same",
    flags: [CONNECTED, ...RPC_FLAGS],
    load: async () => (await nodes()).list,
  },
  {
    path: ["nodes", "describe"],
    summary: "One node, and what it offers",
    flags: [NODE, ...RPC_FLAGS],
    load: async () => (await nodes()).describe,
  },
  {
    path: ["nodes", "pending"],
    summary: "Nodes that wait to be let in, or ask for more",
    flags: RPC_FLAGS,
    load: async () => (await nodes()).pending,
  },
  {
    path: ["nodes", "approve"],
    summary: "Approve what a node asks for",
    args: [REQUEST],
    flags: RPC_FLAGS,
    load: async () => (await nodes()).approve,
  },
  {
    path: ["nodes", "reject"],
    summary: "Turn it down",
    args: [REQUEST],
    flags: RPC_FLAGS,
    load: async () => (await nodes()).reject,
  },
  {
    path: ["nodes", "rename"],
    summary: "Give a node another name",
    flags: [NODE, { name: "name", value: "name", help: "The new name (required)" }, ...RPC_FLAGS],
    load: async () => (await nodes()).rename,
  },
  {
    path: ["nodes", "remove"],
    summary: "Forget a node and close its connections",
    flags: [NODE, ...RPC_FLAGS],
    load: async () => (await nodes()).remove,
  },
  {
    path: ["nodes", "invoke"],
    summary: "Ask a node to do something it offers",
    flags: [
      NODE,
      { name: "command", value: "name", help: "What to do; `chela nodes describe` shows what it offers (required)" },
      { name: "params", value: "json", preset: "{}", help: "What the command needs" },
      { name: "idempotency-key", value: "key", help: "Told to the node, so that it can do it once" },
      INVOKE_TIMEOUT,
      ...RPC_FLAGS,
    ],
    load: async () => (await nodes()).invoke,
  },
  {
    path: ["nodes", "notify"],
    summary: "Show a message on a node",
    flags: [
      NODE,
      { name: "title", value: "text", help: "The first line" },
      { name: "body", value: "text", help: "What it says" },
      { name: "sound", value: "name", help: "A sound of the node" },
      { name: "priority", value: "level", choices: ["passive", "active", "timeSensitive"], help: "How urgent it is" },
      {
        name: "delivery",
        value: "way",
        choices: ["system", "overlay", "auto"],
        preset: "system",
        help: "How it is shown",
      },
      INVOKE_TIMEOUT,
      ...RPC_FLAGS,
    ],
    load: async () => (await nodes()).notify,
  },
];
