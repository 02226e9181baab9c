// Sets a damaged index file aside under another name, so that a new one can take its place.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** CORRUPT and NOTADB. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);
const MOST_KEPT = 3;
const SIDE_FILES = ["-wal", "-shm", "-journal"];

export function isDamage(error: unknown): boolean {
  const code = typeof error === "object" && error && "errcode" in error ? Number(error.errcode) : 0;
  return DAMAGED.has(code & 0xff);
}

/** The next one who opens the file sets it aside: while it is open, that cannot be done. */
export function condemnFile(path: string, why: string): void {
  writeFileSync(markerOf(path), why, { mode: 0o600 });
}

export function whyCondemned(path: string): string | undefined {
  return existsSync(markerOf(path)) ? readFileSync(markerOf(path), "utf8") : undefined;
}

/** Keeps the file under a name with the time of its last change; of those, the newest few stay. */
export function setFileAside(path: string): void {
  if (existsSync(path)) {
    const time = statSync(path).mtime.toISOString().replaceAll(":", "-");
    renameSync(path, `${path}.damaged-${time}`);
  }
  for (const end of SIDE_FILES) rmSync(path + end, { force: true });
  rmSync(markerOf(path), { force: true });
  for (const kept of setAside(path).slice(0, -MOST_KEPT)) rmSync(kept, { force: true });
}

/** What is forgotten stands in them, too. */
export function removeFilesAside(path: string): void {
  for (const kept of setAside(path)) rmSync(kept, { force: true });
}

/** Oldest first. */
function setAside(path: string): string[] {
  const folder = dirname(path);
  const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}.damaged-`));
  return names.toSorted().map((name) => join(folder, name));
}

const markerOf = (path: string): string => `${path}.is-damaged`;
