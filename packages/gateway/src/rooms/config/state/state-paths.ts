// Paths of the state: directory, config file, .env, from the environment and the flags --profile and --dev.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { GatewayError } from "@chela/sdk/errors";
import type { ProcessEnv } from "../read/environment.ts";

export interface StatePaths {
  readonly home: string;
  readonly stateDir: string;
  readonly configPath: string;
  readonly envPath: string;
  readonly profile: string | undefined;
  /** Nothing was said about the place: it is the usual one, where old versions may have left their state. */
  readonly isDefault: boolean;
  /** The config file was named explicitly. */
  readonly isConfigNamed: boolean;
}

export interface StateOptions {
  readonly profile?: string;
  readonly dev?: boolean;
}

export const CONFIG_NAME = "openclaw.json";
const DEV_PROFILE = "dev";
const DEV_PORT = 19_001;

export function resolveStatePaths(env: ProcessEnv, options: StateOptions = {}): StatePaths {
  const home = expandHome(setting(env, "HOME") ?? env["HOME"] ?? homedir(), homedir());
  const profile = profileName(options, env);
  const named = setting(env, "STATE_DIR");
  const stateDir = named ? expandHome(named, home) : join(home, profile ? `.openclaw-${profile}` : ".openclaw");
  const config = setting(env, "CONFIG_PATH");
  return {
    home,
    stateDir,
    configPath: config ? expandHome(config, home) : join(stateDir, CONFIG_NAME),
    envPath: join(stateDir, ".env"),
    profile,
    isDefault: !named && !profile,
    isConfigNamed: config !== undefined,
  };
}

/** The development profile has a port of its own, so that it can run beside the real one. */
export function profilePort(paths: StatePaths): number | undefined {
  return paths.profile === DEV_PROFILE ? DEV_PORT : undefined;
}

/** The current name first, then the one older versions used. */
function setting(env: ProcessEnv, name: "HOME" | "STATE_DIR" | "CONFIG_PATH" | "PROFILE"): string | undefined {
  return env[`OPENCLAW_${name}`]?.trim() || env[`CLAWDBOT_${name}`]?.trim() || undefined;
}

function profileName(options: StateOptions, env: ProcessEnv): string | undefined {
  const name = options.profile ?? (options.dev ? DEV_PROFILE : setting(env, "PROFILE"));
  if (!name || name === "default") return undefined;
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) {
    throw new GatewayError(
      "START_STATE",
      `"${name}" is not a profile name; letters, digits, - and _ are allowed, 64 at most`,
    );
  }
  return name;
}

export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") || path.startsWith("~\\") ? join(home, path.slice(2)) : resolve(path);
}
