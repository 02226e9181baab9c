// State of older versions: their directory and config file are taken over under today's names, once.
import { existsSync, lstatSync, renameSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errnoOf } from "@chela/sdk/files";
import type { ProcessEnv } from "../read/environment.ts";
import { CONFIG_NAME, resolveStatePaths, type StateOptions, type StatePaths } from "./state-paths.ts";

const OLD_NAMES = ["clawdbot", "moltbot", "moldbot"];

export interface OpenedState {
  readonly paths: StatePaths;
  /** What was taken over, for people to read. */
  readonly notices: readonly string[];
}

/** Resolves the paths and takes over what an older version left. Nothing is ever overwritten. */
export function openStateDirectory(env: ProcessEnv, options: StateOptions = {}): OpenedState {
  const paths = resolveStatePaths(env, options);
  const directory = takeOverDirectory(paths);
  const file = takeOverConfigFile(directory.paths);
  return { paths: file.paths, notices: [...directory.notices, ...file.notices] };
}

function takeOverDirectory(paths: StatePaths): OpenedState {
  if (!paths.isDefault || existsSync(paths.stateDir)) return { paths, notices: [] };
  const found = OLD_NAMES.map((name) => join(paths.home, `.${name}`)).filter(isRealDirectory);
  const old = found[0];
  if (!old) return { paths, notices: [] };
  try {
    renameSync(old, paths.stateDir);
  } catch (error) {
    const reason = errnoOf(error) ?? String(error);
    return {
      paths: within(paths, old),
      notices: [`${old} could not be moved to ${paths.stateDir} (${reason}); it is used where it is.`],
    };
  }
  const link = leaveLink(paths.stateDir, old) ? `; ${old} is now a link to it` : "";
  const others = found.slice(1).map((other) => `${other} was left as it is, because ${old} was taken over.`);
  return {
    paths,
    notices: [`The state of an older version was moved from ${old} to ${paths.stateDir}${link}.`, ...others],
  };
}

function takeOverConfigFile(paths: StatePaths): OpenedState {
  if (paths.isConfigNamed || existsSync(paths.configPath)) return { paths, notices: [] };
  const directory = dirname(paths.configPath);
  const old = OLD_NAMES.map((name) => join(directory, `${name}.json`)).find((file) => existsSync(file));
  if (!old) return { paths, notices: [] };
  try {
    renameSync(old, paths.configPath);
  } catch (error) {
    const reason = errnoOf(error) ?? String(error);
    return {
      paths: { ...paths, configPath: old },
      notices: [`${old} could not be renamed (${reason}); it is used under its old name.`],
    };
  }
  leaveLink(CONFIG_NAME, old);
  return { paths, notices: [`The config of an older version, ${basename(old)}, is now ${paths.configPath}.`] };
}

function within(paths: StatePaths, stateDir: string): StatePaths {
  const configPath = paths.isConfigNamed ? paths.configPath : join(stateDir, CONFIG_NAME);
  return { ...paths, stateDir, configPath, envPath: join(stateDir, ".env") };
}

function isRealDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Old scripts may still use the old name. Where links are not allowed, they have to be changed. */
function leaveLink(target: string, name: string): boolean {
  try {
    symlinkSync(target, name);
    return true;
  } catch {
    return false;
  }
}
