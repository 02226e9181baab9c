// Opens the models with the configuration, the credentials of agents and the vault.
import { join } from "node:path";
import type { Clock, Ids, ModelProvider } from "@chela/sdk";
import type { LogSink } from "../base/log.ts";
import { agentDirectory, type ConfigStore, type StatePaths } from "../rooms/config/room.ts";
import { createModels, type Models } from "../rooms/models/room.ts";
import type { LazyVault } from "./start/lazy-vault.ts";

export interface ModelsGround {
  readonly config: ConfigStore;
  readonly paths: StatePaths;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: LogSink;
  readonly vault: Pick<LazyVault, "profiles">;
  readonly providers?: Readonly<Record<string, ModelProvider>> | undefined;
  /** Other addresses for the token endpoints of sign-ins, by provider. */
  readonly tokenEndpoints?: Readonly<Record<string, string>> | undefined;
}

export function openModels({ config, paths, clock, ids, log, vault, providers, tokenEndpoints }: ModelsGround): Models {
  return createModels({
    config: () => config.current(),
    env: () => config.effectiveEnv(),
    clock,
    log,
    ids,
    agentDir: (agentId) => agentDirectory(config.current(), agentId, paths),
    onSecret: (secret) => log.addSecret(secret),
    vault: vault.profiles,
    copilotTokenFile: join(paths.stateDir, "credentials", "github-copilot.token.json"),
    ...(providers ? { providers } : {}),
    ...(tokenEndpoints ? { tokenEndpoints } : {}),
  });
}
