// Commands about tools.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

export const commands: readonly CommandSpec[] = [
  { path: ["tools"], summary: "What agents may do" },
  {
    path: ["tools", "explain"],
    summary: "Whether a tool may be used, and which layer of the policy decides it",
    args: [{ name: "tool", help: "Such as exec" }],
    flags: [
      { name: "session", value: "key", help: "In this session; the agent's main one unless told" },
      { name: "agent", value: "id", help: "For this agent; the default one unless told" },
      ...RPC_FLAGS,
    ],
    load: async () => (await import("./tools-explain.ts")).run,
  },
];
