// The tools room owns what an agent can do besides talking, who may use which tool, and the one gate every call goes through.
export type { BeforeRun, DecidedBy, ToolLimits, ToolRun, ToolSandbox } from "./gate/gate.ts";
export type { ToolCatalog } from "./gate/tool-catalog.ts";
export type { GroupToolsView, ToolsConfigView } from "./policy/config-view.ts";
export { renderExplanation, type ToolExplanation } from "./policy/explain.ts";
export type { ToolSubject } from "./policy/subject.ts";
export type {
  AgentName,
  Caller,
  SendOutcome,
  SendRequest,
  SessionToolParts,
  SessionToolSettings,
} from "./sessions/parts.ts";
export {
  agentsListTool,
  sessionsHistoryTool,
  sessionsListTool,
  sessionsSearchTool,
  sessionsSendTool,
  sessionStatusTool,
} from "./sessions/session-tools.ts";
export { seesSession } from "./sessions/visible-sessions.ts";
export { createToolbox, type Toolbox, type ToolboxParts, type TurnContext, type TurnTools } from "./toolbox.ts";
export { createCommandSessions, type CommandSessions } from "./exec/command-sessions.ts";
export { execTool } from "./exec/exec-tool.ts";
export type { ElevatedLevel, ExecSettings, ExitNotice } from "./exec/parts.ts";
export { processTool } from "./exec/process-tool.ts";
export { applyPatchTool, editTool, readTool, writeTool, type FileSettings } from "./files/file-tools.ts";
export { readConfined } from "./files/read-confined.ts";
export { attachTool } from "./attach/attach-tool.ts";
export { readForSending } from "./attach/read-for-sending.ts";
export { imageTool, type ImageToolParts, type LookRequest } from "./image/image-tool.ts";
export {
  messageTool,
  type MessageArguments,
  type MessageToolParts,
  type MessageToolResult,
} from "./message/message-tool.ts";
export { webFetchTool, webSearchTool, type WebToolParts } from "./web/web-tools.ts";
