// Reads a file that somebody else may have put there: only a regular one, never waiting for a pipe, never without end.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

export type ReadRegular =
  | { readonly kind: "read"; readonly bytes: Buffer }
  /** A folder, a pipe, a socket or a device. */
  | { readonly kind: "irregular" }
  | { readonly kind: "too-large" };

/** Throws what the system says when there is nothing, or nothing for us. A link as the last part of the path is followed no further. */
export function readRegular(path: string, mostBytes: number): ReadRegular {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { kind: "irregular" };
    if (stats.size > mostBytes) return { kind: "too-large" };
    return { kind: "read", bytes: readUpTo(file, stats.size) };
  } finally {
    closeSync(file);
  }
}

/** What is appended meanwhile is left for the next time. */
function readUpTo(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const count = readSync(file, bytes, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}
