// What holds when the config says nothing. Rooms ask these functions instead of guessing.
import { isAbsolute, join } from "node:path";
import { normalizeAgentId } from "@chela/sdk";
import { DEFAULTS } from "./default-values.ts";
import type { ReloadMode } from "./reload.ts";
import type { ChelaConfig } from "./schema/sections.ts";
import { findWorkspace } from "./workspace-place.ts";
import { expandHome, type StatePaths } from "./state-paths.ts";

export interface BindSettings {
  readonly bind: "auto" | "lan" | "loopback" | "custom" | "tailnet";
}

export function bindSettings(config: ChelaConfig): BindSettings {
  return { bind: config.gateway?.bind ?? DEFAULTS["gateway.bind"] };
}

export function reloadSettings(config: ChelaConfig): { readonly mode: ReloadMode; readonly debounceMs: number } {
  return {
    mode: config.gateway?.reload?.mode ?? DEFAULTS["gateway.reload.mode"],
    debounceMs: config.gateway?.reload?.debounceMs ?? DEFAULTS["gateway.reload.debounceMs"],
  };
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
  readonly thinkingDefault: string | undefined;
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
  const shared = config.agents?.defaults;
  const workspace = own?.workspace ?? (isDefault ? shared?.workspace : undefined);
  return {
    id,
    isDefault,
    name: own?.name,
    workspace: workspace ? expandHome(workspace, paths.home) : findWorkspace(paths.stateDir, agent),
    agentDir: own?.agentDir ? expandHome(own.agentDir, paths.home) : join(paths.stateDir, "agents", id, "agent"),
    identity: (own?.identity ?? {}) as AgentSettings["identity"],
    timeoutSeconds: shared?.timeoutSeconds ?? DEFAULTS["agents.defaults.timeoutSeconds"],
    thinkingDefault: shared?.thinkingDefault,
    userTimezone: shared?.userTimezone,
  };
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
  const session = config.session;
  return {
    scope: session?.scope ?? DEFAULTS["session.scope"],
    mainKey: session?.mainKey || DEFAULTS["session.mainKey"],
    resetTriggers: session?.resetTriggers ?? DEFAULTS["session.resetTriggers"],
  };
}

/** Where the session indexes are, when that is not the usual place; `{agentId}` stands for the agent. */
export function indexStore(config: ChelaConfig, paths: StatePaths): string | undefined {
  const written = config.session?.store?.trim();
  if (!written) return undefined;
  const isPlaced = written.startsWith("~") || isAbsolute(written);
  return isPlaced ? expandHome(written, paths.home) : join(paths.stateDir, written);
}

export type LogThreshold = "silent" | "fatal" | "error" | "warn" | "info" | "debug" | "trace";

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
  const logging = config.logging;
  return {
    level: logging?.level ?? DEFAULTS["logging.level"],
    consoleLevel: logging?.consoleLevel ?? logging?.level ?? DEFAULTS["logging.consoleLevel"],
    consoleStyle: logging?.consoleStyle ?? DEFAULTS["logging.consoleStyle"],
    file: logging?.file ? expandHome(logging.file, paths.home) : undefined,
    maxFileBytes: logging?.maxFileBytes ?? DEFAULTS["logging.maxFileBytes"],
    redactsSecrets: (logging?.redactSensitive ?? DEFAULTS["logging.redactSensitive"]) !== "off",
    redactPatterns: logging?.redactPatterns ?? [],
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
  const { enabled, basePath, root } = config.gateway?.controlUi ?? {};
  const path = (basePath ?? DEFAULTS["gateway.controlUi.basePath"]).replace(/^\/+|\/+$/g, "");
  return {
    enabled: enabled ?? DEFAULTS["gateway.controlUi.enabled"],
    basePath: path === "" ? "" : `/${path}`,
    root: root ? expandHome(root, paths.home) : undefined,
  };
}

/** The section `tools.exec` as it holds for one agent. */
export function execSettings(config: ChelaConfig, agentId: string) {
  const all = config.tools?.exec;
  const own = writtenAgent(config, agentId)?.tools?.exec;
  const of = { ...all, ...own };
  return {
    backgroundMs: of.backgroundMs ?? DEFAULTS["tools.exec.backgroundMs"],
    timeoutSec: of.timeoutSec ?? DEFAULTS["tools.exec.timeoutSec"],
    cleanupMs: of.cleanupMs ?? DEFAULTS["tools.exec.cleanupMs"],
    notifyOnExit: of.notifyOnExit ?? DEFAULTS["tools.exec.notifyOnExit"],
    notifyOnExitEmptySuccess: of.notifyOnExitEmptySuccess ?? DEFAULTS["tools.exec.notifyOnExitEmptySuccess"],
    pathPrepend: of.pathPrepend ?? [],
    env: [] as readonly string[],
    rules: { ...(of.security ? { security: of.security } : {}), ...(of.ask ? { ask: of.ask } : {}) },
    safeBins: of.safeBins,
    safeBinTrustedDirs: of.safeBinTrustedDirs,
    safeBinProfiles: of.safeBinProfiles,
  };
}

/** What of the file system an agent's tools may touch. */
export function fileSettings(config: ChelaConfig, agentId: string) {
  const own = writtenAgent(config, agentId)?.tools;
  return {
    workspaceOnly: own?.fs?.workspaceOnly ?? config.tools?.fs?.workspaceOnly ?? DEFAULTS["tools.fs.workspaceOnly"],
    applyPatch: { ...config.tools?.exec?.applyPatch, ...own?.exec?.applyPatch },
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
