// Flags and arguments that several groups of commands have in common.
import type { FlagSpec } from "../command-spec.ts";

export const GLOBAL_FLAGS: readonly FlagSpec[] = [
  { name: "profile", value: "name", help: "Use the state of this profile (~/.openclaw-<name>)" },
  { name: "dev", help: "Use the development profile, with a port of its own" },
  { name: "no-color", help: "Plain text without colours" },
  { name: "help", short: "h", help: "Show this help" },
];

export const JSON_FLAG: FlagSpec = { name: "json", help: "Print JSON for programs" };

export const RPC_FLAGS: readonly FlagSpec[] = [
  { name: "url", value: "url", help: "Address of the gateway (ws:// or wss://); needs --token or --password" },
  { name: "token", value: "token", help: "Token of the gateway" },
  { name: "password", value: "password", help: "Password of the gateway" },
  { name: "timeout", value: "ms", kind: "number", preset: "10000", help: "How long to wait for the gateway" },
  JSON_FLAG,
];
