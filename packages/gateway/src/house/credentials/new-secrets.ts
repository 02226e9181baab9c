// Secrets that somebody gives for the configuration: the vault keeps them, and the configuration only refers to them.
import { GatewayError } from "@chela/sdk";
import type { PatchPreview, WriteReport } from "../../rooms/config/room.ts";
import type { NewCredential, Vault } from "../../rooms/vault/room.ts";
import { freeId, placedSecrets, staysInConfig, toCredential, type PlacesParts } from "./secret-places.ts";

export interface KeepingParts extends PlacesParts {
  readonly vault: Vault;
}

interface KeptSecret {
  /** Of the credential. */
  readonly id: string;
  readonly service: string;
  /** Where the configuration refers to it. */
  readonly where: string;
}

export interface KeepingPatch {
  readonly report: WriteReport;
  readonly kept: readonly KeptSecret[];
}

/**
 * The vault first: a crash in between leaves an entry that nobody refers to, and that is taken again the next time.
 * Throws what `config.mergePatch` does, before anything is written; CREDENTIAL_STORE or CREDENTIAL_UNREADABLE likewise.
 */
export async function patchKeepingSecrets(
  raw: string,
  baseHash: string | undefined,
  parts: KeepingParts,
): Promise<KeepingPatch> {
  const { config, vault } = parts;
  const placed = placeSecrets(config.previewPatch(raw, baseHash), parts);
  if (placed.length > 0) await keepAll(placed, vault);
  const references = new Map(placed.map(({ where, credential }) => [where, `vault:${credential.id}`]));
  const report = config.mergePatch(raw, baseHash, references);
  return { report, kept: placed.map(({ where, credential: { id, service } }) => ({ id, service, where })) };
}

interface PlacedCredential {
  readonly where: string;
  readonly credential: NewCredential;
}

function placeSecrets({ config, secrets, fresh }: PatchPreview, parts: KeepingParts): PlacedCredential[] {
  const users = [
    ...secrets.map(({ path, content }) => ({ where: path, content })),
    ...placedSecrets(parts).filter(({ configPath }) => configPath === undefined),
  ].flatMap(({ where, content }) => (content.kind === "vault" ? [{ where, id: content.id }] : []));
  const placed: PlacedCredential[] = [];
  for (const { path: where, value } of fresh.filter(({ path }) => !staysInConfig(path))) {
    const credential = toCredential(where, value, config as Readonly<Record<string, unknown>>);
    const id = freeId(credential.id, (wanted) => {
      const isUsed = users.some((user) => user.id === wanted) || placed.some((one) => one.credential.id === wanted);
      return isUsed || isBoundElsewhere(wanted, where, credential, parts);
    });
    placed.push({ where, credential: { ...credential, id } });
  }
  return placed;
}

/** What stands there now goes on with its old value and address until the configuration says otherwise. */
function isBoundElsewhere(
  id: string,
  where: string,
  { origin }: NewCredential,
  { vault, config }: KeepingParts,
): boolean {
  const isInUse = config
    .writtenSecrets()
    .some(({ path, content }) => path === where && content.kind === "vault" && content.id === id);
  const entry = isInUse ? vault.list().find((one) => one.id === id) : undefined;
  return entry !== undefined && entry.origin !== (origin === undefined ? undefined : new URL(origin).origin);
}

async function keepAll(placed: readonly PlacedCredential[], vault: Vault): Promise<void> {
  try {
    await vault.put(placed.map(({ credential }) => credential));
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    throw new GatewayError(error.code, `${error.detail}; so nothing was written, and the configuration is as it was`, {
      cause: error,
    });
  }
}
