// The workspace room owns an agent's directory: how it begins, which of its files the agent sees, and who may change them.
export { agentFiles, type AgentFiles } from "./agent-files.ts";
export { bootstrapFiles } from "./bootstrap-files.ts";
export { completeBootstrap, ensureWorkspace } from "./ensure-workspace.ts";
export { FileCache } from "./file-cache.ts";
export { FIRST_MEETING, type FileSet } from "./file-names.ts";
export { FILE_LIMITS, fitFiles, type InjectedFile } from "./fit-files.ts";
export { isEmptyHeartbeat } from "./heartbeat-file.ts";
export { readIdentity } from "./identity.ts";
export { PromptFiles } from "./prompt-files.ts";
