// A secret of this machine in a file that only its user may read, and hashes that need it.
import { createHmac, hash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFileAtomic } from "@chela/sdk/files";

/** Undefined when there is none, or something else stands there. */
export function readKey(path: string): Buffer | undefined {
  try {
    const text = readFileSync(path, "utf8").trim();
    return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, "hex") : undefined;
  } catch {
    return undefined;
  }
}

export function makeKey(path: string): Buffer {
  const key = randomBytes(32);
  writeFileAtomic(path, `${key.toString("hex")}\n`);
  return key;
}

/** Hexadecimal. Without a key it is a sha256 that anybody can make. */
export function hashOf(text: string, key: Buffer | undefined): string {
  return key ? createHmac("sha256", key).update(text).digest("hex") : hash("sha256", text);
}
