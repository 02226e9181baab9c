// The configuration with its schema, for commands that check or change it.
import { systemClock } from "../base/clock.ts";
import { createConfigStore, type ConfigStore, type StatePaths } from "../rooms/config/room.ts";
import { VERSION } from "../version.ts";
import type { CommandCall } from "./command-spec.ts";
import { silentLog } from "./silent-log.ts";
import { openVaultHere, secretsHere } from "./vault-here.ts";

/** What is wrong with the file is told by the command itself, from the snapshot. */
export function openConfig(paths: StatePaths, env: CommandCall["env"]): ConfigStore {
  const secrets = secretsHere(openVaultHere(paths, env), paths);
  return createConfigStore({ paths, env, clock: systemClock, log: silentLog, version: VERSION, secrets });
}
