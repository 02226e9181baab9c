// Commands about hooks: handlers on events.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const hooks = () => import("./hooks.ts");
const NAME = { name: "name", help: "Of the hook" } as const;

export const commands: readonly CommandSpec[] = [
  { path: ["hooks"], summary: "Handlers that run when something happens" },
  {
    path: ["hooks", "list"],
    summary: "Which hooks there are, and whether they run",
    flags: [
      { name: "eligible", help: "Only those that could run" },
      { name: "verbose", short: "v", help: "Also why one does not run, and what went wrong last" },
      ...RPC_FLAGS,
    ],
    load: async () => (await hooks()).list,
  },
  {
    path: ["hooks", "info"],
    summary: "One hook: what it hears, what it needs, where it lies",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await hooks()).info,
  },
  {
    path: ["hooks", "check"],
    summary: "How many hooks could run, and what the others lack",
    flags: RPC_FLAGS,
    load: async () => (await hooks()).check,
  },
  {
    path: ["hooks", "enable"],
    summary: "Switch a hook on; one in a workspace as its files are now",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await hooks()).enable,
  },
  {
    path: ["hooks", "disable"],
    summary: "Switch a hook off",
    args: [NAME],
    flags: RPC_FLAGS,
    load: async () => (await hooks()).disable,
  },
];
