// Flags of every command.
import type { FlagSpec } from "@chela/sdk/command-line";

export const GLOBAL_FLAGS: readonly FlagSpec[] = [
  { name: "profile", value: "name", help: "Use the state of this profile (~/.openclaw-<name>)" },
  { name: "dev", help: "Use the development profile, with a port of its own" },
  { name: "no-color", help: "Plain text without colours" },
  { name: "help", short: "h", help: "Show this help" },
];
