// Digests of files as they are right now. A file that did not change is not read twice.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import type { Clock } from "@chela/sdk";
import { isLoose, type LoosePlace } from "./plan/lasting.ts";

/** Device, inode and sha256 of a regular file; undefined when it is none or cannot be opened. */
export type DigestFile = (path: string) => Promise<FileDigest | undefined>;

/** `mayRemember`: whether nobody writes there who would want us to believe in what the file was before. */
export type DigestMemory = (path: string, mayRemember: (real: string) => boolean) => Promise<FileDigest | undefined>;

/** Files where agents write are read every time: what is written through a shared mapping leaves no new times behind. */
export function digestIn(memory: DigestMemory, place: LoosePlace): DigestFile {
  return (path) => memory(path, (real) => !isLoose(real, place));
}

interface FileDigest {
  readonly device: string;
  readonly inode: string;
  readonly sha256: string;
}

const MOST_KEPT = 256;
/** Two changes within one tick of the file system's clock look the same: what is that fresh is read every time. */
const FRESH_MS = 2000;
const CHUNK_BYTES = 256 * 1024;

export function createDigestMemory(clock: Clock): DigestMemory {
  const known = new Map<string, string>();
  return async (path, mayRemember) => {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
    if (!file) return undefined;
    try {
      const facts = await file.stat({ bigint: true });
      if (!facts.isFile()) return undefined;
      const isStill = mayRemember(await realpath(path).catch(() => path));
      // The change time cannot be set by hand, so where nobody maps the file the same stamp means the same bytes.
      const stamp = `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}`;
      const sha256 = (isStill ? known.get(stamp) : undefined) ?? (await hashBytes(file));
      known.delete(stamp);
      if (isStill && Number(facts.ctimeMs) + FRESH_MS < clock.now()) known.set(stamp, sha256);
      if (known.size > MOST_KEPT) known.delete(known.keys().next().value ?? "");
      return { device: String(facts.dev), inode: String(facts.ino), sha256 };
    } finally {
      await file.close();
    }
  };
}

async function hashBytes(file: Awaited<ReturnType<typeof open>>): Promise<string> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(buffer.subarray(0, bytesRead));
  }
}
