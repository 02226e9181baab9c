// Reads one file of a workspace: only a regular file that lies inside, only text, and never more than the limit.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
  type BigIntStats,
} from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { errnoOf, isBelow } from "@chela/sdk/files";

export const MAX_FILE_BYTES = 2 * 1024 * 1024;

export type FileContent =
  | { readonly kind: "missing" }
  /** `why` goes on after the name of the file: "is not text". */
  | { readonly kind: "refused"; readonly why: string }
  | {
      readonly kind: "text";
      readonly text: string;
      /** Equal for equal texts. */
      readonly digest: string;
      /** The same for all names of one file. */
      readonly identity: string;
      readonly size: number;
      readonly updatedAtMs: number;
    };

/** Changes whenever the file is written, replaced, or a link on the way leads elsewhere; undefined when nothing is there. */
export function stampOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return undefined;
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
}

export function readFile(directory: string, name: string): FileContent {
  let file: number | undefined;
  try {
    const root = realpathSync(directory);
    const real = realpathSync(join(root, name));
    if (!isBelow(root, real)) return { kind: "refused", why: "is a link that leads out of the workspace" };
    // Never through a link that was put there meanwhile, and never waiting for a pipe.
    file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) return { kind: "refused", why: "is not a regular file" };
    if (!isAt(file, stats, real)) return { kind: "refused", why: "was moved while it was being opened" };
    return toContent(readUpTo(file, MAX_FILE_BYTES + 1), stats);
  } catch (error) {
    const code = errnoOf(error) ?? "unknown error";
    return code === "ENOENT" || code === "ENOTDIR"
      ? { kind: "missing" }
      : { kind: "refused", why: `cannot be read (${code})` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whether the open file is the one that lies at `real`: a directory on the way may have been swapped for a link. */
function isAt(file: number, stats: BigIntStats, real: string): boolean {
  const descriptor = `/proc/self/fd/${file}`;
  if (process.platform === "linux" && existsSync(descriptor)) return readlinkSync(descriptor) === real;
  if (realpathSync(real) !== real) return false;
  const now = lstatSync(real, { bigint: true });
  return now.dev === stats.dev && now.ino === stats.ino;
}

function readUpTo(file: number, limit: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < limit) {
    const part = Buffer.allocUnsafe(Math.min(64 * 1024, limit - length));
    const count = readSync(file, part, 0, part.length, null);
    if (count === 0) break;
    parts.push(part.subarray(0, count));
    length += count;
  }
  return Buffer.concat(parts, length);
}

function toContent(bytes: Buffer, stats: BigIntStats): FileContent {
  if (bytes.length > MAX_FILE_BYTES) return { kind: "refused", why: "is larger than 2 MB" };
  if (bytes.includes(0)) return { kind: "refused", why: "is not text" };
  return {
    kind: "text",
    text: new TextDecoder().decode(bytes),
    digest: createHash("sha256").update(bytes).digest("base64"),
    identity: `${stats.dev}:${stats.ino}`,
    size: bytes.length,
    updatedAtMs: Number(stats.mtimeMs),
  };
}
