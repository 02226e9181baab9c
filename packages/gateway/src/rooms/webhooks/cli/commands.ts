// Commands about webhooks: what other programs may send over HTTP.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const webhooks = () => import("./webhooks.ts");

export const commands: readonly CommandSpec[] = [
  { path: ["webhooks"], summary: "What other programs may send over HTTP" },
  {
    path: ["webhooks", "list"],
    summary: "Which webhooks there are, how each is opened, and what came last",
    flags: RPC_FLAGS,
    load: async () => (await webhooks()).list,
  },
  {
    path: ["webhooks", "test"],
    summary: "Try a webhook: what it would tell whom. Nothing happens without --send",
    args: [{ name: "webhook", help: "As `chela webhooks list` names it, or what stands behind hooks.path" }],
    flags: [
      { name: "file", value: "file", help: "The body to try; - for stdin. A sample unless told" },
      { name: "header", value: "name:value", repeats: true, help: "A header; may be given several times" },
      { name: "send", help: "Sign it as its sender would, and really let it in" },
      ...RPC_FLAGS,
    ],
    load: async () => (await webhooks()).test,
  },
];
