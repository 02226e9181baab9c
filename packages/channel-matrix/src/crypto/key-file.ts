// The file in which the device's keys outlive the process: frames that are whole or do not count, each of them on the disk
// before anybody relies on it. The records in it are encrypted by the library, with a key in a file beside it.
import { open, type FileHandle } from "node:fs/promises";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { GatewayError } from "@chela/sdk";
import { readIfThere, writePrivateFile } from "@chela/sdk/channel-kit";
import type { Batch, Snapshot } from "./snapshot.ts";

type Frame =
  | { readonly kind: "snapshot"; readonly snapshot: Snapshot }
  | { readonly kind: "batch"; readonly batch: Batch };

const HEAD_BYTES = 8;

export interface KeyFile {
  /** Puts a batch at the end; it is on the disk when this resolves. */
  append(batch: Batch): Promise<void>;
  /** Begins anew with everything in one frame. */
  replace(snapshot: Snapshot): Promise<void>;
  /** Whether so much was appended that beginning anew is worth it. */
  readonly isOvergrown: boolean;
  close(): Promise<void>;
}

/** What is in the file: the snapshot it began with, and the batches after it. A last frame that is not whole is left out. */
export async function readKeyFile(path: string): Promise<{ snapshot: Snapshot; batches: Batch[] } | undefined> {
  const bytes = await readIfThere(path);
  if (!bytes) return undefined;
  const [first, ...others] = framesIn(bytes);
  if (first?.kind !== "snapshot") {
    // Other keys for the same device would be refused by everybody, without anybody knowing why.
    const fix = "restore it from a backup, or remove it and log in as a new device";
    throw new GatewayError("CHANNEL_SETTINGS", `the file with this device's keys is damaged: ${path}; ${fix}`);
  }
  return {
    snapshot: first.snapshot,
    batches: others.flatMap((frame) => (frame.kind === "batch" ? [frame.batch] : [])),
  };
}

function framesIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const body = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length);
    if (body.length < length || crc32(body) !== bytes.readUInt32LE(at + 4)) break;
    frames.push(deserialize(body) as Frame);
    at += HEAD_BYTES + length;
  }
  return frames;
}

function frameOf(frame: Frame): Buffer {
  const body = serialize(frame);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt32LE(crc32(body), 4);
  return Buffer.concat([head, body]);
}

const SMALL_BYTES = 4 * 1024 * 1024;

export async function beginKeyFile(path: string, snapshot: Snapshot): Promise<KeyFile> {
  let startBytes = 0;
  let bytes = 0;
  let file: FileHandle | undefined;

  const replace = async (whole: Snapshot): Promise<void> => {
    const frame = frameOf({ kind: "snapshot", snapshot: whole });
    await writePrivateFile(path, frame);
    await file?.close();
    file = await open(path, "a", 0o600);
    startBytes = bytes = frame.length;
  };
  await replace(snapshot);
  return {
    replace,
    get isOvergrown() {
      return bytes > Math.max(SMALL_BYTES, startBytes * 2);
    },
    async append(batch) {
      const frame = frameOf({ kind: "batch", batch });
      await file?.appendFile(frame);
      await file?.datasync();
      bytes += frame.length;
    },
    async close() {
      await file?.close();
      file = undefined;
    },
  };
}
