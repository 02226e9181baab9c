// A new version of a file, written in full beside it and put into its place by one rename.
import { randomBytes } from "node:crypto";
import { accessSync, constants, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import { GatewayError } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { fileFailure } from "./file-failure.ts";
import type { HeldFolder } from "./held-folder.ts";
import type { LocatedPath } from "./locate.ts";
import { fingerprintOf } from "./open-file.ts";

/** What stood at the place when the new version was made: a fingerprint, nothing, or whatever (undefined). */
type Expected = string | "absent" | undefined;

export interface StagedFile {
  /** Puts the new version into place. Nothing is changed when it throws. */
  commit(expected: Expected): void;
  /** Takes a file away again that did not exist before `commit`. */
  revoke(): void;
  /** Lets go of everything; what is not in place is removed, also directories that were made for it. */
  settle(): void;
}

const CHUNK = 1 << 20;

export function temporaryName(): string {
  return `.chela-${randomBytes(8).toString("hex")}.tmp`;
}

/** A version that replaces another one has its rights, a new file those of `newMode` if given. */
export async function stageFile(
  place: LocatedPath,
  bytes: Uint8Array,
  signal: AbortSignal,
  newMode?: number,
): Promise<StagedFile> {
  const parents = new Parents(place.folder);
  const temporary = temporaryName();
  let isInPlace = false;
  const settle = () => {
    if (!isInPlace) removeQuietly(parents.last, temporary);
    parents.leave(isInPlace ? "keep" : "remove");
  };
  try {
    const rights = rightsOf(place) ?? (newMode === undefined ? undefined : { mode: newMode });
    parents.make(place.missing);
    await writeFlushed(parents.last, temporary, bytes, rights, signal);
  } catch (error) {
    settle();
    throw fileFailure(error, "TOOL_DISK", `"${place.written}" cannot be written`);
  }
  return {
    commit(expected) {
      putIntoPlace(place, parents.last, temporary, expected);
      isInPlace = true;
    },
    revoke() {
      removeQuietly(parents.last, place.name);
      isInPlace = false;
    },
    settle,
  };
}

interface Rights {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/** The rights of the version that is replaced; undefined for a new file. */
function rightsOf(place: LocatedPath): Rights | undefined {
  if (place.kind === "directory") throw new GatewayError("TOOL_FILE", `"${place.written}" is a directory, not a file.`);
  if (place.kind === "special") {
    throw new GatewayError("TOOL_FILE", `"${place.written}" is a device, pipe or socket; only files can be written.`);
  }
  if (place.kind === "missing") return undefined;
  const stats = lstatSync(place.folder.at(place.name), { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  // A rename would not ask, but a file that is protected from writing was meant to stay.
  accessSync(place.folder.at(place.name), constants.W_OK);
  return stats;
}

async function writeFlushed(
  folder: HeldFolder,
  name: string,
  bytes: Uint8Array,
  rights: Rights | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, rights ? 0o600 : 0o666);
  try {
    for (let done = 0; done < bytes.length;) {
      signal.throwIfAborted();
      done += (await file.write(bytes, done, Math.min(CHUNK, bytes.length - done))).bytesWritten;
    }
    if (rights) {
      const { uid, gid, mode } = rights;
      if (process.getuid?.() === 0 && uid !== undefined && gid !== undefined) await file.chown(uid, gid);
      await file.chmod(mode & 0o777);
    }
    await file.sync();
    if (!folder.holds(name, file.fd)) throw moved(folder.real);
  } finally {
    await file.close();
  }
  signal.throwIfAborted();
}

/** Looks, then renames, with nothing of ours in between. A link at the place is replaced, never followed. */
function putIntoPlace(place: LocatedPath, folder: HeldFolder, temporary: string, expected: Expected): void {
  try {
    if (!folder.isInPlace()) throw moved(folder.real);
    if (expected !== undefined) expectUnchanged(place, folder, expected);
    renameSync(folder.at(temporary), folder.at(place.name));
  } catch (error) {
    throw fileFailure(error, "TOOL_DISK", `"${place.written}" cannot be replaced`);
  }
  folder.flush();
}

export function expectUnchanged(place: LocatedPath, folder: HeldFolder, expected: string): void {
  const stats = lstatSync(folder.at(place.name), { bigint: true, throwIfNoEntry: false });
  if ((stats ? fingerprintOf(stats) : "absent") === expected) return;
  throw new GatewayError(
    "TOOL_FILE",
    `"${place.written}" was changed by somebody else at this moment, so it was left as it is. Read it again and repeat the change.`,
  );
}

function moved(path: string): GatewayError {
  return new GatewayError("TOOL_FILE", `The directory ${path} was moved at this moment, so nothing was written.`);
}

/** A leftover that cannot be removed must not turn a finished work into a failure. */
export function removeQuietly(folder: HeldFolder, name: string): void {
  try {
    unlinkSync(folder.at(name));
  } catch {
    // Gone already, or the disk does not let us.
  }
}

/** The directories that are made for a new file, from the one that was there down to the one that will hold it. */
class Parents {
  readonly #made: { readonly parent: HeldFolder; readonly name: string; readonly folder: HeldFolder }[] = [];
  readonly #first: HeldFolder;

  constructor(first: HeldFolder) {
    this.#first = first;
  }

  get last(): HeldFolder {
    return this.#made.at(-1)?.folder ?? this.#first;
  }

  make(names: readonly string[]): void {
    for (const name of names) {
      const parent = this.last;
      try {
        mkdirSync(parent.at(name));
      } catch (error) {
        if (errnoOf(error) !== "EEXIST") throw error;
      }
      this.#made.push({ parent, name, folder: parent.enter(name) });
    }
  }

  /** Of those to be removed only empty ones go. */
  leave(how: "keep" | "remove"): void {
    for (const { parent, name, folder } of this.#made.splice(0).reverse()) {
      folder.close();
      if (how === "keep") continue;
      try {
        rmdirSync(parent.at(name));
      } catch {
        // Somebody else uses it by now.
      }
    }
  }
}
