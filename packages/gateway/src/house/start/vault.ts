// The vault of a start: there before the configuration, which may refer to it, and told of the configuration afterwards.
import { join } from "node:path";
import type { Clock } from "@chela/sdk";
import type { LogSink } from "../../base/log.ts";
import { agentSettings, readEnvironmentFile, type ConfigStore, type StatePaths } from "../../rooms/config/room.ts";
import { listAgents } from "../../rooms/routing/room.ts";
import { createLazyVault, type LazyVault } from "./lazy-vault.ts";

export interface StartVault {
  readonly door: LazyVault;
  /** From now on the configuration says which variables and workspaces there are, and hears of changed secrets. */
  serve(config: ConfigStore): Promise<void>;
}

export function openVaultDoor(parts: {
  readonly paths: StatePaths;
  readonly clock: Clock;
  readonly log: LogSink;
  readonly env: Readonly<Record<string, string | undefined>>;
}): StartVault {
  const { paths, clock, log } = parts;
  let config: ConfigStore | undefined;
  const door = createLazyVault({
    stateDir: paths.stateDir,
    clock,
    log,
    env: () => config?.effectiveEnv() ?? { ...readEnvironmentFile(paths.envPath).values, ...parts.env },
    workspaces: () => (config ? listWorkspaces(config, paths) : usualWorkspaces(paths)),
    onSecret: (value) => log.addSecret(value),
  });
  return {
    door,
    async serve(store) {
      config = store;
      await door.openIfNeeded();
      if (door.wasMissed()) store.refresh();
      door.onChange(() => store.refresh());
    },
  };
}

export function listWorkspaces(config: ConfigStore, paths: StatePaths): string[] {
  const current = config.current();
  const named = listAgents(current).map((agent) => agentSettings(current, agent, paths).workspace);
  return [...named, ...usualWorkspaces(paths)];
}

function usualWorkspaces({ stateDir }: StatePaths): string[] {
  return [join(stateDir, "workspace"), join(stateDir, "workspaces")];
}
