// A lock between processes, by a file that names its holder. A holder that died does not keep others out.
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "@chela/sdk";
import { createNewFile } from "@chela/sdk/files";
import { isHeld, isHere, nameSelf, readHolder, readLock, systemProcesses } from "./holder.ts";

export type Release = () => void;

/** Nobody holds a lock for longer unless told otherwise; whoever seems to is stuck. */
const HELD_AT_MOST_MS = 90_000;
const ASK_AGAIN_MS = 50;
const MAX_TRIES = 10;

/**
 * The locks that OpenClaw's programs hold on a session index while they change it, and on a transcript while they talk in it.
 * A whole turn may run while a transcript is held.
 */
export const OPENCLAW_HELD_AT_MOST_MS = { index: 30_000, transcript: 30 * 60_000 } as const;

/** Locks of this process. Another that names our number is of an earlier process, or could not be removed. */
const own = new Set<string>();

/** The release, or undefined while another holds it. Throws when the directory cannot be written. */
export function tryLock(path: string, clock: Clock, heldAtMostMs = HELD_AT_MOST_MS): Release | undefined {
  const around = { clock, processes: systemProcesses };
  const text = nameSelf(around);
  const isBelieved = (at: string, found: string): boolean => {
    if (!isHeld(at, found, around)) return false;
    const holder = readHolder(found);
    const isLeftOver = holder?.pid === process.pid && isHere(holder, systemProcesses) && !own.has(found);
    return !isLeftOver && !(clock.now() - Date.parse(holder?.createdAt ?? "") > heldAtMostMs);
  };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (takeLock(path, text, isBelieved).kind === "held") return undefined;
  own.add(text);
  return () => {
    own.delete(text);
    letGo(path, text);
  };
}

/** Asks again and again until `patienceMs` are over; then undefined. */
export async function waitForLock(path: string, clock: Clock, patienceMs: number): Promise<Release | undefined> {
  for (let waited = 0; ; waited += ASK_AGAIN_MS) {
    const release = tryLock(path, clock);
    if (release || waited >= patienceMs) return release;
    await new Promise<void>((resolve) => clock.after(ASK_AGAIN_MS, resolve));
  }
}

/** Removes a lock that is still ours. */
export function letGo(path: string, text: string): void {
  if (readLock(path) === text) rmSync(path, { force: true });
}

export type Taken =
  | { readonly kind: "taken" }
  /** By whom, as it is written; undefined when others keep taking it at this moment. */
  | { readonly kind: "held"; readonly by: string | undefined };

/** Makes the file, or replaces one whose holder is not believed to hold it any more. */
export function takeLock(path: string, text: string, isBelieved: (path: string, found: string) => boolean): Taken {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (createNewFile(path, text)) return { kind: "taken" };
    const found = readLock(path);
    if (found === undefined) continue;
    if (isBelieved(path, found)) return { kind: "held", by: found };
    const claim = `${path}.${createHash("sha256").update(found).digest("hex").slice(0, 16)}`;
    if (createNewFile(claim, text)) {
      if (replaceStale(path, found, text, claim)) return { kind: "taken" };
      continue;
    }
    const claimed = readLock(claim);
    if (claimed !== undefined && isBelieved(claim, claimed)) return { kind: "held", by: claimed };
    rmSync(claim, { force: true });
  }
  return { kind: "held", by: undefined };
}

/**
 * Replaces exactly the stale lock that was read. Two may see the same one: whoever first makes the claim file named after
 * it may replace it, after looking once more that it is still there.
 */
function replaceStale(path: string, stale: string, text: string, claim: string): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.draft`;
  try {
    if (readLock(path) !== stale) return false;
    createNewFile(draft, text);
    renameSync(draft, path);
    return readLock(path) === text;
  } finally {
    rmSync(claim, { force: true });
  }
}
