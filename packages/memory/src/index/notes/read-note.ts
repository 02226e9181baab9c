// Reads a note in slices, however long it is, and tells whether it is text at all.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, realpath, type FileHandle } from "node:fs/promises";
import { pause } from "../pause.ts";

export type NoteLook =
  | { readonly kind: "text"; readonly hash: string; readonly text: string }
  /** Text that is not held. */
  | { readonly kind: "long"; readonly hash: string }
  | { readonly kind: "refused"; readonly hash: string; readonly why: string };

const SLICE_BYTES = 65_536;
const MOST_HELD_BYTES = 1_000_000;
/** Longer ones are no notes. */
const MOST_BYTES = 100_000_000;
/** A few wrong bytes are an old encoding; many are no text. */
const MOST_WRONG = 0.1;

/** A link that took its place or that of a folder above it, a pipe or a device is not read. */
export async function openNote(real: string): Promise<FileHandle> {
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = await file.stat({ bigint: true });
    if (!opened.isFile()) throw refused("no regular file");
    const there = await lstat(real, { bigint: true });
    // Whoever swaps a folder for a link swaps it before this or after it: both show.
    if ((await realpath(real)) !== real || there.ino !== opened.ino || there.dev !== opened.dev) {
      throw refused("a folder on the way was swapped meanwhile");
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function refused(why: string): Error {
  return Object.assign(new Error(why), { code: why });
}

/** Reads all of it once: what it is, and the hash that tells whether it changed. */
export async function lookAt(file: FileHandle, size: number): Promise<NoteLook> {
  if (size > MOST_BYTES) {
    return { kind: "refused", hash: "", why: `is longer than ${MOST_BYTES / 1_000_000} MB` };
  }
  const hash = createHash("sha256");
  const decoder = new TextDecoder();
  const held: string[] = [];
  let chars = 0;
  let wrong = 0;
  let hasNul = false;
  for await (const bytes of slices(file)) {
    hash.update(bytes);
    hasNul ||= bytes.includes(0);
    const text = decoder.decode(bytes, { stream: true });
    chars += text.length;
    if (size <= MOST_HELD_BYTES) held.push(text);
    wrong += countWrong(text);
  }
  const digest = hash.digest("hex");
  if (hasNul || wrong > chars * MOST_WRONG) return { kind: "refused", hash: digest, why: "is no text" };
  held.push(decoder.decode());
  return size > MOST_HELD_BYTES ? { kind: "long", hash: digest } : { kind: "text", hash: digest, text: held.join("") };
}

/** The text from the beginning, a slice at a time, without a byte order mark. */
export async function* readTexts(file: FileHandle): AsyncIterable<string> {
  const decoder = new TextDecoder();
  for await (const bytes of slices(file)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

async function* slices(file: FileHandle): AsyncIterable<Uint8Array> {
  const buffer = Buffer.allocUnsafe(SLICE_BYTES);
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, SLICE_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
    // A file that gave less than it was asked for is at its end.
    if (bytesRead < SLICE_BYTES) return;
    await pause();
  }
}

function countWrong(text: string): number {
  let wrong = 0;
  for (let at = text.indexOf("\uFFFD"); at >= 0; at = text.indexOf("\uFFFD", at + 1)) wrong++;
  return wrong;
}
