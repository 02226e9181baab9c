// Reads the configuration for a client, the short way: a text that was checked before is not checked again, so that
// the whole schema need not be loaded to find a port and a token.
import { readFileSync } from "node:fs";
import type { CommandCall } from "@chela/sdk/command-line";
import { effectiveEnvironment, readEnvironmentFile } from "../../rooms/config/read/environment.ts";
import { resolveIncludes } from "../../rooms/config/read/include.ts";
import { modernise } from "../../rooms/config/state/legacy-keys.ts";
import { openStateDirectory } from "../../rooms/config/state/legacy-state.ts";
import type { JsonObject } from "../../rooms/config/edit/path.ts";
import { readConfigText } from "../../rooms/config/read/read-text.ts";
import type { ChelaConfig } from "../../rooms/config/schema/sections.ts";
import type { StatePaths } from "../../rooms/config/state/state-paths.ts";
import { substituteVariables, vaultIdIn } from "../../rooms/config/read/substitute.ts";

export interface KnownSettings {
  readonly paths: StatePaths;
  readonly config: ChelaConfig;
  /** The process environment with what .env and the configuration add. */
  readonly env: Readonly<Record<string, string>>;
}

const LAST_GOOD = ".last-good";
/** What stands for a secret that is kept elsewhere. */
const NEEDS_VAULT = /["'{]vault:|source["']?\s*:\s*["'](?:file|exec)/;

export async function readSettings(call: Pick<CommandCall, "env" | "state" | "terminal">): Promise<KnownSettings> {
  const { paths, notices } = openStateDirectory(call.env, call.state);
  for (const notice of notices) call.terminal.note(notice);
  return readKnown(paths, call.env) ?? (await readWithSchema(paths, call.env));
}

/** Undefined when nobody has checked this text yet, or when it cannot be read as it is. */
export function readKnown(paths: StatePaths, processEnv: CommandCall["env"]): KnownSettings | undefined {
  const envFile = readEnvironmentFile(paths.envPath).values;
  if (Object.values(envFile).some((value) => vaultIdIn(value) !== undefined)) return undefined;
  const raw = readIfPresent(paths.configPath);
  if (raw === undefined) return { paths, config: {}, env: effectiveEnvironment(processEnv, envFile, {}) };
  const read = readConfigText(raw);
  if (read.kind !== "read") return undefined;
  const included = resolveIncludes(read.value, paths.configPath);
  const whole = included.files.length === 0 ? raw : `${JSON.stringify(included.value, null, 2)}\n`;
  if (NEEDS_VAULT.test(whole)) return undefined;
  if (included.findings.length > 0 || readIfPresent(lastGoodOf(paths)) !== whole) return undefined;
  const env = effectiveEnvironment(processEnv, envFile, included.value);
  const filled = substituteVariables(included.value, env);
  if (filled.missing.length > 0) return undefined;
  const config = filled.value as JsonObject;
  modernise(config);
  return { paths, config: config as ChelaConfig, env };
}

function lastGoodOf({ stateDir }: StatePaths): string {
  return `${stateDir}/openclaw.json${LAST_GOOD}`;
}

async function readWithSchema(paths: StatePaths, env: CommandCall["env"]): Promise<KnownSettings> {
  const { openConfig } = await import("../offline/open-config.ts");
  const store = openConfig(paths, env);
  return { paths, config: store.current(), env: store.effectiveEnv() };
}

export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
