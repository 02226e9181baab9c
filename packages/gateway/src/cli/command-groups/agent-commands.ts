// Commands about agents: who there is, what they spent, why a turn went as it did.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const agents = () => import("../commands/agents.ts");

export const AGENT_COMMANDS: readonly CommandSpec[] = [
  { path: ["agents"], summary: "Who answers" },
  {
    path: ["agents", "list"],
    summary: "Agents, their models and workspaces",
    flags: [{ name: "bindings", help: "Also where each of them answers" }, ...RPC_FLAGS],
    load: async () => (await agents()).list,
  },
  {
    path: ["agents", "add"],
    summary: "Add an agent with a workspace of its own",
    args: [{ name: "name", help: "Its name; the id is made from it" }],
    flags: [
      { name: "workspace", value: "dir", help: "Where it works; in the state directory unless told" },
      { name: "model", value: "model", help: "Its model; the usual one unless told" },
      { name: "agent-dir", value: "dir", help: "Where its own settings are kept" },
      { name: "bind", value: "channel[:account]", repeats: true, help: "Where it answers; may be given several times" },
      { name: "non-interactive", help: "Taken for compatibility; nothing is asked" },
      ...RPC_FLAGS,
    ],
    load: async () => (await agents()).add,
  },
  {
    path: ["agents", "delete"],
    summary: "Remove an agent; its sessions and files go to the trash folder",
    args: [{ name: "id", help: "Of the agent" }],
    flags: [{ name: "force", help: "Do not ask" }, ...RPC_FLAGS],
    load: async () => (await agents()).remove,
  },
  {
    path: ["agents", "set-identity"],
    summary: "Give an agent a name, an emoji, a picture or a theme",
    flags: [
      { name: "agent", value: "id", help: "Which agent; the default one unless told" },
      { name: "workspace", value: "dir", help: "The agent that works there" },
      { name: "identity-file", value: "file", help: "Read them from this file" },
      { name: "from-identity", help: "Read them from IDENTITY.md in the workspace" },
      { name: "name", value: "name", help: "How it is called" },
      { name: "theme", value: "text", help: "What it is like" },
      { name: "emoji", value: "emoji", help: "Its sign" },
      { name: "avatar", value: "picture", help: "Emoji, http(s) or data address, or a picture in the workspace" },
      ...RPC_FLAGS,
    ],
    load: async () => (await agents()).setIdentity,
  },
  {
    path: ["usage"],
    summary: "What was spent by whom, and what is left of the budgets",
    flags: [
      {
        name: "by",
        value: "what",
        choices: ["agent", "session", "channel", "person", "job", "model", "provider"],
        preset: "agent",
        help: "What is counted together",
      },
      { name: "days", value: "count", kind: "number", preset: "30", help: "How many days, today included" },
      ...RPC_FLAGS,
    ],
    load: async () => (await import("../commands/usage.ts")).run,
  },
  {
    path: ["explain"],
    summary: "How a turn came about: route, prompt, models, tools, cost, delivery",
    args: [{ name: "id", help: "Of the run or of the message; the first characters of a run are enough" }],
    flags: RPC_FLAGS,
    load: async () => (await import("../commands/explain.ts")).run,
  },
];
