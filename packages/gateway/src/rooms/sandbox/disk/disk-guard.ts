// Keeps a sandbox from filling the machine's disk: looks before each command, and as long as it stands.
//
// A folder of the host has no quota that an ordinary user could set. So its contents are counted, four times a second while
// something runs, and a sandbox that has taken too much is ended. Free space costs nothing to look at; files are only
// counted when that has changed, and rather seldom when there are many.
import { statfsSync } from "node:fs";
import type { Clock, SandboxDisk, SandboxMount } from "@chela/sdk";
import { dropOldest } from "./drop-oldest.ts";
import { measureFolder, type FolderSize } from "./measure-folder.ts";
import { isInside } from "@chela/sdk/files";

export interface DiskGuardParts {
  readonly clock: Clock;
  /** Ends the sandbox with everything in it; `why` is one half of a sentence. */
  end(why: string): Promise<void>;
}

export type Admission =
  | { readonly kind: "refused"; readonly why: string }
  /** `full`: it can only make room. `over` is called when it has ended. */
  | { readonly kind: "admitted"; readonly full: string | undefined; over(): void };

const BUSY_MS = 250;
/** What a command left running may write, too. */
const QUIET_MS = 2_000;
/** Nobody says when a terminal has ended. */
const TERMINAL_MS = 600_000;
/** Counting what takes long takes at most one part in so many of the time. */
const REST = 20;
const SHORT_MS = 50;
/** So far above its limit, nothing may run in it any more. */
const FAR = 2;
/** A file system with fewer free entries than this, or than one in fifty, is full as well. */
const FEW_ENTRIES = 10_000;
const FEW_PART = 50;
const MEBIBYTE = 1024 ** 2;

/** What is free. */
interface Space extends FolderSize {
  readonly folder: string;
  /** Hardly any further file can be made, whatever its size. */
  readonly isFew: boolean;
}

export class DiskGuard {
  readonly #disk: SandboxDisk;
  readonly #folders: readonly string[];
  readonly #parts: DiskGuardParts;
  #size: FolderSize | undefined;
  /** Free space when files were last counted. */
  #counted: { readonly at: number; readonly tookMs: number; readonly free: FolderSize } | undefined;
  #short: string | undefined;
  /** What lay there when the first of those that run began: whoever is above the limit may only take away. */
  #ceiling: FolderSize;
  #running = 0;
  #ending: Promise<void> | undefined;
  #busyUntil = 0;
  #cancel: (() => void) | undefined;

  constructor(mounts: readonly SandboxMount[], disk: SandboxDisk, parts: DiskGuardParts) {
    this.#disk = disk;
    this.#folders = mounts.filter(({ isWritable }) => isWritable).map(({ outside }) => outside);
    this.#parts = parts;
    this.#ceiling = disk;
  }

  /** Something is about to be started. */
  async admit(): Promise<Admission> {
    const full = await this.whyNoWrites();
    // Whoever comes while it is being ended would be ended with it.
    await this.#ending;
    const why = this.lastRefusal;
    if (why !== undefined) return { kind: "refused", why };
    if (this.#running === 0) this.#ceiling = higher(this.#disk, this.#size);
    this.#running += 1;
    this.#plan(BUSY_MS);
    return { kind: "admitted", full, over: () => (this.#running -= 1) };
  }

  /** As of the last look, which is a moment ago as long as the sandbox stands. */
  get lastRefusal(): string | undefined {
    if (this.#short !== undefined) return this.#short;
    const { folder } = this.#disk;
    if (folder === undefined || !isAbove(this.#size, times(this.#disk, FAR))) return undefined;
    return `${this.#sayOver()} Nothing runs here until the owner has made room in ${folder}.`;
  }

  /** Why nothing may be written now, although things may be deleted. */
  async whyNoWrites(): Promise<string | undefined> {
    await this.#look();
    if (this.#short !== undefined || !isAbove(this.#size, this.#disk)) return this.#short;
    return `${this.#sayOver()} Until there is room, files can be deleted here and not written.`;
  }

  followTerminal(): void {
    this.#busyUntil = this.#parts.clock.steady() + TERMINAL_MS;
    this.#plan(BUSY_MS);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #plan(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#parts.clock.after(ms, () => void this.#watch());
  }

  async #watch(): Promise<void> {
    const cancel = this.#cancel;
    await this.#look();
    // It was stopped, or a new command set the next look, in the meantime.
    if (this.#cancel !== cancel) return;
    const why = this.#short ?? (isAbove(this.#size, this.#ceiling) ? this.#sayOver() : undefined);
    if (why !== undefined) return this.#end(why.replace(/\.$/, ""));
    const isBusy = this.#running > 0 || this.#parts.clock.steady() < this.#busyUntil;
    this.#plan(isBusy ? BUSY_MS : QUIET_MS);
  }

  async #end(why: string): Promise<void> {
    this.stop();
    this.#ending = this.#parts.end(why).finally(() => (this.#ending = undefined));
    await this.#ending;
  }

  async #look(): Promise<void> {
    const { keepFreeBytes, folder: own } = this.#disk;
    const spaces = this.#folders.map(spaceOf);
    const isIn = (folder: string): boolean => own !== undefined && isInside(own, folder);
    const short = keepFreeBytes > 0 && spaces.find(({ bytes, isFew }) => bytes < keepFreeBytes || isFew);
    this.#short = short ? sayShort(short, keepFreeBytes) : undefined;
    const space = spaces.find(({ folder }) => isIn(folder));
    if (own !== undefined && space && this.#isWorthCounting(space)) await this.#count(own, space);
  }

  #isWorthCounting(free: FolderSize): boolean {
    const known = this.#counted;
    if (!known) return true;
    if (free.bytes === known.free.bytes && free.files === known.free.files) return false;
    const pause = performance.now() - known.at;
    // If all that was written since was written here, would it be too much?
    const bytes = (this.#size?.bytes ?? 0) + known.free.bytes - free.bytes;
    const files = (this.#size?.files ?? 0) + known.free.files - free.files;
    const patience = isAbove({ bytes, files }, this.#ceiling) ? 1 : REST;
    return known.tookMs < SHORT_MS || pause >= known.tookMs * patience;
  }

  async #count(folder: string, free: FolderSize): Promise<void> {
    const started = performance.now();
    const { inUse } = this.#disk;
    this.#size = await measureFolder(folder, times(this.#disk, FAR));
    if (inUse !== undefined && isAbove(this.#size, this.#disk) && (await dropOldest(folder, inUse)))
      return this.#count(folder, free);
    // What it costs this machine, whatever time it is.
    const at = performance.now();
    this.#counted = { at, tookMs: at - started, free };
  }

  #sayOver(): string {
    const { bytes, files } = this.#disk;
    const has = this.#size ?? { bytes: 0, files: 0 };
    const most = `${megabytes(bytes)} MB and ${files} files (sandbox.limits.diskMb, sandbox.limits.files)`;
    const held = Number.isFinite(has.bytes)
      ? `holds ${megabytes(has.bytes)} MB in ${has.files} files`
      : "holds more than can be counted";
    return `the sandbox's folder ${held}; it may hold ${most}.`;
  }
}

/** The kernel knows it; to ask in another thread takes longer than the question. */
function spaceOf(folder: string): Space {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    // Some file systems have no entries to run out of, and say so by having none.
    const [bytes, free] = [bavail * bsize, files > 0 ? ffree : Number.MAX_SAFE_INTEGER];
    return { folder, bytes, files: free, isFew: free < Math.min(FEW_ENTRIES, files / FEW_PART) };
  } catch {
    // A folder that is gone cannot be filled; the command says so itself.
    return { folder, bytes: Number.MAX_SAFE_INTEGER, files: Number.MAX_SAFE_INTEGER, isFew: false };
  }
}

function sayShort({ folder, bytes, files, isFew }: Space, keepFreeBytes: number): string {
  const left = isFew ? `room for ${files} more files` : `${megabytes(bytes)} MB left`;
  const rule = `Sandboxes leave ${megabytes(keepFreeBytes)} MB free (sandbox.limits.keepFreeMb)`;
  return `the disk of ${folder} has ${left}. ${rule}: make room on that disk.`;
}

function isAbove(size: FolderSize | undefined, limit: FolderSize): boolean {
  return size !== undefined && (size.bytes > limit.bytes || size.files > limit.files);
}

function times({ bytes, files }: FolderSize, factor: number): FolderSize {
  return { bytes: bytes * factor, files: files * factor };
}

function higher(limit: FolderSize, size: FolderSize | undefined): FolderSize {
  return { bytes: Math.max(limit.bytes, size?.bytes ?? 0), files: Math.max(limit.files, size?.files ?? 0) };
}

function megabytes(bytes: number): number {
  return Math.round((bytes / MEBIBYTE) * 10) / 10;
}
