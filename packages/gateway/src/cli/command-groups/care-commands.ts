// Commands that look after the state directory and the shell.
import { type CommandSpec, JSON_FLAG } from "@chela/sdk/command-line";

export const CARE_COMMANDS: readonly CommandSpec[] = [
  {
    path: ["doctor"],
    summary: "Check everything and say what to do",
    flags: [
      { name: "fix", help: "Put right what can be put right safely" },
      { name: "repair", help: "Same as --fix" },
      { name: "deep", help: "Taken for compatibility; every check is always made" },
      { name: "yes", help: "Taken for compatibility; nothing is asked" },
      { name: "non-interactive", help: "Taken for compatibility; nothing is asked" },
      { name: "force", help: "Taken for compatibility; nothing is asked" },
      { name: "no-workspace-suggestions", help: "Taken for compatibility; there are none" },
      { name: "generate-gateway-token", help: "Taken for compatibility; a start makes a token when there is none" },
      JSON_FLAG,
    ],
    load: async () => (await import("../commands/doctor.ts")).run,
  },
  {
    path: ["import"],
    summary: "Take conversations from OpenClaw files into the ledger",
    flags: [
      { name: "report", help: "What the first start on this directory found and took over, and what was merged since" },
      { name: "from", value: "dir", help: "State directory to read; this one unless told" },
      JSON_FLAG,
    ],
    load: async () => (await import("../state/import.ts")).run,
  },
  {
    path: ["export"],
    summary: "Write conversations as OpenClaw files, or hand out what is new",
    flags: [
      { name: "to", value: "dir", help: "Write everything into this directory" },
      { name: "state", value: "file", help: "Print what is new since the last time, and remember it in this file" },
      { name: "follow", help: "With --state: go on until Ctrl-C" },
      JSON_FLAG,
    ],
    load: async () => (await import("../state/export.ts")).run,
  },
  {
    path: ["sql"],
    summary: "Ask the ledger with SQL, read-only; without a question: what can be asked",
    args: [
      {
        name: "query",
        isOptional: true,
        help: "A SELECT over the views sessions, turns, runs, tool_calls, costs and deliveries",
      },
    ],
    flags: [
      { name: "limit", value: "rows", kind: "number", preset: "1000", help: "At most so many rows" },
      { name: "timeout", value: "ms", kind: "number", preset: "30000", help: "At most so long" },
      { name: "csv", help: "As CSV, with a line of names" },
      JSON_FLAG,
    ],
    load: async () => (await import("../state/sql.ts")).run,
  },
  { path: ["backup"], summary: "Copies of the ledger" },
  {
    path: ["backup", "create"],
    summary: "Copy the ledger to a file, also while the gateway runs",
    flags: [{ name: "output", value: "file", help: "Where to; beside the ledger unless told" }, JSON_FLAG],
    load: async () => (await import("../state/backup-create.ts")).run,
  },
  {
    path: ["completion"],
    summary: "Print a script that completes commands in your shell",
    flags: [
      {
        name: "shell",
        short: "s",
        value: "shell",
        choices: ["bash", "zsh", "fish", "powershell"],
        help: "Which shell; the one of $SHELL unless told",
      },
    ],
    load: async () => (await import("../commands/completion.ts")).run,
  },
];
