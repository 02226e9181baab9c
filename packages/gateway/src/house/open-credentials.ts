// Opens the credentials: the vault and the places that refer to it. Loaded when somebody asks about them.
import type { House } from "./house.ts";
import { createStoredCredentials, type StoredCredentials } from "./credentials/stored-credentials.ts";
import { listWorkspaces } from "./start/vault.ts";

export async function openStoredCredentials(
  house: Pick<House, "vault" | "config" | "paths" | "models" | "clock">,
): Promise<StoredCredentials> {
  const { config, paths, models, clock } = house;
  const workspaces = () => listWorkspaces(config, paths);
  return createStoredCredentials({ vault: await house.vault.open(), config, paths, models, clock, workspaces });
}
