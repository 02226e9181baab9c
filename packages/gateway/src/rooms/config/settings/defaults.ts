// Defaults where the config says nothing. Rooms ask these functions instead of guessing.
import { isAbsolute, join } from "node:path";
import { normalizeAgentId } from "@chela/sdk";
import { filled, filledSection, laidOver } from "@chela/sdk/config";
import type { ReloadMode } from "../reload.ts";
import { agentDefaults } from "../schema/agents.ts";
import { gatewaySection } from "../schema/gateway.ts";
import { messagesSection } from "../schema/messages.ts";
import type { ChelaConfig } from "../schema/sections.ts";
import { sessionSection } from "../schema/session.ts";
import { loggingSection } from "../schema/system.ts";
import { toolsSection } from "../schema/tools.ts";
import { findWorkspace } from "../state/workspace-place.ts";
import { expandHome, type StatePaths } from "../state/state-paths.ts";

export interface BindSettings {
  readonly bind: "auto" | "lan" | "loopback" | "custom" | "tailnet";
}

export function bindSettings(config: ChelaConfig): BindSettings {
  return { bind: filledSection(gatewaySection, config.gateway).bind };
}

export function reloadSettings(config: ChelaConfig): { readonly mode: ReloadMode; readonly debounceMs: number } {
  return filledSection(gatewaySection, config.gateway).reload;
}

export interface AgentSettings {
  readonly id: string;
  readonly isDefault: boolean;
  readonly name: string | undefined;
  readonly workspace: string;
  readonly agentDir: string;
  readonly identity: {
    readonly name?: string;
    readonly theme?: string;
    readonly emoji?: string;
    readonly avatar?: string;
  };
  readonly timeoutSeconds: number;
  readonly thinkingDefault: string;
  readonly userTimezone: string | undefined;
}

/** What the list of agents says of one; ids are compared in their normal form. */
export function writtenAgent(config: ChelaConfig, agentId: string) {
  return config.agents?.list?.find((written) => normalizeAgentId(written.id) === agentId);
}

export function agentSettings(
  config: ChelaConfig,
  agent: { readonly id: string; readonly isDefault: boolean },
  paths: StatePaths,
): AgentSettings {
  const { id, isDefault } = agent;
  const own = writtenAgent(config, id);
  const shared = filled(agentDefaults(), config.agents?.defaults);
  const workspace = own?.workspace ?? (isDefault ? shared.workspace : undefined);
  return {
    id,
    isDefault,
    name: own?.name,
    workspace: workspace ? expandHome(workspace, paths.home) : findWorkspace(paths.stateDir, agent),
    agentDir: own?.agentDir ? expandHome(own.agentDir, paths.home) : join(paths.stateDir, "agents", id, "agent"),
    identity: (own?.identity ?? {}) as AgentSettings["identity"],
    timeoutSeconds: shared.timeoutSeconds,
    thinkingDefault: levelOf(own?.thinkingDefault ?? shared.thinkingDefault),
    userTimezone: shared.userTimezone,
  };
}

/** How much a model thinks by its own judgement cannot be asked of most of them. */
function levelOf(written: string): string {
  return written === "adaptive" ? "medium" : written;
}

/** Where an agent's credentials are kept. */
export function agentDirectory(config: ChelaConfig, agentId: string, paths: StatePaths): string {
  return agentSettings(config, { id: agentId, isDefault: false }, paths).agentDir;
}

export interface SessionSettings {
  readonly scope: "per-sender" | "global";
  readonly mainKey: string;
  readonly resetTriggers: readonly string[];
}

export function sessionSettings(config: ChelaConfig): SessionSettings {
  const mainKey = config.session?.mainKey || undefined;
  const session = filledSection(sessionSection, { ...config.session, mainKey });
  return { scope: session.scope, mainKey: session.mainKey, resetTriggers: session.resetTriggers };
}

/** Where the session indexes are, when that is not the usual place; `{agentId}` stands for the agent. */
export function indexStore(config: ChelaConfig, paths: StatePaths): string | undefined {
  const written = config.session?.store?.trim();
  if (!written) return undefined;
  const isPlaced = written.startsWith("~") || isAbsolute(written);
  return isPlaced ? expandHome(written, paths.home) : join(paths.stateDir, written);
}

type LogThreshold = "silent" | "fatal" | "error" | "warn" | "info" | "debug" | "trace";

export interface LoggingSettings {
  readonly level: LogThreshold;
  readonly consoleLevel: LogThreshold;
  readonly consoleStyle: "pretty" | "compact" | "json";
  /** Undefined: one file a day, in the usual place. */
  readonly file: string | undefined;
  readonly maxFileBytes: number;
  /** What looks like a secret is taken out, not only what is known to be one. */
  readonly redactsSecrets: boolean;
  readonly redactPatterns: readonly string[];
}

export function loggingSettings(config: ChelaConfig, paths: StatePaths): LoggingSettings {
  const logging = filledSection(loggingSection, { consoleLevel: config.logging?.level, ...config.logging });
  const { level, consoleLevel, consoleStyle, maxFileBytes } = logging;
  return {
    level,
    consoleLevel,
    consoleStyle,
    file: logging.file ? expandHome(logging.file, paths.home) : undefined,
    maxFileBytes,
    redactsSecrets: logging.redactSensitive !== "off",
    redactPatterns: logging.redactPatterns ?? [],
  };
}

export interface PageSettings {
  readonly enabled: boolean;
  /** Empty, or with a slash before it and none behind. */
  readonly basePath: string;
  /** Another build than our own. */
  readonly root: string | undefined;
}

/** The section `gateway.controlUi`, as far as it says what is served where. */
export function pageSettings(config: ChelaConfig, paths: Pick<StatePaths, "home">): PageSettings {
  const { enabled, basePath, root } = filledSection(gatewaySection, config.gateway).controlUi;
  const path = basePath.replace(/^\/+|\/+$/g, "");
  return {
    enabled,
    basePath: path === "" ? "" : `/${path}`,
    root: root ? expandHome(root, paths.home) : undefined,
  };
}

/** The section `tools.exec` as it holds for one agent. */
export function execSettings(config: ChelaConfig, agentId: string) {
  const written = { ...config.tools?.exec, ...writtenAgent(config, agentId)?.tools?.exec };
  const of = filledSection(toolsSection, { exec: written }).exec;
  const { security, ask, safeBins } = written;
  return {
    backgroundMs: of.backgroundMs,
    timeoutSec: of.timeoutSec,
    cleanupMs: of.cleanupMs,
    notifyOnExit: of.notifyOnExit,
    notifyOnExitEmptySuccess: of.notifyOnExitEmptySuccess,
    pathPrepend: of.pathPrepend ?? [],
    env: [] as readonly string[],
    // What is not written here may be written in the file of approvals.
    rules: { ...(security ? { security } : {}), ...(ask ? { ask } : {}) },
    safeBins,
    safeBinTrustedDirs: of.safeBinTrustedDirs,
    safeBinProfiles: of.safeBinProfiles,
  };
}

/** What of the file system an agent's tools may touch. */
export function fileSettings(config: ChelaConfig, agentId: string) {
  const own = writtenAgent(config, agentId)?.tools;
  return {
    workspaceOnly: filledSection(toolsSection, { fs: laidOver(config.tools?.fs, own?.fs) }).fs.workspaceOnly,
    applyPatch: { ...config.tools?.exec?.applyPatch, ...own?.exec?.applyPatch },
  };
}

/** What holds where a conversation says nothing. */
export function usualChoices({ agents, tools, messages }: ChelaConfig) {
  const { thinkingDefault, verboseDefault, elevatedDefault } = filled(agentDefaults(), agents?.defaults);
  const { security, ask } = filledSection(toolsSection, tools).exec;
  return {
    thinking: levelOf(thinkingDefault),
    verbose: verboseDefault,
    elevated: elevatedDefault,
    exec: { security, ask },
    queue: filledSection(messagesSection, messages).queue.mode,
  };
}

/** What decides over chat commands. */
export function commandSettings(config: ChelaConfig) {
  const { allowFrom, ownerAllowFrom, config: mayConfig, debug, restart } = config.commands ?? {};
  const aliases = Object.entries(config.agents?.defaults?.models ?? {}).flatMap(([ref, model]) =>
    model?.alias ? [[model.alias.toLowerCase(), ref] as const] : [],
  );
  return {
    allowFrom,
    ownerAllowFrom,
    config: mayConfig,
    debug,
    restart,
    resetTriggers: sessionSettings(config).resetTriggers,
    modelAliases: Object.fromEntries(aliases),
  };
}
