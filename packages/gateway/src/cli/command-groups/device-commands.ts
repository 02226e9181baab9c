// Commands about devices and their tokens.
import type { CommandSpec } from "../command-spec.ts";
import { RPC_FLAGS } from "./shared-flags.ts";

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
