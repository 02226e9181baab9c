// A directory held open while we work in it: whoever swaps a path under our feet swaps nothing for us.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type BigIntStats,
} from "node:fs";
import { join } from "node:path";

/** Linux only: a handle on a directory that needs no right to list it. Node has no name for it. */
const O_PATH = 0x200000;
const DESCRIPTORS = "/proc/self/fd";

/**
 * Whether entries can be reached through descriptors. Elsewhere paths are used and confirmed afterwards, which sees
 * every swap but one that is undone again within the same instant.
 */
export function canHoldByDescriptor(): boolean {
  return process.platform === "linux" && existsSync(DESCRIPTORS);
}

/** The same for all names of one file, different for any two files. */
export function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}`;
}

export class HeldFolder {
  /** Where it was when it was taken, links resolved. */
  readonly real: string;
  readonly identity: string;
  readonly #descriptor: number | undefined;

  private constructor(real: string, identity: string, descriptor: number | undefined) {
    this.real = real;
    this.identity = identity;
    this.#descriptor = descriptor;
  }

  static take(reachableAt: string, real: string, byDescriptor: boolean): HeldFolder {
    if (!byDescriptor) {
      const stats = lstatSync(reachableAt, { bigint: true });
      if (!stats.isDirectory()) throw Object.assign(new Error("not a directory"), { code: "ENOTDIR" });
      return new HeldFolder(real, identityOf(stats), undefined);
    }
    const descriptor = openSync(reachableAt, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      return new HeldFolder(real, identityOf(fstatSync(descriptor, { bigint: true })), descriptor);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** A path to the entry of exactly this directory, for one system call. The entry itself may be anything. */
  at(name: string): string {
    return this.#descriptor === undefined ? join(this.real, name) : `${DESCRIPTORS}/${this.#descriptor}/${name}`;
  }

  /** Takes a directory in this one. A link fails with ENOTDIR, wherever it leads. */
  enter(name: string): HeldFolder {
    return HeldFolder.take(this.at(name), join(this.real, name), this.#descriptor !== undefined);
  }

  /** Whether an open file is what stands under this name here, with no link on the way. */
  holds(name: string, openFile: number): boolean {
    const expected = join(this.real, name);
    if (this.#descriptor !== undefined) {
      const actual = readlinkSync(`${DESCRIPTORS}/${openFile}`);
      return actual === expected || actual === `${expected} (deleted)`;
    }
    const opened = identityOf(fstatSync(openFile, { bigint: true }));
    const isIt = () => this.isInPlace() && identityOf(lstatSync(expected, { bigint: true })) === opened;
    return isIt() && isIt();
  }

  /** Whether the path still leads to this directory. Always so by descriptor: the path is not used again. */
  isInPlace(): boolean {
    if (this.#descriptor !== undefined) return true;
    if (realpathSync.native(this.real) !== this.real) return false;
    return identityOf(lstatSync(this.real, { bigint: true })) === this.identity;
  }

  /** Makes a rename in here survive a power cut, where the file system lets us. */
  flush(): void {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(this.at("."), constants.O_RDONLY | constants.O_DIRECTORY);
      fsyncSync(descriptor);
    } catch {
      // Not supported here: the rename itself is already atomic.
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}
