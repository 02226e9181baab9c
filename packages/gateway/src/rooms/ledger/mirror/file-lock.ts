// The lock OpenClaw's programs hold on a session index while they change it, and on a transcript while they talk in it.
import { readFileSync, rmSync, statSync } from "node:fs";
import { createNewFile, errnoOf } from "@chela/sdk/files";
import { parseObject } from "./read-lines.ts";

/** Whoever holds it longer has forgotten it, or is gone. A whole turn may run while a transcript is held. */
const STALE_AFTER_MS = { index: 30_000, transcript: 30 * 60_000 } as const;

/** The returned function lets it go; undefined while somebody else has it. */
export function takeFileLock(path: string, what: keyof typeof STALE_AFTER_MS): (() => void) | undefined {
  const lock = `${path}.lock`;
  if (isForgotten(lock, STALE_AFTER_MS[what])) rmSync(lock, { force: true });
  const text = JSON.stringify({ pid: process.pid, createdAt: new Date().toISOString() });
  if (!createNewFile(lock, text)) return undefined;
  return () => rmSync(lock, { force: true });
}

function isForgotten(lock: string, afterMs: number): boolean {
  const facts = statSync(lock, { throwIfNoEntry: false });
  if (!facts) return false;
  // The file system's time against the system's, not the gateway's clock: both programs share it.
  return Date.now() - facts.mtimeMs > afterMs || !isAlive(holderOf(lock));
}

/** Undefined while the holder is still writing its name. */
function holderOf(lock: string): number | undefined {
  try {
    const pid = parseObject(readFileSync(lock, "utf8"))?.["pid"];
    return typeof pid === "number" ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return true;
  // A lock of our own that is still there was left by an earlier process with our number, or by a failed write.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== "ESRCH";
  }
}
