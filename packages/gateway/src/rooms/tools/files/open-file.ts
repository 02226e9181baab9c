// Opens a regular file at a place and makes sure that it is the file that was meant.
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { GatewayError } from "@chela/sdk";
import { fileFailure } from "./file-failure.ts";
import type { LocatedPath } from "./locate.ts";
import { describeMissing, listDirectory } from "./look-around.ts";

export interface OpenFile extends AsyncDisposable {
  readonly handle: FileHandle;
  readonly size: number;
  readonly mode: number;
  /** Changes whenever the file is replaced or written. */
  readonly fingerprint: string;
}

/** What a file held when it was read. */
export interface Snapshot {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly fingerprint: string;
}

export function fingerprintOf(stats: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint }): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

/** Throws a sentence when the place holds anything but a regular file. Never waits, not even for a FIFO. */
export async function openFile(place: LocatedPath): Promise<OpenFile> {
  if (place.kind === "missing") throw new GatewayError("TOOL_FILE", describeMissing(place));
  if (place.kind === "directory") throw new GatewayError("TOOL_FILE", listDirectory(place));
  if (place.kind === "special") throw notRegular(place);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let handle: FileHandle | undefined;
  try {
    handle = await open(place.folder.at(place.name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw notRegular(place);
    if (!place.folder.holds(place.name, handle.fd)) {
      throw new GatewayError("TOOL_FILE", `"${place.written}" was moved while it was being opened; try again.`);
    }
    return new OpenedFile(handle, Number(stats.size), Number(stats.mode), fingerprintOf(stats));
  } catch (error) {
    await handle?.close();
    throw fileFailure(error, "TOOL_FILE", `"${place.written}" cannot be opened`);
  }
}

/** Reads a file that is to be changed. */
export async function readWhole(place: LocatedPath, maxBytes: number, signal: AbortSignal): Promise<Snapshot> {
  await using file = await openFile(place);
  const tooLarge = () =>
    new GatewayError(
      "TOOL_FILE",
      `"${place.written}" has more than ${maxBytes} bytes, which is too much for this tool. Change it with a command instead.`,
    );
  if (file.size > maxBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let length = 0;
  for (;;) {
    signal.throwIfAborted();
    const part = Buffer.allocUnsafe(Math.min(Math.max(file.size - length, 0) + 1, 1 << 20));
    const { bytesRead } = await file.handle.read(part, 0, part.length, length);
    if (bytesRead === 0) break;
    parts.push(part.subarray(0, bytesRead));
    length += bytesRead;
    if (length > maxBytes) throw tooLarge();
  }
  return { bytes: Buffer.concat(parts, length), mode: file.mode, fingerprint: file.fingerprint };
}

class OpenedFile implements OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
  readonly mode: number;
  readonly fingerprint: string;

  constructor(handle: FileHandle, size: number, mode: number, fingerprint: string) {
    this.handle = handle;
    this.size = size;
    this.mode = mode;
    this.fingerprint = fingerprint;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.handle.close();
  }
}

function notRegular(place: LocatedPath): GatewayError {
  return new GatewayError(
    "TOOL_FILE",
    `"${place.written}" is a device, pipe or socket. Only regular files can be read and written.`,
  );
}
