// Stamp of a file, to tell whether it is the one we left: cheap enough for every write and every turn.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";

/** Changes whenever somebody replaces or rewrites the file; empty when there is none. */
export function stampOf(path: string): string {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
  return facts ? `${facts.ino}:${facts.size}:${facts.mtimeNs}` : "";
}

/** Undefined when there is no such file. */
export function bytesOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

export const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
