// Commands about credentials: what is in the vault, and what lies outside of it.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const credentials = () => import("../commands/credential.ts");
const moving = () => import("../commands/credential-move.ts");
const ID = { name: "id", help: "As `chela credential list` shows it" };

export const CREDENTIAL_COMMANDS: readonly CommandSpec[] = [
  { path: ["credential"], summary: "Keys and tokens: the vault, and pointers to secrets elsewhere" },
  {
    path: ["credential", "list"],
    summary: "All credentials, their health, and who uses them; never a value",
    flags: RPC_FLAGS,
    load: async () => (await credentials()).list,
  },
  {
    path: ["credential", "add"],
    summary: "Keep a value (asked for, or piped in), or a pointer to one",
    args: [{ name: "id", help: "A name of your own, such as openai or telegram/bot" }],
    flags: [
      { name: "service", value: "name", help: "Whose credential it is; what stands before / in the id unless told" },
      { name: "account", value: "name", help: "Which account, for people" },
      { name: "capability", value: "word", repeats: true, help: "What it is good for; may be given several times" },
      {
        name: "origin",
        value: "address",
        help: "The only address it may be sent to, or any; that of the service unless told",
      },
      { name: "env", value: "name", help: "It is in this variable" },
      { name: "file", value: "path", help: "It is in this file, which only you can read" },
      { name: "exec", value: "program", help: "This program prints it; its arguments follow with --arg" },
      { name: "arg", value: "text", repeats: true, help: "An argument of the program; may be given several times" },
      { name: "op", value: "reference", help: "1Password has it: op://vault/item/field" },
      { name: "pass", value: "name", help: "pass has it under this name" },
      { name: "gopass", value: "name", help: "gopass has it under this name" },
      { name: "keyring", value: "service/account", help: "The keyring of the system has it" },
      { name: "replace", help: "In place of one of the same id" },
      ...RPC_FLAGS,
    ],
    load: async () => (await credentials()).add,
  },
  {
    path: ["credential", "remove"],
    summary: "Remove a credential",
    args: [ID],
    flags: [{ name: "force", help: "Even when something refers to it" }, ...RPC_FLAGS],
    load: async () => (await credentials()).remove,
  },
  {
    path: ["credential", "verify"],
    summary: "Ask the service whether it takes a credential; all of them unless one is named",
    args: [{ ...ID, isOptional: true }],
    flags: RPC_FLAGS,
    load: async () => (await credentials()).verify,
  },
  {
    path: ["credential", "rotate"],
    summary: "Close all values with a new key",
    flags: [
      {
        name: "key",
        value: "keeper",
        choices: ["file", "keyring", "passphrase"],
        help: "Who keeps the key from now on; as before unless told",
      },
      ...RPC_FLAGS,
    ],
    load: async () => (await credentials()).rotate,
  },
  {
    path: ["credential", "import"],
    summary: "Move secrets that lie in files in plain text into the vault",
    flags: [{ name: "dry-run", help: "Only show what would be moved" }, ...RPC_FLAGS],
    load: async () => (await moving()).moveIn,
  },
  {
    path: ["credential", "export"],
    summary: "Write OpenClaw's files with plain secrets into a directory",
    flags: [
      { name: "openclaw", value: "directory", help: "Where to (required); it must not exist yet, or be empty" },
      { name: "yes", help: "Without asking" },
    ],
    load: async () => (await moving()).moveOut,
  },
];
