// One transcript file on disk: what its ends say, appending to it, replacing it whole.
import { defined } from "@chela/sdk/base";
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { open, rename, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ledger, StoredEntry, Transcript } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { bytesOf } from "./file-stamp.ts";
import { parseObject, readLines } from "./read-lines.ts";

export interface FileEnds {
  /** The first line when it is whole. */
  readonly firstLine?: string;
  /** Id of the first line after the header. */
  readonly firstEntryId?: string;
  /** Id of the last line that can be read; undefined when only the header can. */
  readonly lastId?: string;
  /** End of the last line that can be read; what follows is torn. */
  readonly goodBytes: number;
  readonly size: number;
  /** The last readable line lacks its newline only. */
  readonly newlineMissing: boolean;
}

const ENTRIES_AT_ONCE = 200;
const TAIL_BYTES = 64 * 1024;

/** Undefined when there is no such file. */
export async function readEnds(path: string): Promise<FileEnds | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { size } = await file.stat();
    const tail = await readTail(file, size);
    return { ...(await readHead(path)), ...tail, size };
  } finally {
    await file.close();
  }
}

async function readHead(path: string): Promise<Pick<FileEnds, "firstLine" | "firstEntryId">> {
  const found: string[] = [];
  for await (const line of readLines(path)) {
    if (line.whole) found.push(line.bytes.toString("utf8"));
    if (!line.whole || found.length === 2) break;
  }
  const [firstLine, second] = found;
  const id = second === undefined ? undefined : parseObject(second)?.["id"];
  return {
    ...defined({ firstLine }),
    ...(typeof id === "string" ? { firstEntryId: id } : {}),
  };
}

/** Looks backwards for the last line that is an object with a type; the window grows as long as it needs to. */
async function readTail(
  file: FileHandle,
  size: number,
): Promise<Pick<FileEnds, "lastId" | "goodBytes" | "newlineMissing">> {
  for (let window = TAIL_BYTES; ; window *= 4) {
    const from = Math.max(0, size - window);
    const bytes = Buffer.alloc(size - from);
    await file.read(bytes, 0, bytes.length, from);
    const found = lastReadableLine(bytes, from === 0);
    if (found) return { ...found, goodBytes: from + found.goodBytes };
    if (from === 0) return { goodBytes: 0, newlineMissing: false };
  }
}

function lastReadableLine(
  bytes: Buffer,
  startsAtLine: boolean,
): Pick<FileEnds, "lastId" | "goodBytes" | "newlineMissing"> | undefined {
  for (let end = bytes.length; end > 0;) {
    const newlineMissing = bytes[end - 1] !== 10;
    const lineEnd = newlineMissing ? end : end - 1;
    const lineStart = lineEnd === 0 ? 0 : bytes.lastIndexOf(10, lineEnd - 1) + 1;
    if (lineStart === 0 && !startsAtLine) return undefined;
    const value = parseObject(bytes.toString("utf8", lineStart, lineEnd));
    if (value && typeof value["type"] === "string") {
      const isHeader = lineStart === 0 && startsAtLine && value["type"] === "session";
      const isEntry = !isHeader && typeof value["id"] === "string";
      return { ...(isEntry ? { lastId: String(value["id"]) } : {}), goodBytes: end, newlineMissing };
    }
    end = lineStart;
  }
  return undefined;
}

/** Makes the file end with a whole line; tells its size afterwards. */
export async function repairEnd(path: string, ends: FileEnds): Promise<number> {
  if (ends.goodBytes === ends.size && !ends.newlineMissing) return ends.size;
  const file = await open(path, "r+");
  try {
    await file.truncate(ends.goodBytes);
    if (ends.newlineMissing) await file.write("\n", ends.goodBytes);
  } finally {
    await file.close();
  }
  return ends.goodBytes + (ends.newlineMissing ? 1 : 0);
}

export interface Position {
  /** Newest entry that stands in the file. */
  seq: number;
  size: number;
}

/**
 * Appends what follows `at`. Undefined when the file is not as long as it was left: somebody else touched it.
 * A few lines are handed over to the system at once, as the ledger's commits are: on a busy loop each step of its own
 * would wait its turn, and the files of many sessions would be seconds behind.
 */
export async function appendEntries(
  path: string,
  ledger: Ledger,
  transcript: Transcript,
  at: Position,
): Promise<Position | undefined> {
  if (bytesOf(path) !== at.size) return undefined;
  let position = at;
  for await (const entries of newEntries(ledger, transcript, at.seq)) {
    const size = appendIfAsLong(path, linesOf(entries), position.size);
    if (size === undefined) return undefined;
    position = { seq: entries.at(-1)?.seq ?? position.seq, size };
  }
  return position;
}

/** Its size afterwards. */
function appendIfAsLong(path: string, text: string, expected: number): number | undefined {
  const file = openSync(path, "a", 0o600);
  try {
    if (fstatSync(file).size !== expected) return undefined;
    return expected + writeWhole(file, text);
  } finally {
    closeSync(file);
  }
}

/** Returns how many bytes it was. */
export function writeWhole(file: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
  return bytes.length;
}

/** Nothing newer than the transcript as it was read: the mark beside the ledger was raised that far, and no further. */
async function* newEntries(
  ledger: Ledger,
  { sessionId, lastSeq }: Transcript,
  after: number,
): AsyncGenerator<readonly StoredEntry[]> {
  for (let afterSeq = after; ;) {
    const found = await ledger.entries(sessionId, { afterSeq, limit: ENTRIES_AT_ONCE });
    const entries = found.filter((entry) => entry.seq <= lastSeq);
    if (entries.length > 0) yield entries;
    if (entries.length < ENTRIES_AT_ONCE) return;
    afterSeq = entries.at(-1)?.seq ?? afterSeq;
  }
}

const linesOf = (entries: readonly StoredEntry[]): string => entries.map(({ line }) => `${line}\n`).join("");

export async function writeText(file: FileHandle, text: string): Promise<number> {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
  }
  return bytes.length;
}

/** Writes header and live entries beside the target and renames; a file that was there is kept as `keepAs`. */
export async function rewriteTranscript(
  path: string,
  ledger: Ledger,
  transcript: Transcript,
  keepAs?: string,
): Promise<Position> {
  const temporary = `${path}.new.tmp`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(temporary, "w", 0o600);
  let position: Position;
  try {
    position = { seq: 0, size: writeWhole(file, `${headerLine(transcript)}\n`) };
    for await (const entries of newEntries(ledger, transcript, 0)) {
      const size = position.size + writeWhole(file, linesOf(entries));
      position = { seq: entries.at(-1)?.seq ?? position.seq, size };
      // A long one blocks nobody.
      if (entries.length === ENTRIES_AT_ONCE) await nextTurn();
    }
  } catch (error) {
    closeSync(file);
    rmSync(temporary, { force: true });
    throw error;
  }
  closeSync(file);
  if (keepAs !== undefined) await renameIfThere(path, keepAs);
  renameSync(temporary, path);
  return { ...position, seq: Math.max(position.seq, transcript.cutSeq) };
}

export const headerLine = (transcript: Transcript): string => JSON.stringify(transcript.header);

/** False when there was nothing to rename. */
export async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** Whether the file holds exactly the header and the live entries, in order, nothing else. */
export async function equalsLedger(path: string, ledger: Ledger, transcript: Transcript): Promise<boolean> {
  const wanted = wantedLines(ledger, transcript);
  for await (const line of readLines(path)) {
    const next = await wanted.next();
    if (next.done || !line.whole || line.bytes.toString("utf8") !== next.value) return false;
  }
  return (await wanted.next()).done ?? false;
}

async function* wantedLines(ledger: Ledger, transcript: Transcript): AsyncGenerator<string> {
  yield headerLine(transcript);
  for (let afterSeq = 0; ;) {
    const entries = await ledger.entries(transcript.sessionId, { afterSeq, limit: ENTRIES_AT_ONCE });
    for (const { line } of entries) yield line;
    if (entries.length < ENTRIES_AT_ONCE) return;
    afterSeq = entries.at(-1)?.seq ?? afterSeq;
  }
}

export async function flushToDisk(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
