// The tools with which an agent starts and directs sub-agents, as they are offered; what they do is loaded with the first use.
import * as z from "zod";
import { once, type Tool } from "@chela/sdk";
import type { House } from "../../house/house.ts";

type SubagentsHouse = Pick<House, "subagents">;

const SpawnParameters = once(() =>
  z.object({
    task: z.string().min(1),
    label: z.string().optional(),
    agentId: z.string().optional().describe("Default: yourself"),
    model: z.string().optional(),
    thinking: z.string().optional(),
    runTimeoutSeconds: z.number().min(0).optional(),
    cleanup: z.enum(["keep", "delete"]).optional(),
    runtime: z.enum(["subagent", "acp"]).optional().describe("acp: another program; agentId names it"),
    cwd: z.string().optional().describe("Folder of an acp one"),
  }),
);
const ACTIONS = ["list", "kill", "steer", "wait"] as const;
const ManageParameters = once(() =>
  z.object({
    action: z.enum(ACTIONS).optional().describe("Default list"),
    target: z.string().optional().describe("#n of the list, id, label, key, last, all"),
    targets: z.array(z.string()).optional().describe("Of wait; default all"),
    message: z.string().max(4000).optional().describe("Of steer"),
    timeoutSeconds: z.number().min(0).optional().describe("Of wait; default 300"),
    recentMinutes: z.number().min(1).max(1440).optional().describe("Of list; default 30"),
  }),
);
export type SpawnArguments = z.infer<ReturnType<typeof SpawnParameters>>;
export type ManageArguments = z.infer<ReturnType<typeof ManageParameters>>;

export function sessionsSpawnTool({ subagents }: SubagentsHouse): Tool<ReturnType<typeof SpawnParameters>> {
  return {
    name: "sessions_spawn",
    label: "Start sub-agent",
    description:
      "Starts a sub-agent that does a task in the background and reports back to you. It knows nothing of this conversation: put all it needs into the task.",
    family: "sessions",
    profiles: ["coding"],
    inSandbox: "allowed",
    notForSubagents: "last",
    effects: ["send"],
    parameters: SpawnParameters,
    async run(args, context) {
      const { spawnSubagent } = await import("./use-tools.ts");
      return spawnSubagent(args, await subagents.whenReady(), context);
    },
  };
}

export function subagentsTool({ subagents }: SubagentsHouse): Tool<ReturnType<typeof ManageParameters>> {
  return {
    name: "subagents",
    label: "Sub-agents",
    description: "Your sub-agents: list, kill, steer (tell one something), or wait for their results.",
    family: "sessions",
    profiles: ["coding"],
    inSandbox: "allowed",
    told: 230,
    effects: ["read", "send"],
    effectsOf: ({ action }) => (action === "kill" || action === "steer" ? ["send"] : ["read"]),
    parameters: ManageParameters,
    async run(args, context) {
      const { manageSubagents } = await import("./use-tools.ts");
      return manageSubagents(args, await subagents.whenReady(), context);
    },
  };
}
