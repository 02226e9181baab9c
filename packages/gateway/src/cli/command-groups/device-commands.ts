// Commands about devices and their tokens.
import { type CommandSpec, JSON_FLAG, RPC_FLAGS } from "@chela/sdk/command-line";

const devices = () => import("../commands/devices.ts");

export const DEVICE_COMMANDS: readonly CommandSpec[] = [
  { path: ["devices"], summary: "Who has a key to the gateway" },
  {
    path: ["devices", "list"],
    summary: "Devices that wait and devices that are paired",
    flags: RPC_FLAGS,
    load: async () => (await devices()).list,
  },
  {
    path: ["devices", "approve"],
    summary: "Let a waiting device in",
    args: [{ name: "id", isOptional: true, help: "Of the request; its first characters are enough" }],
    flags: [{ name: "latest", help: "The newest request" }, ...RPC_FLAGS],
    load: async () => (await devices()).approve,
  },
  {
    path: ["devices", "reject"],
    summary: "Turn a waiting device away",
    args: [{ name: "id", help: "Of the request; its first characters are enough" }],
    flags: RPC_FLAGS,
    load: async () => (await devices()).reject,
  },
  {
    path: ["devices", "remove"],
    summary: "Forget a paired device and close its connections",
    args: [{ name: "device", help: "Its id; the first characters are enough" }],
    flags: RPC_FLAGS,
    load: async () => (await devices()).remove,
  },
  {
    path: ["devices", "clear"],
    summary: "Turn away all that wait, or forget all but this one",
    flags: [
      { name: "pending", help: "Those that wait" },
      { name: "yes", help: "All paired devices but this one" },
      ...RPC_FLAGS,
    ],
    load: async () => (await devices()).clear,
  },
  {
    path: ["devices", "rotate"],
    summary: "Give a device a new token",
    flags: [
      { name: "device", value: "id", help: "Which device (required)" },
      { name: "role", value: "role", preset: "operator", help: "operator or node" },
      { name: "scope", value: "scope", repeats: true, help: "What the token may do; may be given several times" },
      ...RPC_FLAGS,
    ],
    load: async () => (await devices()).rotate,
  },
  {
    path: ["devices", "revoke"],
    summary: "Take a device's token away",
    flags: [
      { name: "device", value: "id", help: "Which device (required)" },
      { name: "role", value: "role", preset: "operator", help: "operator or node" },
      ...RPC_FLAGS,
    ],
    load: async () => (await devices()).revoke,
  },
];

/** The setup code that pairs a phone. */
export const QR_COMMANDS: readonly CommandSpec[] = [
  {
    path: ["qr"],
    summary: "A setup code that pairs a phone: for one device, once, for ten minutes",
    flags: [
      { name: "url", value: "url", help: "The gateway's address as the phone can reach it (wss://…)" },
      { name: "public-url", value: "url", help: "The same" },
      { name: "remote", help: "Use gateway.remote.url" },
      { name: "name", value: "name", help: "What the device will be called" },
      { name: "role", value: "role", choices: ["operator", "node"], help: "As what it may connect; both when absent" },
      { name: "setup-code-only", help: "Print the code alone" },
      { name: "no-ascii", help: "Draw no picture" },
      ...RPC_FLAGS.filter(({ name }) => name !== "url" && name !== "json"),
      JSON_FLAG,
    ],
    load: async () => (await import("../commands/qr.ts")).qr,
  },
];
