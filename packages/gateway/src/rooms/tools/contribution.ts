// Contribution of the room tools.
import { methods, type Contribution } from "@chela/sdk";
import { TOOL_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

const files = () => import("./files/file-tools.ts");
const web = () => import("./web/web-tools.ts");
const sessions = () => import("./sessions/session-tools.ts");

export const contribution: Contribution<House> = {
  id: "tools",
  says: "Decides who may use which tool, and runs calls.",
  methods: [methods(TOOL_METHODS, async (house: House) => (await import("./methods.ts")).toolMethods(house))],
  tools: [
    async (house) => (await files()).readTool(house),
    async (house) => (await files()).writeTool(house),
    async (house) => (await files()).editTool(house),
    async (house) => (await files()).applyPatchTool(house),
    async (house) => (await import("./exec/exec-tool.ts")).execTool(await house.exec()),
    async (house) => (await import("./exec/process-tool.ts")).processTool(await house.exec()),
    async (house) => (await web()).webSearchTool(house),
    async (house) => (await web()).webFetchTool(house),
    async (house) => (await import("./message/message-tool.ts")).messageTool(house),
    async (house) => (await sessions()).agentsListTool(await house.otherSessions()),
    async (house) => (await sessions()).sessionsListTool(await house.otherSessions()),
    async (house) => (await sessions()).sessionsHistoryTool(await house.otherSessions()),
    async (house) => (await sessions()).sessionsSearchTool(await house.otherSessions()),
    async (house) => (await sessions()).sessionsSendTool(await house.otherSessions()),
    async (house) => (await sessions()).sessionStatusTool(await house.otherSessions()),
    async (house) => (await import("./image/image-tool.ts")).imageTool(house, await house.vision()),
    async (house) => (await import("./attach/attach-tool.ts")).attachTool(house),
  ],
  commands: async () => (await import("./chat-commands.ts")).commands,
  cli: async () => (await import("./cli/commands.ts")).commands,
  securityChecks: async () => (await import("./security-checks.ts")).checks,
};
