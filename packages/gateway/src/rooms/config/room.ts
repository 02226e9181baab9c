// The config room owns openclaw.json: where it lies, how it is read, checked, watched and written, and what is secret in it.
// Others get the typed config and functions for its defaults; nobody else touches the file.
export { createConfigStore } from "./store.ts";
export type { ConfigStore, PatchPreview, ReloadReport, SecretStore, WriteReport } from "./store-types.ts";
export { isMissingSecret, type SecretAnswer, type SecretReference } from "./read/secret-references.ts";
export { vaultIdIn } from "./read/substitute.ts";
export { issuesOf } from "./edit/change.ts";
export { issueSentence, unusedSentence, type ConfigIssue } from "./read/issue.ts";
export { usedParts } from "./read/examine.ts";
export { openStateDirectory } from "./state/legacy-state.ts";
export { resolveStatePaths, type StateOptions, type StatePaths } from "./state/state-paths.ts";
export { readEnvironmentFile } from "./read/environment.ts";
export { planReload, type ReloadMode, type ReloadPlan } from "./reload.ts";
export { REDACTED, soundsSecret } from "./secret-rules.ts";
export type { ChelaConfig } from "./schema/sections.ts";
export { gatewayPort } from "./settings/gateway-port.ts";
export { parsePath } from "./edit/path.ts";
export { guardsSafety, presetAt } from "./key-facts.ts";
export {
  agentIdentity,
  concurrencyLimits,
  firstWaitMs,
  historyLimit,
  replySettings,
} from "./settings/message-settings.ts";
export { memorySettings, type MemoryConfig } from "./settings/memory-settings.ts";
export { sandboxImage, sandboxSettings } from "./settings/sandbox-settings.ts";
export { agentSkills, skillSettings } from "./settings/skill-settings.ts";
export { subagentSettings } from "./settings/subagent-settings.ts";
export { cronSettings } from "./settings/cron-settings.ts";
export { auditRetentionMs } from "./settings/audit-settings.ts";
export { maintenanceLimits, type MaintenanceLimits } from "./settings/maintenance-limits.ts";
export {
  agentDirectory,
  agentSettings,
  bindSettings,
  commandSettings,
  execSettings,
  fileSettings,
  loggingSettings,
  pageSettings,
  indexStore,
  sessionSettings,
  usualChoices,
  writtenAgent,
  type AgentSettings,
  type LoggingSettings,
} from "./settings/defaults.ts";

/** JSON Schema, form hints and reference rows build the whole schema, so they are loaded only when asked for. */
export const loadConfigReference = () => import("./reference.ts");
export const loadSchemaLookup = () => import("./schema-lookup.ts");
