// The lock file: what was installed from where, and as which files. Others read its first half; ours is the hashes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { GatewayError, once, type Parsed } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";

const Locked = once(() =>
  z.looseObject({
    version: z.string().nullable(),
    /** Milliseconds since 1970. */
    installedAt: z.number(),
    ownerHandle: z.string().optional(),
    sourceRef: z.string().optional(),
    pinned: z.boolean().optional(),
    /** sha256 by path. */
    files: z.record(z.string(), z.string()).optional(),
    /** Over all of them. */
    digest: z.string().optional(),
  }),
);
export type Locked = Parsed<typeof Locked>;

const File = once(() => z.looseObject({ version: z.literal(1), skills: z.record(z.string(), Locked()) }));

/** By the folder of the skill below `skills`. */
export type Lock = ReadonlyMap<string, Locked>;

export function readLock(workdir: string): Lock {
  const path = lockPath(workdir);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return new Map();
    throw new GatewayError("SKILL_REQUEST", `${path} cannot be read (${errnoOf(error) ?? "unknown error"}).`);
  }
  const parsed = File().safeParse(parseJson(text));
  if (parsed.success) return new Map(Object.entries(parsed.data.skills));
  throw new GatewayError(
    "SKILL_REQUEST",
    `${path} is damaged. Put it right, or move it away and install your skills anew.`,
  );
}

export function writeLock(workdir: string, lock: Lock): void {
  writeFileAtomic(lockPath(workdir), `${JSON.stringify({ version: 1, skills: Object.fromEntries(lock) }, null, 2)}\n`);
}

function lockPath(workdir: string): string {
  return join(workdir, ".clawhub", "lock.json");
}
