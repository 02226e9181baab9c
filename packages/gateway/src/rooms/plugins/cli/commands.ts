// Commands about plugins: code of others.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const plugins = () => import("./plugins.ts");
const ID = { name: "id", help: "Of the plugin" } as const;

export const commands: readonly CommandSpec[] = [
  { path: ["plugins"], summary: "Code of others that extends the gateway" },
  {
    path: ["plugins", "list"],
    summary: "Which plugins there are, and whether they run",
    flags: [
      { name: "enabled", help: "Only those that run" },
      { name: "verbose", short: "v", help: "Also what each brings, and what is odd about it" },
      ...RPC_FLAGS,
    ],
    load: async () => (await plugins()).list,
  },
  {
    path: ["plugins", "inspect"],
    summary: "One plugin: what it brings, what it may do, which walls stand around it",
    args: [ID],
    flags: RPC_FLAGS,
    load: async () => (await plugins()).inspect,
  },
  {
    path: ["plugins", "approve"],
    summary: "Say what a plugin may do, for its files as they are now",
    args: [ID],
    flags: [
      { name: "yes", short: "y", help: "Everything it seems to need, without being asked" },
      { name: "none", help: "Nothing at all, besides what the other flags say" },
      {
        name: "host",
        value: "host",
        repeats: true,
        help: "A host it may reach; * for the whole network of this machine",
      },
      { name: "read", value: "path", repeats: true, help: "A path it may read" },
      { name: "write", value: "path", repeats: true, help: "A path it may write to" },
      { name: "env", value: "name", repeats: true, help: "A variable it is given" },
      { name: "section", value: "key", repeats: true, help: "A section of the configuration it may change" },
      { name: "exec", help: "It may start other programs" },
      { name: "native", help: "It may load parts that are no JavaScript" },
      { name: "conversation", help: "Its hooks may hear and change what is said" },
      ...RPC_FLAGS,
    ],
    load: async () => (await plugins()).approve,
  },
  {
    path: ["plugins", "enable"],
    summary: "Switch a plugin on",
    args: [ID],
    flags: RPC_FLAGS,
    load: async () => (await plugins()).enable,
  },
  {
    path: ["plugins", "disable"],
    summary: "Switch a plugin off",
    args: [ID],
    flags: RPC_FLAGS,
    load: async () => (await plugins()).disable,
  },
  {
    path: ["plugins", "doctor"],
    summary: "What is wrong with plugins, and what to type",
    flags: RPC_FLAGS,
    load: async () => (await plugins()).doctor,
  },
];
