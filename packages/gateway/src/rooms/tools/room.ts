// The tools room owns what an agent can do besides talking, who may use which tool, and the one gate every call goes through.
export type { ToolRun } from "./gate/gate.ts";
export type { ToolCatalog } from "./gate/tool-catalog.ts";
export { listTools } from "./policy/catalogue.ts";
export { renderExplanation } from "./policy/explain.ts";
export type { ToolSubject } from "./policy/subject.ts";
export type { Caller, SendOutcome, SendRequest, SessionToolParts } from "./sessions/parts.ts";
export { seesSession } from "./sessions/visible-sessions.ts";
export { createToolbox, type Toolbox, type ToolboxParts, type TurnContext, type TurnTools } from "./toolbox.ts";
export { createCommandSessions, type CommandSessions } from "./exec/command-sessions.ts";
export type { ElevatedLevel, ExitNotice } from "./exec/parts.ts";
export type { FileSettings, SkillReading } from "./files/file-tools.ts";
export { readForSending } from "./attach/read-for-sending.ts";
export type { LookRequest, Vision } from "./image/image-tool.ts";
export type { MessageArguments, MessageToolResult } from "./message/message-tool.ts";
