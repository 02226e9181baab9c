// The notes of an agent as files: which ones there are, reading parts of them, and writing them whole, never outside of their place.
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { GatewayError } from "@chela/sdk";
import { errnoOf, writeFileAtomic, isInside } from "@chela/sdk/files";
import type { IndexedNote } from "@chela/memory";

export interface NotesParts {
  readonly workspace: string;
  /** Absolute; read, never written. */
  readonly extraPaths: readonly string[];
  indexed(): Promise<readonly IndexedNote[]>;
}

export interface Note {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
  /** There is more of it than is read at once. */
  readonly isCut: boolean;
}

export interface ListedNote extends IndexedNote {
  readonly isWritable: boolean;
}

const MOST_BYTES = 5_000_000;
const OWN = ["MEMORY.md", "memory.md"];

export class Notes {
  readonly #parts: NotesParts;

  constructor(parts: NotesParts) {
    this.#parts = parts;
  }

  async list(): Promise<ListedNote[]> {
    return (await this.#parts.indexed()).map((note) => ({ ...note, isWritable: this.#isOwn(note.path) }));
  }

  /** Undefined when there is no such file. Throws MEMORY_NOTE for what is no note. */
  read(path: string): Note | undefined {
    const place = this.#locate(path);
    // A folder may be swapped for a link between a look and the opening: what was opened is looked up once more.
    const content = readPlain(place, () => this.#locate(path));
    if (content === undefined) return undefined;
    return { path, ...content };
  }

  /** Some lines of a note; "" when there is no such file or line. */
  lines(path: string, from: number, count: number | undefined): string {
    const text = this.read(path)?.text ?? "";
    if (from <= 1 && count === undefined) return text;
    const lines = text.split("\n");
    return lines.slice(from - 1, count === undefined ? undefined : from - 1 + count).join("\n");
  }

  write(path: string, text: string, baseHash: string | undefined): string {
    const place = this.#own(path);
    this.#refuseChanged(path, baseHash);
    const before = lstatSync(place, { throwIfNoEntry: false });
    if (before && !before.isFile()) throw refused(`${path} is not a regular file, so it is not replaced`);
    // Whoever read it has not seen all of it, and would cut it off.
    if (before && before.size > MOST_BYTES) throw refused(`${path} is too long to be changed here`);
    try {
      writeFileAtomic(place, text, before ? before.mode & 0o777 : 0o600);
    } catch (error) {
      throw refused(`${path} could not be written (${errnoOf(error) ?? String(error)})`);
    }
    return hashOf(text);
  }

  delete(path: string, baseHash: string | undefined): boolean {
    const place = this.#own(path);
    this.#refuseChanged(path, baseHash);
    const before = lstatSync(place, { throwIfNoEntry: false });
    if (!before) return false;
    if (!before.isFile()) throw refused(`${path} is not a regular file, so it is not deleted`);
    rmSync(place);
    return true;
  }

  #refuseChanged(path: string, baseHash: string | undefined): void {
    if (baseHash === undefined) return;
    const now = this.read(path)?.hash ?? "";
    if (now !== baseHash) throw refused(`${path} was changed by somebody else meanwhile; read it again first`);
  }

  #isOwn(path: string): boolean {
    return OWN.includes(path) || (path.startsWith("memory/") && /\.md$/i.test(path));
  }

  #own(path: string): string {
    const place = this.#locate(path);
    if (!this.#isOwn(path)) throw refused(`${path} is outside of the workspace; it is changed where it lies`);
    return place;
  }

  /** The absolute path of a note, whose folder really lies where notes do. */
  #locate(path: string): string {
    if (path.includes("\0") || normalize(path) !== path) throw refused(`${JSON.stringify(path)} is no plain path`);
    const { workspace, extraPaths } = this.#parts;
    if (this.#isOwn(path)) {
      return inside(join(workspace, path), workspace, path);
    }
    const written = isAbsolute(path) ? path : join(workspace, path);
    const root = extraPaths.find((extra) => isInside(extra, written));
    if (root === undefined || !/\.(?:md|txt)$/i.test(path)) throw refused(`${path} is none of the agent's notes`);
    return inside(written, written === root ? dirname(root) : root, path);
  }
}

/** Links on the way may lead anywhere: the folder is looked up before it is believed. */
function inside(place: string, root: string, path: string): string {
  const home = realOf(root);
  if (home === undefined) return place;
  // What is not there yet is made below the nearest folder that is.
  let folder = dirname(place);
  let parent = realOf(folder);
  while (parent === undefined && folder !== dirname(folder)) {
    folder = dirname(folder);
    parent = realOf(folder);
  }
  if (!isInside(home, parent ?? folder)) throw refused(`${path} lies outside of the notes`);
  return place;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Undefined when it is missing. A link, a folder or a pipe is no note. */
function readPlain(place: string, lookAgain: () => void): { text: string; hash: string; isCut: boolean } | undefined {
  let file: number;
  try {
    file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return undefined;
    throw refused(`${place} cannot be read (${errnoOf(error) ?? String(error)})`);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw refused(`${place} is not a regular file`);
    lookAgain();
    const there = lstatSync(place, { throwIfNoEntry: false });
    if (there?.ino !== stat.ino || there.dev !== stat.dev) throw refused(`${place} was moved meanwhile`);
    const bytes = Buffer.alloc(Math.min(stat.size, MOST_BYTES));
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, length);
    }
    const text = bytes.toString("utf8", 0, length);
    return { text, hash: hashOf(text), isCut: stat.size > MOST_BYTES };
  } finally {
    closeSync(file);
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function refused(why: string): GatewayError {
  return new GatewayError("MEMORY_NOTE", why);
}
