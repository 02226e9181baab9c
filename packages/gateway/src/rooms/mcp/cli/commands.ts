// Commands about MCP servers.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const mcp = () => import("./mcp.ts");
const change = () => import("./change.ts");

const NAME = { name: "name", help: "Of the server" };
const YES: FlagSpec = { name: "yes", short: "y", help: "Approve what it offers without being asked" };

export const commands: readonly CommandSpec[] = [
  { path: ["mcp"], summary: "Servers of the Model Context Protocol, whose tools agents use" },
  { path: ["mcp", "list"], summary: "Servers there are", flags: RPC_FLAGS, load: async () => (await mcp()).list },
  {
    path: ["mcp", "status"],
    summary: "How each of them is; none is started for it",
    args: [{ ...NAME, isOptional: true }],
    flags: RPC_FLAGS,
    load: async () => (await mcp()).status,
  },
  {
    path: ["mcp", "add"],
    summary: "Add a server: chela mcp add NAME -- PROGRAM ARGUMENTS, or with --server-url",
    args: [NAME, { name: "command", isOptional: true, repeats: true, help: "The program and its arguments, after --" }],
    flags: [
      { name: "server-url", value: "url", help: "The address of a server elsewhere" },
      {
        name: "transport",
        value: "name",
        choices: ["http", "sse"],
        help: "How it is spoken to; found out unless told",
      },
      { name: "env", value: "name=value", repeats: true, help: "A variable it gets" },
      { name: "header", value: "name=value", repeats: true, help: "A header that goes along" },
      { name: "host", value: "host", repeats: true, help: "A host it may reach from its sandbox" },
      { name: "write", value: "folder", repeats: true, help: "A folder it may change from its sandbox" },
      { name: "agent", value: "id", repeats: true, help: "Only for this agent" },
      YES,
      ...RPC_FLAGS,
    ],
    load: async () => (await change()).add,
  },
  {
    path: ["mcp", "set"],
    summary: "Change one key of a server, such as sandbox.mode off",
    args: [
      NAME,
      { name: "key", help: "As it stands below mcp.servers.NAME" },
      { name: "value", help: "JSON, or a text" },
    ],
    flags: RPC_FLAGS,
    load: async () => (await change()).set,
  },
  {
    path: ["mcp", "remove"],
    summary: "Remove a server",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await change()).remove,
  },
  {
    path: ["mcp", "enable"],
    summary: "Switch a server on",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await change()).enable,
  },
  {
    path: ["mcp", "disable"],
    summary: "Switch a server off",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await change()).disable,
  },
  {
    path: ["mcp", "doctor"],
    summary: "What is wrong with a server, and what to type",
    args: [{ ...NAME, isOptional: true }],
    flags: [{ name: "probe", help: "Start each of them for it" }, ...RPC_FLAGS],
    load: async () => (await mcp()).doctor,
  },
  {
    path: ["mcp", "probe"],
    summary: "Start a server and look at what it offers now",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await mcp()).probe,
  },
  {
    path: ["mcp", "tools"],
    summary: "Tools of a server, and what waits for a yes",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await mcp()).tools,
  },
  {
    path: ["mcp", "approve"],
    summary: "Let agents use what a server offers, after looking at what changed",
    args: [NAME],
    flags: [{ name: "tool", value: "name", repeats: true, help: "Only this tool" }, YES, ...RPC_FLAGS],
    load: async () => (await mcp()).approve,
  },
  {
    path: ["mcp", "revoke"],
    summary: "Take back what was approved of a server",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await mcp()).revoke,
  },
  {
    path: ["mcp", "login"],
    summary: "Sign in to a server in a browser",
    args: [NAME],
    flags: [
      { name: "code", value: "url", help: "The address the browser was sent back to, from another machine" },
      ...RPC_FLAGS,
    ],
    load: async () => (await mcp()).login,
  },
  {
    path: ["mcp", "logout"],
    summary: "Forget a sign-in",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await mcp()).logout,
  },
  {
    path: ["mcp", "reload"],
    summary: "Let go of all servers",
    flags: RPC_FLAGS,
    load: async () => (await mcp()).reload,
  },
  {
    path: ["mcp", "serve"],
    summary: "Be a server of MCP over standard input and output, for a program that starts one",
    flags: RPC_FLAGS.filter(({ name }) => name !== "json"),
    load: async () => (await import("../serve/stdio-door.ts")).serveOverStdio,
  },
];
