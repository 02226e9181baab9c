// A lock that the kernel keeps: it lasts exactly as long as the process that holds it, and is seen from every namespace.
//
// Node has no locks for files. SQLite has, so an empty database stands in for one; nothing is ever written to it.
import { closeSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { errnoOf } from "@chela/sdk/files";

export interface KernelLock {
  release(): void;
}

/** SQLite's own numbers. */
const BUSY = 5;

/** Undefined when another has it, or when this file system knows no locks. The file stays: to remove it would be a race. */
export function holdByKernel(path: string): KernelLock | undefined {
  const database = tryLock(path);
  return database === "busy" || database === undefined ? undefined : { release: () => database.close() };
}

/** Undefined when it cannot be told. */
export function isHeldByKernel(path: string): boolean | undefined {
  const database = tryLock(path);
  if (database === undefined) return undefined;
  if (database === "busy") return true;
  database.close();
  return false;
}

function tryLock(path: string): DatabaseSync | "busy" | undefined {
  let database: DatabaseSync | undefined;
  try {
    make(path);
    // Only when it is needed: commands that ask for a lock of this machine never load it.
    database = new (process.getBuiltinModule("node:sqlite").DatabaseSync)(path, { timeout: 0 });
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database?.close();
    return isBusy(error) ? "busy" : undefined;
  }
}

/** SQLite would make it readable for everybody. One that is there is not opened: to close it would let go of our own lock. */
function make(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

function isBusy(error: unknown): boolean {
  return (
    errnoOf(error) === "ERR_SQLITE_ERROR" && error instanceof Error && "errcode" in error && error.errcode === BUSY
  );
}
