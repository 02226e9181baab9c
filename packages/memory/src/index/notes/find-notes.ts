// Finds the notes of an agent on the disk: MEMORY.md, the folder memory, and further files and folders. Follows no link out of them.
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";

export interface NoteFile {
  /** As the index names it: inside the workspace from there, otherwise absolute. */
  readonly path: string;
  /** Where it really lies. */
  readonly real: string;
  readonly mtime: number;
  readonly size: number;
}

export interface FoundNotes {
  readonly files: readonly NoteFile[];
  /** What could not be looked at, a sentence each. */
  readonly notes: readonly string[];
  /** Paths that could not be looked at: what is known of the notes at and below them stays. */
  readonly unread: readonly string[];
}

interface Search {
  readonly workspace: string;
  readonly files: Map<string, NoteFile>;
  readonly notes: string[];
  readonly unread: string[];
}

/** What lies in one place, and must not lead out of it. */
interface NotesFolder {
  readonly root: string;
  readonly endings: ReadonlySet<string>;
}

const NOTE = new Set([".md"]);
const EXTRA = new Set([".md", ".txt"]);
const DEEPEST = 20;
const AT_ONCE = 32;

export async function findNotes(workspace: string, extraPaths: readonly string[]): Promise<FoundNotes> {
  const search: Search = { workspace, files: new Map(), notes: [], unread: [] };
  const root = await realpath(workspace).catch(() => undefined);
  if (root !== undefined) {
    const place = { root, endings: NOTE };
    for (const name of ["MEMORY.md", "memory.md"]) await look(search, place, join(workspace, name), true);
    await look(search, place, join(workspace, "memory"), true);
  }
  for (const extra of extraPaths) {
    const path = resolve(workspace, extra);
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) search.notes.push(`The further path ${path} is not there.`);
    else await look(search, { root: real, endings: EXTRA }, path, false);
  }
  return { files: [...search.files.values()], notes: search.notes, unread: search.unread };
}

/** A path that is named by configuration or convention: a file, or a folder. */
async function look(search: Search, place: NotesFolder, path: string, mayBeMissing: boolean): Promise<void> {
  try {
    const real = await realpath(path);
    if (!isInside(place.root, real)) {
      search.notes.push(`${nameOf(search, path)} is a link that leads elsewhere; it is not read.`);
    } else if ((await stat(real)).isDirectory()) {
      await walk(search, place, path, real, new Set([real]));
    } else if (place.endings.has(extname(path).toLowerCase())) {
      await take(search, path, real);
    } else {
      search.notes.push(`${nameOf(search, path)} is no note: notes are Markdown and text files.`);
    }
  } catch (error) {
    if (mayBeMissing && codeOf(error) === "ENOENT") return;
    notRead(search, path, error);
  }
}

async function walk(
  search: Search,
  place: NotesFolder,
  folder: string,
  real: string,
  above: ReadonlySet<string>,
): Promise<void> {
  let entries: Dirent[];
  try {
    entries = await readdir(real, { withFileTypes: true });
  } catch (error) {
    notRead(search, folder, error);
    return;
  }
  // Hidden folders are what programs keep for themselves.
  const shown = entries.filter(({ name }) => !name.startsWith(".")).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (let at = 0; at < shown.length; at += AT_ONCE) {
    const some = shown
      .slice(at, at + AT_ONCE)
      .map((entry) => enter(search, place, join(folder, entry.name), entry, real, above));
    await Promise.all(some);
  }
}

async function enter(
  search: Search,
  place: NotesFolder,
  path: string,
  entry: Dirent,
  parent: string,
  above: ReadonlySet<string>,
): Promise<void> {
  const isNote = place.endings.has(extname(entry.name).toLowerCase());
  if (!entry.isDirectory() && !entry.isSymbolicLink()) {
    if (entry.isFile() && isNote) await take(search, path, join(parent, entry.name));
    return;
  }
  try {
    const real = await realpath(path);
    const isFolder = entry.isDirectory() || (await stat(real)).isDirectory();
    if (!isFolder && !isNote) return;
    if (!isInside(place.root, real)) {
      search.notes.push(`${nameOf(search, path)} is a link that leads elsewhere; it is not read.`);
    } else if (!isFolder) {
      await take(search, path, real);
    } else if (!above.has(real) && above.size < DEEPEST) {
      await walk(search, place, path, real, new Set([...above, real]));
    }
  } catch (error) {
    if (entry.isDirectory() || isNote) notRead(search, path, error);
  }
}

/** The same file under two names, as MEMORY.md and memory.md are on some disks, is one note. */
async function take(search: Search, path: string, real: string): Promise<void> {
  try {
    const { mtimeMs, size } = await stat(real);
    const file = { path: nameOf(search, path), real, mtime: Math.floor(mtimeMs), size };
    if (!search.files.has(real)) search.files.set(real, file);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") notRead(search, path, error);
  }
}

function notRead(search: Search, path: string, error: unknown): void {
  search.notes.push(`${nameOf(search, path)} cannot be read (${codeOf(error) ?? "unknown reason"}).`);
  search.unread.push(nameOf(search, path));
}

function nameOf({ workspace }: Search, path: string): string {
  const inside = relative(workspace, path);
  const isOutside = inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return (isOutside ? path : inside).replaceAll(sep, "/");
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error && "code" in error ? String(error.code) : undefined;
}
