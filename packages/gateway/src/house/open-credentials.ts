// Opens the credentials: the vault and the places that refer to it. Loaded when somebody asks about them.
import type { House } from "./house.ts";
import { createCredentialDesk, type CredentialDesk } from "./credentials/credential-desk.ts";
import { listWorkspaces } from "./start/vault.ts";

export async function openCredentialDesk(
  house: Pick<House, "vault" | "config" | "paths" | "models" | "clock">,
): Promise<CredentialDesk> {
  const { config, paths, models, clock } = house;
  const workspaces = () => listWorkspaces(config, paths);
  return createCredentialDesk({ vault: await house.vault.open(), config, paths, models, clock, workspaces });
}
