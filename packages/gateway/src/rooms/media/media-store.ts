// Keeps files by their content: each once, private, and only for as long as somebody may need it.
import { createReadStream } from "node:fs";
import { chmod, mkdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError, OneAtATime } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { errnoOf } from "@chela/sdk/files";
import { cleanName, fileNameFor } from "./media-name.ts";
import { kindOfType } from "./media-types.ts";
import { receiveStream, type ReceivedStream } from "./receive-stream.ts";
import { sniffType, HEAD_BYTES } from "./sniff.ts";
import { DIRECTIONS, isMediaId, readNote, writeNote, type Direction, type StoredMedia } from "./stored-media.ts";
import { PART_ENDING, sweepFolders, type Keeping, type Swept } from "./sweep.ts";

export interface TakeOptions {
  readonly direction: Direction;
  readonly maxBytes: number;
  /** As the sender calls it. */
  readonly name?: string | undefined;
  /** As the sender says; counts only where the bytes leave a choice. */
  readonly declaredType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface MediaStore {
  /** Keeps what a stream brings. Rejects with MEDIA_REFUSED, MEDIA_FETCH, MEDIA_STORE or an AbortError; then nothing is left of it. */
  take(stream: AsyncIterable<Uint8Array>, options: TakeOptions): Promise<StoredMedia>;
  /** Whoever asks for a file is about to use it: the time it is kept begins anew. */
  find(id: string): Promise<StoredMedia | undefined>;
  /** The same with its content, which is read when it is asked for. */
  open(id: string): Promise<{ readonly media: StoredMedia; readonly content: AsyncIterable<Uint8Array> } | undefined>;
  /** Removes what is too old, then what was not used for longest, until the rest fits. */
  sweep(now: number): Promise<Swept>;
}

/** What of the house files live on. */
export type MediaHouse = Pick<House, "clock" | "ids"> & { readonly paths: Pick<House["paths"], "stateDir"> };

export interface MediaStoreParts {
  /** Ids of files that wait to be sent. */
  inUse(): Promise<ReadonlySet<string>>;
  /** Whether names of senders become part of file names. */
  preservesNames(): boolean;
  /** What is to be otherwise than usual, as of now. */
  keeping?(): Partial<Keeping>;
  readonly patience?: { readonly idleMs: number; readonly totalMs: number };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const KEEPING: Keeping = { inboundMs: 7 * DAY_MS, outboundMs: 2 * DAY_MS, maxBytes: 2 * 1024 ** 3 };
const PATIENCE = { idleMs: 30_000, totalMs: 10 * 60_000 };
/** So much of the limit may come in before somebody looks whether all still fits. */
const SHARE_UNSWEPT = 0.1;

export function createMediaStore(house: MediaHouse, parts: MediaStoreParts): MediaStore {
  return new FolderStore(house, parts);
}

class FolderStore implements MediaStore {
  readonly #house: MediaHouse;
  readonly #parts: MediaStoreParts;
  readonly #folders: Readonly<Record<Direction, string>>;
  readonly #turns = new OneAtATime();
  /** Files that are being written now. */
  readonly #arriving = new Set<string>();
  #unsweptBytes = 0;

  constructor(house: MediaHouse, parts: MediaStoreParts) {
    this.#house = house;
    this.#parts = parts;
    const folder = (direction: Direction): string => join(house.paths.stateDir, "media", direction);
    this.#folders = { inbound: folder("inbound"), outbound: folder("outbound") };
  }

  async take(stream: AsyncIterable<Uint8Array>, options: TakeOptions): Promise<StoredMedia> {
    const { clock, ids } = this.#house;
    const { patience = PATIENCE } = this.#parts;
    const folder = this.#folders[options.direction];
    const name = `${ids.uuid()}${PART_ENDING}`;
    const part = join(folder, name);
    this.#arriving.add(name);
    try {
      await makePrivate(folder);
      const limits = { ...patience, maxBytes: options.maxBytes, signal: options.signal };
      const received = await receiveStream(stream, part, limits, clock);
      const media = await this.#turns.run(received.id, () => this.#settle(part, received, options));
      await this.#sweepWhenMuchCame(media.bytes);
      return media;
    } catch (error) {
      throw storeFailure(error);
    } finally {
      // What cannot be removed now goes with the next sweep; the failure before it is the one to tell.
      await rm(part, { force: true }).catch(() => undefined);
      this.#arriving.delete(name);
    }
  }

  async find(id: string): Promise<StoredMedia | undefined> {
    if (!isMediaId(id)) return undefined;
    return await this.#turns.run(id, async () => {
      for (const direction of DIRECTIONS) {
        const media = readNote(id, direction, this.#folders[direction]);
        if (media && (await this.#touch(media))) return media;
      }
      return undefined;
    });
  }

  async open(id: string): Promise<{ media: StoredMedia; content: AsyncIterable<Uint8Array> } | undefined> {
    const media = await this.find(id);
    return media && { media, content: readContent(media.path) };
  }

  async sweep(now: number): Promise<Swept> {
    this.#unsweptBytes = 0;
    return await sweepFolders({
      now,
      folders: this.#folders,
      keeping: this.#keeping(),
      inUse: await this.#parts.inUse(),
      isArriving: (name) => this.#arriving.has(name),
      exclusively: (id, work) => this.#turns.run(id, work),
    });
  }

  /** The file gets its place, unless the same content has one already. */
  async #settle(part: string, received: ReceivedStream, options: TakeOptions): Promise<StoredMedia> {
    const { id, bytes, head } = received;
    const { direction, declaredType } = options;
    const folder = this.#folders[direction];
    const known = readNote(id, direction, folder);
    if (known?.bytes === bytes && (await this.#touch(known))) {
      const renamed = options.name ? { ...known, name: cleanName(options.name, known.mimeType) } : known;
      if (renamed.name !== known.name) writeNote(renamed, folder);
      return renamed;
    }
    const mimeType = sniffType({ head, isWhole: bytes <= HEAD_BYTES, declaredType });
    const name = cleanName(options.name, mimeType);
    const shown = this.#parts.preservesNames() && options.name ? name : undefined;
    const path = join(folder, fileNameFor(id, mimeType, shown));
    const media: StoredMedia = { id, direction, path, mimeType, kind: kindOfType(mimeType), bytes, name };
    await rename(part, path);
    await this.#touch(media);
    writeNote(media, folder);
    return media;
  }

  /** False when the file is gone or is not what was written. */
  async #touch({ path, bytes }: StoredMedia): Promise<boolean> {
    const seconds = this.#house.clock.now() / 1000;
    try {
      const found = await stat(path);
      if (!found.isFile() || found.size !== bytes) return false;
      await utimes(path, seconds, seconds);
      return true;
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return false;
      throw error;
    }
  }

  #keeping(): Keeping {
    return { ...KEEPING, ...this.#parts.keeping?.() };
  }

  /** A flood must not fill the disk between two sweeps. */
  async #sweepWhenMuchCame(bytes: number): Promise<void> {
    this.#unsweptBytes += bytes;
    if (this.#unsweptBytes > this.#keeping().maxBytes * SHARE_UNSWEPT) await this.sweep(this.#house.clock.now());
  }
}

/** Nothing is opened before the first byte is asked for. */
async function* readContent(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}

/** Also when it is there already, such as after a backup was put back. */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "the media directory may not be written",
  EPERM: "the media directory may not be written",
  EMFILE: "too many files are open",
};

function storeFailure(error: unknown): unknown {
  const errno = errnoOf(error);
  if (errno === undefined || GatewayError.is(error)) return error;
  return new GatewayError("MEDIA_STORE", SENTENCES[errno] ?? `the system says ${errno}`, { cause: error });
}
