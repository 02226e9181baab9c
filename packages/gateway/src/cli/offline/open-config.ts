// The configuration with its schema, for commands that check or change it.
import type { CommandCall } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { createConfigStore, type ConfigStore, type StatePaths } from "../../rooms/config/room.ts";
import { VERSION } from "../../version.ts";
import { silentLog } from "../../base/terminal/command-log.ts";
import { openVault, secretsOf } from "./vault.ts";

/** What is wrong with the file is told by the command itself, from the snapshot. */
export function openConfig(paths: StatePaths, env: CommandCall["env"]): ConfigStore {
  const secrets = secretsOf(openVault(paths, env), paths);
  return createConfigStore({ paths, env, clock: systemClock, log: silentLog, version: VERSION, secrets });
}
