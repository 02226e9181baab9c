// Commands about the audit trail: what happened, whether it is still as it was written, and copies of it.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const audit = () => import("../audit/audit.ts");
const WHICH: readonly FlagSpec[] = [
  { name: "since", value: "time", help: "Not before this: 2d, 12h, or a date such as 2026-01-31" },
  { name: "until", value: "time", help: "Only before this, written the same way" },
  {
    name: "action",
    value: "kind",
    repeats: true,
    choices: [
      "tool",
      "model",
      "approval",
      "config",
      "credential",
      "pairing",
      "login",
      "delivery",
      "sandbox",
      "people",
      "memory",
      "audit",
    ],
    help: "Only of this kind; may be given several times",
  },
  { name: "actor", value: "who", help: "Only what this one did, such as telegram:default:123 or cron:<job>" },
  { name: "agent", value: "id", help: "Only of this agent" },
  { name: "session", value: "key", help: "Only in this session" },
  { name: "channel", value: "channel", help: "Only on this channel" },
  { name: "trace", value: "id", help: "Only what this run did" },
  { name: "search", value: "text", help: "Only with this text in the target or the details" },
  { name: "denied", help: "Only what was refused" },
  { name: "failed", help: "Only what failed" },
];

export const AUDIT_COMMANDS: readonly CommandSpec[] = [
  { path: ["audit"], summary: "Who did what, and whether that was changed afterwards" },
  {
    path: ["audit", "list"],
    summary: "Events of the audit trail, the newest first",
    flags: [
      ...WHICH,
      { name: "limit", value: "count", kind: "number", preset: "50", help: "How many, at most 1000" },
      ...RPC_FLAGS,
    ],
    load: async () => (await audit()).list,
  },
  {
    path: ["audit", "verify"],
    summary: "Check that no event was changed, added or taken away",
    flags: [
      { name: "against", value: "file", help: "Also compare with a file that `chela audit export` wrote earlier" },
      ...RPC_FLAGS,
    ],
    load: async () => (await audit()).verify,
  },
  {
    path: ["audit", "export"],
    summary: "Write events as lines of JSON; the last line has the hash to keep elsewhere",
    flags: [...WHICH, { name: "to", value: "file", help: "Into this file; to the output unless told" }, ...RPC_FLAGS],
    load: async () => (await audit()).exportTrail,
  },
];
