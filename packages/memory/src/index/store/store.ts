// The file an agent's memory is kept in. Everything in it is derived: a damaged file is set aside and made anew.
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { GatewayError } from "@chela/sdk";
import type { KeeperLog } from "../../keeper-log.ts";
import { isDamage, setFileAside, whyCondemned } from "./damaged-file.ts";
import { importIndex } from "./import-index.ts";
import { foreignIndexOf } from "./index-files.ts";
import { createStore, type Store } from "./opened-store.ts";
import { SHAPE, SHAPE_VERSION, VERSION_KEY } from "./store-shape.ts";

export type { Store } from "./opened-store.ts";

/** Up to this size it is worth the time to look through the whole file before it is used. */
const CHECKED_BYTES = 32_000_000;
const BUSY_MS = 5_000;

export function openStore(path: string, log: KeeperLog): Store {
  try {
    return openUsable(path, log);
  } catch (error) {
    throw new GatewayError("MEMORY_UNAVAILABLE", error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

function openUsable(path: string, log: KeeperLog): Store {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A kill between the two renames of a take-over leaves the new file under its first name.
  if (!existsSync(path) && existsSync(newNameOf(path))) renameSync(newNameOf(path), path);
  const condemned = whyCondemned(path);
  if (condemned !== undefined) return makeAnew(path, condemned, log);
  const opened = openWhole(path);
  if (opened.kind === "damaged") return makeAnew(path, opened.why, log);
  const { db } = opened;
  const kind = kindOf(db);
  if (kind === "ours") return createStore(db, path, undefined);
  if (kind === "empty") return createStore(shape(db), path, undefined);
  db.close();
  return kind === "foreign" ? takeOver(path, log) : makeAnew(path, "it was made by another version", log);
}

function makeAnew(path: string, why: string, log: KeeperLog): Store {
  log("warn", "the memory index cannot be used; it is set aside and made anew", { path, why });
  setFileAside(path);
  return createStore(shape(openFile(path)), path, why);
}

/** An index of OpenClaw is read into a new file; its own stays beside it, for whoever wants to go back. */
function takeOver(path: string, log: KeeperLog): Store {
  const next = newNameOf(path);
  for (const end of ["", "-wal", "-shm"]) rmSync(next + end, { force: true });
  const made = createStore(shape(openFile(next)), next, undefined);
  try {
    const { files, chunks, vectors } = importIndex(made, path);
    log("info", "the memory index of OpenClaw is taken over", { path, files, chunks, vectors });
  } catch (error) {
    if (!isDamage(error)) throw error;
    log("warn", "the memory index of OpenClaw is damaged; what could be read of it is used", { path });
  } finally {
    made.close();
  }
  renameSync(path, foreignIndexOf(path));
  for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
  renameSync(next, path);
  return createStore(openFile(path), path, undefined);
}

const newNameOf = (path: string): string => `${path}.new`;

function openFile(path: string): DatabaseSync {
  // SQLite would make it readable for everybody.
  closeSync(openSync(path, "a", 0o600));
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    // What is removed is overwritten: forgetting has to mean that.
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 2000;
      PRAGMA secure_delete = ON; PRAGMA cache_size = -48000;`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function shape(db: DatabaseSync): DatabaseSync {
  db.exec(`BEGIN IMMEDIATE; ${SHAPE}; COMMIT;`);
  return db;
}

/** What is not damage, a full disk say, is thrown. */
function openWhole(path: string): { kind: "whole"; db: DatabaseSync } | { kind: "damaged"; why: string } {
  let db: DatabaseSync | undefined;
  try {
    db = openFile(path);
    const isChecked = kindOf(db) === "ours" && statSync(path).size <= CHECKED_BYTES;
    const found = isChecked ? String(db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"]) : "ok";
    if (found === "ok") return { kind: "whole", db };
    db.close();
    return { kind: "damaged", why: found };
  } catch (error) {
    db?.close();
    if (isDamage(error)) return { kind: "damaged", why: (error as Error).message };
    throw error;
  }
}

function kindOf(db: DatabaseSync): "empty" | "ours" | "other" | "foreign" {
  const has = (table: string) => db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== undefined;
  if (!has("chunks") && !has("meta")) return "empty";
  const version = has("meta")
    ? db.prepare("SELECT value FROM meta WHERE key = ?").get(VERSION_KEY)?.["value"]
    : undefined;
  if (version === undefined) return "foreign";
  return version === SHAPE_VERSION ? "ours" : "other";
}
