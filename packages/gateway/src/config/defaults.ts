// What holds when the config says nothing. Rooms ask these functions instead of guessing.
import { join } from "node:path";
import { DEFAULTS } from "./default-values.ts";
import type { ProcessEnv } from "./environment.ts";
import type { ReloadMode } from "./reload.ts";
import type { ChelaConfig } from "./schema/sections.ts";
import { expandHome, profilePort, type StatePaths } from "./state-paths.ts";

const DEFAULT_AGENT_ID = "main";

/** The environment beats the config, so that a second gateway can be started beside the first. */
export function gatewayPort(config: ChelaConfig, env: ProcessEnv, paths?: StatePaths): number {
  const fromEnv = Number(env["OPENCLAW_GATEWAY_PORT"] || env["CLAWDBOT_GATEWAY_PORT"] || Number.NaN);
  if (Number.isInteger(fromEnv) && fromEnv > 0 && fromEnv < 65_536) return fromEnv;
  return config.gateway?.port ?? (paths && profilePort(paths)) ?? DEFAULTS["gateway.port"];
}

export function gatewayMode(config: ChelaConfig): "local" | "remote" {
  return config.gateway?.mode ?? DEFAULTS["gateway.mode"];
}

export interface BindSettings {
  readonly bind: "auto" | "lan" | "loopback" | "custom" | "tailnet";
  readonly customHost: string | undefined;
}

export function bindSettings(config: ChelaConfig): BindSettings {
  return { bind: config.gateway?.bind ?? DEFAULTS["gateway.bind"], customHost: config.gateway?.customBindHost };
}

export interface AuthSettings {
  readonly mode: "none" | "token" | "password" | "trusted-proxy";
  readonly token: string | undefined;
  readonly password: string | undefined;
  readonly allowTailscale: boolean;
  readonly rateLimit: {
    readonly maxAttempts: number;
    readonly windowMs: number;
    readonly lockoutMs: number;
    readonly exemptLoopback: boolean;
  };
  readonly trustedProxy: {
    readonly userHeader?: string;
    readonly requiredHeaders: readonly string[];
    readonly allowUsers: readonly string[];
  };
}

/** Credentials: config first, then the environment. A password without a token means that passwords are asked for. */
export function authSettings(config: ChelaConfig, env: ProcessEnv): AuthSettings {
  const auth = config.gateway?.auth;
  const token = auth?.token || env["OPENCLAW_GATEWAY_TOKEN"] || env["CLAWDBOT_GATEWAY_TOKEN"] || undefined;
  const password = auth?.password || env["OPENCLAW_GATEWAY_PASSWORD"] || env["CLAWDBOT_GATEWAY_PASSWORD"] || undefined;
  const mode = auth?.mode ?? (password && !token ? "password" : DEFAULTS["gateway.auth.mode"]);
  const served = config.gateway?.tailscale?.mode === "serve";
  const proxy = auth?.trustedProxy;
  return {
    mode,
    token,
    password,
    allowTailscale: auth?.allowTailscale ?? (served && mode !== "password" && mode !== "trusted-proxy"),
    rateLimit: {
      maxAttempts: auth?.rateLimit?.maxAttempts ?? DEFAULTS["gateway.auth.rateLimit.maxAttempts"],
      windowMs: auth?.rateLimit?.windowMs ?? DEFAULTS["gateway.auth.rateLimit.windowMs"],
      lockoutMs: auth?.rateLimit?.lockoutMs ?? DEFAULTS["gateway.auth.rateLimit.lockoutMs"],
      exemptLoopback: auth?.rateLimit?.exemptLoopback ?? DEFAULTS["gateway.auth.rateLimit.exemptLoopback"],
    },
    trustedProxy: {
      ...(proxy?.userHeader ? { userHeader: proxy.userHeader } : {}),
      requiredHeaders: proxy?.requiredHeaders ?? [],
      allowUsers: proxy?.allowUsers ?? [],
    },
  };
}

export interface ControlUiSettings {
  readonly enabled: boolean;
  /** Without a slash at the end; empty for the root. */
  readonly basePath: string;
  readonly root: string | undefined;
  readonly allowedOrigins: readonly string[];
}

export function controlUiSettings(config: ChelaConfig): ControlUiSettings {
  const ui = config.gateway?.controlUi;
  const bare = (ui?.basePath ?? DEFAULTS["gateway.controlUi.basePath"]).replace(/^\/+|\/+$/g, "");
  return {
    enabled: ui?.enabled ?? DEFAULTS["gateway.controlUi.enabled"],
    basePath: bare ? `/${bare}` : "",
    root: ui?.root,
    allowedOrigins: ui?.allowedOrigins ?? [],
  };
}

export function reloadSettings(config: ChelaConfig): { readonly mode: ReloadMode; readonly debounceMs: number } {
  return {
    mode: config.gateway?.reload?.mode ?? DEFAULTS["gateway.reload.mode"],
    debounceMs: config.gateway?.reload?.debounceMs ?? DEFAULTS["gateway.reload.debounceMs"],
  };
}

export interface HttpEndpointSettings {
  readonly chatCompletions: boolean;
  readonly responses: boolean;
  readonly strictTransportSecurity: string | undefined;
}

export function httpEndpointSettings(config: ChelaConfig): HttpEndpointSettings {
  const http = config.gateway?.http;
  return {
    chatCompletions:
      http?.endpoints?.chatCompletions?.enabled ?? DEFAULTS["gateway.http.endpoints.chatCompletions.enabled"],
    responses: http?.endpoints?.responses?.enabled ?? DEFAULTS["gateway.http.endpoints.responses.enabled"],
    strictTransportSecurity: http?.securityHeaders?.strictTransportSecurity || undefined,
  };
}

export interface ModelChoice {
  readonly primary: string;
  readonly fallbacks: readonly string[];
}

type WrittenModel = string | { primary?: string | undefined; fallbacks?: string[] | undefined } | undefined;

export interface AgentSettings {
  readonly id: string;
  readonly isDefault: boolean;
  readonly name: string | undefined;
  readonly workspace: string;
  readonly agentDir: string;
  readonly model: ModelChoice;
  readonly identity: {
    readonly name?: string;
    readonly theme?: string;
    readonly emoji?: string;
    readonly avatar?: string;
  };
  readonly contextTokens: number;
  readonly timeoutSeconds: number;
  readonly thinkingDefault: string | undefined;
  readonly userTimezone: string | undefined;
}

/** Ids are lowercase; what cannot stand in one becomes a dash. */
export function normaliseAgentId(id: string): string {
  const clean = id
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+|-+$/g, "")
    .slice(0, 64);
  return clean || DEFAULT_AGENT_ID;
}

/** The one marked default, else the first of the list, else `main`. */
export function defaultAgentId(config: ChelaConfig): string {
  const list = config.agents?.list ?? [];
  const chosen = list.find((agent) => agent.default) ?? list[0];
  return chosen ? normaliseAgentId(chosen.id) : DEFAULT_AGENT_ID;
}

export function listAgentIds(config: ChelaConfig): string[] {
  const ids = (config.agents?.list ?? []).map((agent) => normaliseAgentId(agent.id));
  return ids.length > 0 ? [...new Set(ids)] : [DEFAULT_AGENT_ID];
}

export function agentSettings(config: ChelaConfig, agentId: string, paths: StatePaths): AgentSettings {
  const id = normaliseAgentId(agentId);
  const own = config.agents?.list?.find((agent) => normaliseAgentId(agent.id) === id);
  const shared = config.agents?.defaults;
  const isDefault = id === defaultAgentId(config);
  const workspace = own?.workspace ?? (isDefault ? shared?.workspace : undefined);
  return {
    id,
    isDefault,
    name: own?.name,
    workspace: workspace
      ? expandHome(workspace, paths.home)
      : join(paths.stateDir, ...(isDefault ? ["workspace"] : ["workspaces", id])),
    agentDir: own?.agentDir ? expandHome(own.agentDir, paths.home) : join(paths.stateDir, "agents", id, "agent"),
    model: modelChoice(own?.model, shared?.model),
    identity: (own?.identity ?? {}) as AgentSettings["identity"],
    contextTokens: shared?.contextTokens ?? DEFAULTS["agents.defaults.contextTokens"],
    timeoutSeconds: shared?.timeoutSeconds ?? DEFAULTS["agents.defaults.timeoutSeconds"],
    thinkingDefault: shared?.thinkingDefault,
    userTimezone: shared?.userTimezone,
  };
}

function modelChoice(own: WrittenModel, shared: WrittenModel): ModelChoice {
  const mine = typeof own === "string" ? { primary: own } : own;
  const theirs = typeof shared === "string" ? { primary: shared } : shared;
  return {
    primary: mine?.primary ?? theirs?.primary ?? DEFAULTS["agents.defaults.model"],
    fallbacks: mine?.fallbacks ?? theirs?.fallbacks ?? [],
  };
}

/** How many turns may run at once, over all agents. */
export function maxConcurrentTurns(config: ChelaConfig): number {
  return config.agents?.defaults?.maxConcurrent ?? DEFAULTS["agents.defaults.maxConcurrent"];
}

export interface SessionSettings {
  readonly scope: "per-sender" | "global";
  readonly mainKey: string;
  readonly store: string | undefined;
  readonly resetTriggers: readonly string[];
  readonly reset: {
    readonly mode: "daily" | "idle";
    readonly atHour: number;
    readonly idleMinutes: number | undefined;
  };
}

export function sessionSettings(config: ChelaConfig): SessionSettings {
  const session = config.session;
  const idle = session?.reset?.idleMinutes ?? session?.idleMinutes;
  const mode = session?.reset?.mode ?? DEFAULTS["session.reset.mode"];
  return {
    scope: session?.scope ?? DEFAULTS["session.scope"],
    mainKey: session?.mainKey || DEFAULTS["session.mainKey"],
    store: session?.store,
    resetTriggers: session?.resetTriggers ?? DEFAULTS["session.resetTriggers"],
    reset: {
      mode,
      atHour: session?.reset?.atHour ?? DEFAULTS["session.reset.atHour"],
      idleMinutes: idle ?? (mode === "idle" ? DEFAULTS["session.reset.idleMinutes"] : undefined),
    },
  };
}

export type LogThreshold = "silent" | "fatal" | "error" | "warn" | "info" | "debug" | "trace";

export interface LoggingSettings {
  readonly level: LogThreshold;
  readonly consoleLevel: LogThreshold;
  readonly consoleStyle: "pretty" | "compact" | "json";
  /** Undefined: one file a day, in the usual place. */
  readonly file: string | undefined;
  readonly maxFileBytes: number;
}

export function loggingSettings(config: ChelaConfig, paths: StatePaths): LoggingSettings {
  const logging = config.logging;
  return {
    level: logging?.level ?? DEFAULTS["logging.level"],
    consoleLevel: logging?.consoleLevel ?? logging?.level ?? DEFAULTS["logging.consoleLevel"],
    consoleStyle: logging?.consoleStyle ?? DEFAULTS["logging.consoleStyle"],
    file: logging?.file ? expandHome(logging.file, paths.home) : undefined,
    maxFileBytes: logging?.maxFileBytes ?? DEFAULTS["logging.maxFileBytes"],
  };
}
