// Commands about events, heartbeats and who is connected.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const system = () => import("./system.ts");

export const commands: readonly CommandSpec[] = [
  { path: ["system"], summary: "Events, heartbeats and who is connected" },
  {
    path: ["system", "event"],
    summary: "Tell the agent of something that happened",
    flags: [
      { name: "text", value: "text", help: "What happened (required)" },
      {
        name: "mode",
        value: "mode",
        choices: ["now", "next-heartbeat"],
        preset: "next-heartbeat",
        help: "Whether the agent tells of it at once",
      },
      ...RPC_FLAGS,
    ],
    load: async () => (await system()).event,
  },
  { path: ["system", "heartbeat"], summary: "What agents look after by themselves" },
  {
    path: ["system", "heartbeat", "last"],
    summary: "What the last heartbeat did",
    flags: RPC_FLAGS,
    load: async () => (await system()).last,
  },
  {
    path: ["system", "heartbeat", "status"],
    summary: "When each agent's next heartbeat is, and what the last one did",
    flags: RPC_FLAGS,
    load: async () => (await system()).status,
  },
  {
    path: ["system", "heartbeat", "enable"],
    summary: "Switch heartbeats on",
    flags: RPC_FLAGS,
    load: async () => (await system()).enable,
  },
  {
    path: ["system", "heartbeat", "disable"],
    summary: "Switch heartbeats off until the gateway starts again",
    flags: RPC_FLAGS,
    load: async () => (await system()).disable,
  },
  {
    path: ["system", "presence"],
    summary: "Who is connected, or was lately",
    flags: RPC_FLAGS,
    load: async () => (await system()).presence,
  },
];
