// The environment the config is read with: the process first, then the .env file of the state directory, then the config itself.
// A .env in the current directory is not read, unlike in other gateways: the current directory may be a workspace, and nothing in
// a workspace may steer the gateway.
import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { errnoOf } from "@chela/sdk/files";
import { isObject, isReservedKey } from "../edit/path.ts";
import { substituteVariables } from "./substitute.ts";

export type ProcessEnv = Readonly<Record<string, string | undefined>>;

export interface EnvironmentFile {
  readonly values: Readonly<Record<string, string>>;
  readonly warning?: string;
}

const MAX_ENV_BYTES = 1024 * 1024;

export function readEnvironmentFile(path: string): EnvironmentFile {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return { values: {} };
    if (!stat.isFile() || stat.size > MAX_ENV_BYTES)
      return { values: {}, warning: `${path} is not a usable file and was left out` };
    return { values: parseEnv(readFileSync(path, "utf8")) as Record<string, string> };
  } catch (error) {
    return { values: {}, warning: `${path} could not be read (${errnoOf(error) ?? String(error)}) and was left out` };
  }
}

/** Fills in what is absent or empty; nothing that is set is ever changed. */
export function effectiveEnvironment(
  base: ProcessEnv,
  file: Readonly<Record<string, string>>,
  source: unknown,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) if (value !== undefined) env[name] = value;
  addMissing(env, file);
  // Values in the config may themselves refer to variables that are known by now.
  addMissing(env, substituteVariables(variablesOf(source), env).value as Record<string, string>);
  return env;
}

function addMissing(env: Record<string, string>, more: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(more)) {
    if (!env[name] && value !== "" && !isReservedKey(name)) env[name] = value;
  }
}

/** `env.vars.*` and the texts directly under `env`. */
function variablesOf(source: unknown): Record<string, string> {
  const env = isObject(source) ? source["env"] : undefined;
  if (!isObject(env)) return {};
  const vars = isObject(env["vars"]) ? env["vars"] : {};
  const pairs = [...Object.entries(env), ...Object.entries(vars)];
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
}
