// The workspace room owns an agent's directory: how it begins, which of its files the agent sees, and who may change them.
export { agentFiles, type AgentFile, type AgentFiles } from "./agent-files.ts";
export { bootstrapFiles, type BootstrapOptions } from "./bootstrap-files.ts";
export { completeBootstrap, ensureWorkspace, type EnsureOptions, type EnsureOutcome } from "./ensure-workspace.ts";
export { FileCache } from "./file-cache.ts";
export { FIRST_MEETING, type FileSet } from "./file-names.ts";
export { FILE_LIMITS, fitFiles, type FileLimits, type InjectedFile } from "./fit-files.ts";
export { isEmptyHeartbeat } from "./heartbeat-file.ts";
export { readIdentity, type AgentIdentity } from "./identity.ts";
export { PromptFiles, type PromptFilesOptions, type SessionFiles } from "./prompt-files.ts";
