// Commands about models that make vectors on this machine, and are fetched once.
import type { CommandSpec } from "@chela/sdk/command-line";

const models = () => import("../commands/memory-model.ts");

export const MEMORY_MODEL_COMMANDS: readonly CommandSpec[] = [
  {
    path: ["memory", "model"],
    summary: "Models that make vectors on this machine, fetched once",
  },
  {
    path: ["memory", "model", "list"],
    summary: "Which models there are, and which is installed",
    flags: [{ name: "json", help: "As JSON" }],
    load: async () => (await models()).list,
  },
  {
    path: ["memory", "model", "install"],
    summary: "Fetch a model: multilingual reads a hundred languages",
    args: [{ name: "model", help: "multilingual" }],
    flags: [
      { name: "from", value: "address", help: "Take the files from this address instead" },
      { name: "yes", help: "Do not ask first" },
    ],
    load: async () => (await models()).install,
  },
  {
    path: ["memory", "model", "remove"],
    summary: "Remove a model; the one that comes along makes vectors again",
    args: [{ name: "model", help: "multilingual" }],
    load: async () => (await models()).remove,
  },
];
