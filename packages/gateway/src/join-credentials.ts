// Joins the vault with the places that refer to it. Loaded when somebody asks about credentials.
import type { Clock } from "@chela/sdk";
import type { ConfigStore, StatePaths } from "./config/room.ts";
import { createCredentialDesk, type CredentialDesk } from "./credential-desk/credential-desk.ts";
import type { Models } from "./models/room.ts";
import { listWorkspaces } from "./start-vault.ts";
import type { VaultDoor } from "./vault-door.ts";

export async function openCredentialDesk(parts: {
  readonly vault: VaultDoor;
  readonly config: ConfigStore;
  readonly paths: StatePaths;
  readonly models: Models;
  readonly clock: Clock;
}): Promise<CredentialDesk> {
  const { config, paths, models, clock } = parts;
  const workspaces = () => listWorkspaces(config, paths);
  return createCredentialDesk({ vault: await parts.vault.open(), config, paths, models, clock, workspaces });
}
