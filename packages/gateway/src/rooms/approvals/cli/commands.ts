// Commands about what may run with a person's yes.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const approvals = () => import("./approvals.ts");
const approvalsFile = () => import("./approvals-file.ts");
const APPROVALS_FLAGS: readonly FlagSpec[] = [
  { name: "gateway", help: "The file of the gateway (the usual)" },
  { name: "node", value: "id", help: "The file of a node; there are none yet" },
  ...RPC_FLAGS,
];
const ALLOW_LIST_FLAGS: readonly FlagSpec[] = [
  { name: "agent", value: "id", preset: "*", help: "Whose list; * is every agent" },
  ...APPROVALS_FLAGS,
];

export const commands: readonly CommandSpec[] = [
  { path: ["approvals"], summary: "Which commands the agent may run" },
  {
    path: ["approvals", "list"],
    summary: "Commands that wait for a yes, in full",
    flags: RPC_FLAGS,
    load: async () => (await approvals()).list,
  },
  {
    path: ["approvals", "approve"],
    summary: "Let a waiting command run",
    args: [{ name: "id", help: "Of the question; its first four characters are enough" }],
    flags: [{ name: "always", help: "And from now on without asking" }, ...RPC_FLAGS],
    load: async () => (await approvals()).approve,
  },
  {
    path: ["approvals", "deny"],
    summary: "Refuse a waiting command",
    args: [{ name: "id", help: "Of the question; its first four characters are enough" }],
    flags: RPC_FLAGS,
    load: async () => (await approvals()).deny,
  },
  {
    path: ["approvals", "get"],
    summary: "Rules and allow-lists",
    flags: APPROVALS_FLAGS,
    load: async () => (await approvalsFile()).get,
  },
  {
    path: ["approvals", "set"],
    summary: "Replace rules and allow-lists by a JSON document",
    flags: [
      { name: "file", value: "file", help: "Read it from this file" },
      { name: "stdin", help: "Read it from the input" },
      ...APPROVALS_FLAGS,
    ],
    load: async () => (await approvalsFile()).set,
  },
  {
    path: ["approvals", "accept"],
    summary: "Believe what somebody else wrote into the file of approvals",
    flags: APPROVALS_FLAGS,
    load: async () => (await approvalsFile()).accept,
  },
  { path: ["approvals", "allowlist"], summary: "Programs that may run without asking" },
  {
    path: ["approvals", "allowlist", "add"],
    summary: "Allow a program",
    args: [{ name: "pattern", help: "Such as /usr/bin/ls, or ls" }],
    flags: ALLOW_LIST_FLAGS,
    load: async () => (await approvalsFile()).add,
  },
  {
    path: ["approvals", "allowlist", "remove"],
    summary: "Allow a program no longer",
    args: [{ name: "pattern", help: "As `chela approvals get` shows it" }],
    flags: ALLOW_LIST_FLAGS,
    load: async () => (await approvalsFile()).remove,
  },
];
