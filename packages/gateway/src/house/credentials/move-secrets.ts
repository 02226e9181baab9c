// Moves plain secrets into the vault and leaves references behind, and the way back for programs that know no vault.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { GatewayError, type Clock } from "@chela/sdk";
import { waitForLock } from "../../base/locks/lock-file.ts";
import { writeFileAtomic, isInside } from "@chela/sdk/files";
import { parsePath, vaultIdIn } from "../../rooms/config/room.ts";
import type { Vault } from "../../rooms/vault/room.ts";
import {
  freeId,
  placedSecrets,
  readIfPresent,
  secretFiles,
  type PlacedSecret,
  type PlacesParts,
} from "./secret-places.ts";

export interface MoveParts extends PlacesParts {
  readonly vault: Vault;
  readonly clock: Clock;
  workspaces(): readonly string[];
}

export interface Moved {
  readonly where: string;
  readonly id: string;
}

const LOCK_PATIENCE_MS = 10_000;
const BACKUPS = ["", ".1", ".2", ".3", ".4"];

/** The vault has all of them before the first file is touched: a crash leaves a secret in both places, never in none. */
export async function importSecrets(parts: MoveParts): Promise<Moved[]> {
  const placed = placedSecrets(parts);
  const taken = new Set(placed.flatMap(({ content }) => (content.kind === "vault" ? [content.id] : [])));
  const plain = placed.flatMap((one) => {
    if (one.content.kind !== "plain") return [];
    const { credential } = one.content;
    // Those of files are known again by their ids.
    const id = one.configPath === undefined ? credential.id : freeId(credential.id, (wanted) => taken.has(wanted));
    taken.add(id);
    return [{ ...one, credential: { ...credential, id } }];
  });
  if (plain.length === 0) return [];
  await parts.vault.put(plain.map(({ credential }) => credential));
  for (const file of secretFiles(parts)) {
    await rewriteFile(file.path, parts.clock, (text) =>
      file.rewrite(text, (value, credential) => {
        const { id } = credential();
        const found = parts.vault.find(id);
        return vaultIdIn(value) === undefined && found.kind === "found" && found.secret.reveal() === value
          ? `vault:${id}`
          : undefined;
      }),
    );
  }
  moveInConfig(plain, parts);
  return plain.map(({ where, credential: { id } }) => ({ where, id }));
}

function moveInConfig(plain: readonly (PlacedSecret & { credential: { id: string } })[], parts: MoveParts): void {
  const { config, paths, vault } = parts;
  // All in one step where that can be said as a patch; places in lists are changed one by one.
  const patch: Nested = {};
  const single: Array<readonly [string, string]> = [];
  for (const { configPath, credential } of plain) {
    if (configPath === undefined) continue;
    const path = parsePath(configPath);
    const reference = `vault:${credential.id}`;
    if (path.every((key) => typeof key === "string")) putNested(patch, path, reference);
    else single.push([configPath, reference]);
  }
  if (Object.keys(patch).length > 0) config.mergePatch(JSON.stringify(patch), config.describe().hash);
  for (const [path, reference] of single) config.setPath(path, reference);
  // The versions before this one are kept beside it; what was moved must not stay behind there.
  for (const suffix of BACKUPS) {
    const path = `${paths.configPath}.bak${suffix}`;
    const text = readIfPresent(path);
    if (text === undefined) continue;
    const cleaned = plain.reduce((result, { configPath, credential: { id } }) => {
      const found = configPath === undefined ? undefined : vault.find(id);
      if (found?.kind !== "found") return result;
      return result.replaceAll(JSON.stringify(found.secret.reveal()), JSON.stringify(`vault:${id}`));
    }, text);
    if (cleaned !== text) writeFileAtomic(path, cleaned);
  }
}

interface Nested {
  [key: string]: Nested | string;
}

function putNested(root: Nested, path: readonly string[], value: string): void {
  const [key = "", ...rest] = path;
  if (rest.length === 0) {
    root[key] = value;
    return;
  }
  const below = root[key];
  const next: Nested = typeof below === "object" ? below : {};
  root[key] = next;
  putNested(next, rest, value);
}

async function rewriteFile(path: string, clock: Clock, change: (text: string) => string): Promise<void> {
  if (!existsSync(path)) return;
  const release = await waitForLock(`${path}.lock`, clock, LOCK_PATIENCE_MS);
  if (!release) throw new GatewayError("CREDENTIAL_STORE", `${path} is being changed by another process`);
  try {
    const text = readIfPresent(path) ?? "";
    const after = change(text);
    if (after !== text) writeFileAtomic(path, after);
  } finally {
    release();
  }
}

/** Writes OpenClaw's files with plain secrets into a directory of their own. Returns what was written. */
export function exportSecrets(directory: string, parts: MoveParts): string[] {
  const inside = parts.workspaces().find((one) => isInside(one, directory));
  if (inside !== undefined) {
    throw new GatewayError("CREDENTIAL_REFUSED", `${directory} lies in the workspace ${inside}, where agents read`);
  }
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new GatewayError("CREDENTIAL_REFUSED", `${directory} is not empty; name a directory that does not exist yet`);
  }
  const { config, paths } = parts;
  const texts = secretFiles(parts).flatMap(({ path, relative, rewrite }) => {
    const text = readIfPresent(path);
    if (text === undefined) return [];
    return [{ relative, text: rewrite(text, (value) => plainValue(value, parts)) }];
  });
  const raw = readIfPresent(paths.configPath);
  if (raw !== undefined) {
    const ids = config.writtenSecrets().flatMap(({ content }) => (content.kind === "vault" ? [content.id] : []));
    const text = [...new Set(ids)].reduce((result, id) => {
      const value = JSON.stringify(plainValue(`vault:${id}`, parts));
      return [`"vault:${id}"`, `'vault:${id}'`, `"\${vault:${id}}"`].reduce(
        (changed, written) => changed.replaceAll(written, () => value),
        result,
      );
    }, raw);
    texts.push({ relative: "openclaw.json", text });
  }
  for (const { relative, text } of texts) writeFileAtomic(join(directory, relative), text);
  return texts.map(({ relative }) => relative);
}

/** Throws CREDENTIAL_UNREADABLE: an export that lacks one is of no use. */
function plainValue(text: string, { vault }: MoveParts): string | undefined {
  const id = vaultIdIn(text);
  if (id === undefined) return undefined;
  const found = vault.find(id);
  if (found.kind === "found") return found.secret.reveal();
  throw new GatewayError(
    "CREDENTIAL_UNREADABLE",
    found.kind === "unreadable" ? found.why : `there is no entry "${id}"`,
  );
}
