// A lock between processes for one file, by a file beside it. A holder that died does not keep others out.
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "@chela/sdk";
import { createNewFile, errnoOf } from "@chela/sdk/files";
import { inspectLock } from "./lock-file.ts";
import { whereWeAre } from "../where.ts";

export type Release = () => void;

/** Nobody holds one of these for longer; whoever seems to is stuck. */
const HELD_AT_MOST_MS = 90_000;
const ASK_AGAIN_MS = 50;

/** The release, or undefined while another holds it. Throws when the directory cannot be written. */
export function tryLock(path: string, clock: Clock): Release | undefined {
  const text = `${JSON.stringify({
    pid: process.pid,
    createdAt: new Date(clock.now()).toISOString(),
    where: whereWeAre(),
    nonce: randomBytes(8).toString("hex"),
  })}\n`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!createNewFile(path, text)) {
    if (!isAbandoned(path, clock) || !moveAway(path)) return undefined;
    if (!createNewFile(path, text)) return undefined;
  }
  return () => {
    if (readText(path) === text) rmSync(path, { force: true });
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

function isAbandoned(path: string, clock: Clock): boolean {
  const found = inspectLock(path, clock);
  if (found.kind !== "held") return found.kind === "stale";
  return clock.now() - Date.parse(found.since ?? "") > HELD_AT_MOST_MS;
}

/** Two processes may see the same abandoned lock: the second must not take away what the first made meanwhile. */
function moveAway(path: string): boolean {
  const abandoned = readText(path);
  const aside = `${path}.${randomBytes(4).toString("hex")}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return true;
    throw error;
  }
  const isSame = readText(aside) === abandoned;
  if (!isSame) createNewFile(path, readText(aside) ?? "");
  rmSync(aside, { force: true });
  return isSame;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Gone already: then there is nothing to release.
    return undefined;
  }
}
