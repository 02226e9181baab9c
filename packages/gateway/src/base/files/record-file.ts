// One JSON file that maps ids to records: read when needed, written whole, and never lost when it is damaged.
import { chmodSync, copyFileSync, readFileSync, renameSync, statSync } from "node:fs";
import { GatewayError, type Clock, type Logger } from "@chela/sdk";
import * as z from "zod";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";

export interface RecordFile<T> {
  /** The records as they are on disk; the same map object as long as nobody else wrote the file. */
  load(): ReadonlyMap<string, T>;
  /** Replaces all records. On failure the file and what load() gives are as before. */
  save(records: ReadonlyMap<string, T>): void;
}

export interface RecordFileOptions<T> {
  readonly path: string;
  /** Read instead, as long as `path` does not exist. */
  readonly legacyPath?: string;
  readonly schema: () => z.ZodType<T>;
  /** The id inside a record; it must be the key it is filed under. */
  readonly idOf: (record: T) => string;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Loaded<T> {
  readonly stamp: string;
  readonly records: ReadonlyMap<string, T>;
}

export function createRecordFile<T>(options: RecordFileOptions<T>): RecordFile<T> {
  let loaded: Loaded<T> | undefined;
  return {
    load() {
      const stamp = stampOf(options.path);
      if (loaded?.stamp === stamp) return loaded.records;
      const source = stamp === "" ? (options.legacyPath ?? options.path) : options.path;
      const records = readRecords(source, options);
      // Setting a damaged file aside changes the stamp, so it is taken again.
      loaded = { stamp: stampOf(options.path), records };
      return records;
    },
    save(records) {
      try {
        writeFileAtomic(options.path, `${JSON.stringify(Object.fromEntries(records), null, 2)}\n`);
      } catch (error) {
        throw toWriteError(options.path, error);
      }
      loaded = { stamp: stampOf(options.path), records };
    },
  };
}

/** Changes whenever the file is replaced; empty when there is none. */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}` : "";
}

function readRecords<T>(path: string, options: RecordFileOptions<T>): Map<string, T> {
  const text = readText(path);
  if (text === undefined) return new Map();
  const entries = parseEntries(text);
  if (!entries) {
    const aside = `${path}.damaged.${options.clock.now()}`;
    renameSync(path, aside);
    options.log.error("A file of records is not a JSON object; it was set aside and an empty list is used", {
      path,
      aside,
    });
    return new Map();
  }
  const records = new Map<string, T>();
  const refused: string[] = [];
  for (const [id, value] of entries) {
    const parsed = options.schema().safeParse(value);
    if (!parsed.success) refused.push(`${id}: ${z.prettifyError(parsed.error)}`);
    else if (options.idOf(parsed.data) !== id) refused.push(`${id}: is filed under another id than its own`);
    else records.set(id, parsed.data);
  }
  if (refused.length > 0) keepCopyOf(path, refused, options);
  return records;
}

function keepCopyOf<T>(path: string, refused: string[], options: RecordFileOptions<T>): void {
  // Named after the file's own time, so that starting again does not make another copy.
  const aside = `${path}.damaged.${Math.floor(statSync(path).mtimeMs)}`;
  copyFileSync(path, aside);
  chmodSync(aside, 0o600);
  options.log.error("A file of records has entries that are not valid; they are ignored and a copy was kept", {
    path,
    aside,
    refused: refused.slice(0, 5),
  });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw new GatewayError("START_STATE", `${path} cannot be read (${errnoOf(error) ?? "unknown reason"})`, {
      cause: error,
    });
  }
}

function parseEntries(text: string): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}

function toWriteError(path: string, error: unknown): GatewayError {
  const errno = errnoOf(error);
  if (errno === "ENOSPC" || errno === "EDQUOT") return new GatewayError("STORE_FULL", path, { cause: error });
  return new GatewayError("START_STATE", `${path} cannot be written (${errno ?? "unknown reason"})`, { cause: error });
}
