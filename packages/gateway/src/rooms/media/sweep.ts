// Decides which kept files go, and removes them: by age first, then by how long nobody used them.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "@chela/sdk/files";
import { isNote, mediaIdOf, removeNote, type Direction } from "./stored-media.ts";

export interface Keeping {
  readonly inboundMs: number;
  readonly outboundMs: number;
  /** For both directions together. */
  readonly maxBytes: number;
}

export interface Swept {
  readonly files: number;
  readonly bytes: number;
}

export interface SweepQuestion {
  readonly now: number;
  readonly folders: Readonly<Record<Direction, string>>;
  readonly keeping: Keeping;
  readonly inUse: ReadonlySet<string>;
  isArriving(name: string): boolean;
  /** Nobody takes or finds the same content meanwhile. */
  exclusively<T>(id: string, work: () => Promise<T>): Promise<T>;
}

export const PART_ENDING = ".part";
const JUST_NOW_MS = 60_000;

interface KeptFile {
  readonly id: string;
  readonly folder: string;
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
  readonly isOld: boolean;
}

export async function sweepFolders(question: SweepQuestion): Promise<Swept> {
  const inbound = await look("inbound", question);
  const outbound = await look("outbound", question);
  const files = [...inbound, ...outbound].sort((a, b) => a.usedAt - b.usedAt);
  let held = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let swept: Swept = { files: 0, bytes: 0 };
  for (const file of removable(files, question)) {
    if (!file.isOld && held <= question.keeping.maxBytes) break;
    if (!(await remove(file, question))) continue;
    held -= file.bytes;
    swept = { files: swept.files + 1, bytes: swept.bytes + file.bytes };
  }
  return swept;
}

/** In the order they go. What was used just now is about to be sent or read, even when there is too much. */
function removable(files: readonly KeptFile[], { inUse, now }: SweepQuestion): KeptFile[] {
  const free = files.filter(({ id }) => !inUse.has(id));
  const spare = free.filter(({ isOld, usedAt }) => !isOld && now - usedAt >= JUST_NOW_MS);
  return [...free.filter(({ isOld }) => isOld), ...spare];
}

/** What lies in a folder. Files that are not ours stay; what a crash left half written goes at once. */
async function look(direction: Direction, question: SweepQuestion): Promise<KeptFile[]> {
  const folder = question.folders[direction];
  const lifetime = direction === "inbound" ? question.keeping.inboundMs : question.keeping.outboundMs;
  const names = await namesIn(folder);
  const kept: KeptFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const id = mediaIdOf(name);
    if (name.endsWith(PART_ENDING) && !question.isArriving(name)) await rm(path, { force: true });
    if (id === undefined || isNote(name)) continue;
    const found = await stat(path).catch(nothingThere);
    if (!found?.isFile()) continue;
    const { size: bytes, mtimeMs: usedAt } = found;
    kept.push({ id, folder, path, bytes, usedAt, isOld: question.now - usedAt > lifetime });
  }
  const withFile = new Set(kept.map(({ id }) => id));
  for (const id of new Set(names.filter(isNote).map((name) => mediaIdOf(name)))) {
    if (id !== undefined && !withFile.has(id)) await removeLostNote(id, folder, question);
  }
  return kept;
}

async function remove(file: KeptFile, { exclusively }: SweepQuestion): Promise<boolean> {
  return await exclusively(file.id, async () => {
    const now = await stat(file.path).catch(nothingThere);
    // Somebody used it since it was looked at.
    if (!now || now.mtimeMs !== file.usedAt) return false;
    await rm(file.path, { force: true });
    removeNote(file.id, file.folder);
    return true;
  });
}

async function removeLostNote(id: string, folder: string, { exclusively }: SweepQuestion): Promise<void> {
  await exclusively(id, async () => {
    const names = await namesIn(folder);
    if (!names.some((name) => mediaIdOf(name) === id && !isNote(name))) removeNote(id, folder);
  });
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(nothingThere)) ?? [];
}

function nothingThere(error: unknown): undefined {
  if (errnoOf(error) !== "ENOENT") throw error;
}
