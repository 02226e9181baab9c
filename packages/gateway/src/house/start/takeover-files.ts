// Puts small files of other versions where they are looked for today: an index of notes, and sign-ins. Originals stay.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join, relative } from "node:path";
import type { Change, Ledger, Logger } from "@chela/sdk";
import { writeFileAtomic } from "@chela/sdk/files";
import type { FilesToTake, TakeoverPlaces } from "./takeover-places.ts";

export interface TakeoverFiles extends TakeoverPlaces {
  readonly ledger: Ledger;
  readonly log: Logger;
}

type FileRecord = Record<string, unknown>;

/** In the ledger: the digest a file had when it was taken over, so that what is taken away later stays away. */
const takenKey = (file: string): string => `taken-over:${file}`;

/** Places, relative to the state directory, that were taken over now. */
export async function takeOverFiles(files: FilesToTake, parts: TakeoverFiles): Promise<string[]> {
  const taken: string[] = [];
  for (const { from, to } of files.notes) {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    copyFileSync(from, to);
    taken.push(relative(parts.stateDir, from));
  }
  for (const { path, agentId } of files.signIns) taken.push(...(await takeSignIns(path, agentId, parts)));
  for (const file of taken) parts.log.info("a file of another version was taken over", { file });
  return taken;
}

/** Sign-ins by provider become profiles of an agent; a profile that is there stays as it is. */
async function takeSignIns(path: string, agentId: string, parts: TakeoverFiles): Promise<string[]> {
  const text = readFileSync(path, "utf8");
  const name = relative(parts.stateDir, path);
  const digest = createHash("sha256").update(text).digest("hex");
  if ((await parts.ledger.value(takenKey(name))) === digest) return [];
  const found = Object.entries(parseRow(text) ?? {}).flatMap(([provider, value]) => toProfile(provider, value));
  const added = addProfiles(join(parts.agentDir(agentId), "auth-profiles.json"), found);
  const mark: Change = { kind: "value-put", key: takenKey(name), value: digest };
  await parts.ledger.commit([mark]);
  return added > 0 ? [name] : [];
}

function toProfile(provider: string, value: unknown): Array<readonly [string, FileRecord]> {
  const row = asRow(value);
  if (!row || !/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(provider)) return [];
  const type = row["type"] ?? (row["access"] === undefined ? "api_key" : "oauth");
  return [[`${provider.toLowerCase()}:default`, { ...row, type, provider: provider.toLowerCase() }]];
}

function addProfiles(path: string, found: ReadonlyArray<readonly [string, FileRecord]>): number {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "{}";
  const document = parseRow(text);
  // What cannot be read is somebody's, and not ours to replace.
  if (!document) return 0;
  const profiles = asRow(document["profiles"]) ?? {};
  const fresh = found.filter(([id]) => profiles[id] === undefined);
  if (fresh.length === 0) return 0;
  const all = { ...profiles, ...Object.fromEntries(fresh) };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic(path, `${JSON.stringify({ version: 1, ...document, profiles: all }, null, 2)}\n`);
  return fresh.length;
}

function parseRow(text: string): FileRecord | undefined {
  try {
    return asRow(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asRow(value: unknown): FileRecord | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as FileRecord) : undefined;
}
