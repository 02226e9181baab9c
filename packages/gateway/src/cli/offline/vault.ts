// The vault as this process opens it, for commands that work on the files instead of asking a gateway.
import { join } from "node:path";
import type { SecretStore, StatePaths } from "../../rooms/config/room.ts";
import { readEnvironmentFile } from "../../rooms/config/read/environment.ts";
import { answerSecret } from "../../house/credentials/credential-places.ts";
import type { ProfileVault } from "../../rooms/models/room.ts";
import { createVault, vaultPath, type Vault } from "../../rooms/vault/room.ts";
import { commandClock } from "./command-clock.ts";
import { silentLog } from "../../base/terminal/command-log.ts";

type Env = Readonly<Record<string, string | undefined>>;

export function openVault(
  paths: StatePaths,
  env: Env,
  workspaces = () => ["workspace", "workspaces"].map((name) => join(paths.stateDir, name)),
): Vault {
  return createVault({
    stateDir: paths.stateDir,
    clock: commandClock,
    log: silentLog,
    env: () => ({ ...readEnvironmentFile(paths.envPath).values, ...env }),
    workspaces,
  });
}

/** For a configuration that refers to it. */
export function secretsOf(vault: Vault, { stateDir }: StatePaths): SecretStore {
  return {
    resolve: (reference, place, config) => answerSecret(vault, reference, place, config),
    files: () => (vault.exists() ? [vaultPath(stateDir)] : []),
  };
}

/** For the profiles of agents. */
export function profilesOf(vault: Vault): ProfileVault {
  return {
    stamp: () => vault.stamp(),
    ready: async () => {},
    find(id) {
      const found = vault.find(id);
      return found.kind === "found" ? found.secret : undefined;
    },
    keep: (secrets) =>
      vault.put(secrets.map(({ value, ...about }) => ({ ...about, content: { kind: "value", value } }))),
    async drop(ids) {
      const known = new Set(vault.list().map(({ id }) => id));
      const left = ids.filter((id) => known.has(id));
      if (left.length > 0) await vault.remove(left);
    },
    used: () => {},
  };
}
