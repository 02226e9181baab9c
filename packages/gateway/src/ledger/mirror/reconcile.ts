// Makes one transcript file agree with the ledger, whatever a crash, a full disk or another program left there.
import { access, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { GatewayError, type Clock, type Ledger, type Logger, type NewEntry, type Transcript } from "@chela/sdk";
import { createNormaliser } from "../import/normalise-entry.ts";
import { archiveStamp, liveName, transcriptPath } from "./paths.ts";
import { parseObject, readLines } from "./read-lines.ts";
import {
  appendEntries,
  equalsLedger,
  headerLine,
  readEnds,
  renameIfThere,
  repairEnd,
  rewriteTranscript,
  type FileEnds,
  type Position,
} from "./transcript-file.ts";

export interface FileContext {
  readonly ledger: Ledger;
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Where the import tells the mirror about a file it read: "importing" while it is at it, "1" when the file is not in our
 * form and so has to be kept once ours takes its place, "" when there is nothing to heed.
 */
export const originalFlag = (what: string): string => `import-original:${what}`;

/** The place of a transcript's file; throws for names that could lead out of the state directory. */
export function requirePath(stateDir: string, transcript: Transcript, file = transcript.file): string {
  const path = transcriptPath(stateDir, transcript.agentId, file);
  if (path === undefined) {
    throw new GatewayError(
      "STORE_FAILED",
      `the file name ${JSON.stringify(file)} of agent ${JSON.stringify(transcript.agentId)} is not allowed`,
    );
  }
  return path;
}

/**
 * `previous` are names the file may still have. Afterwards the file equals the ledger as of `transcript`.
 * Undefined while the file is being imported: its turn comes with the import's last commit.
 */
export async function reconcile(
  context: FileContext,
  transcript: Transcript,
  previous: readonly string[] = [],
): Promise<Position | undefined> {
  const { ledger } = context;
  const path = requirePath(context.stateDir, transcript);
  const original = await ledger.value(originalFlag(transcript.sessionId));
  if (original === "importing") return undefined;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const ends = await findFile(context, transcript, path, previous);
  if (!ends) return rewriteTranscript(path, ledger, transcript);
  if (original) return replaceOriginal(context, transcript, path);
  if (!isOurs(ends, transcript)) return replaceForeign(context, transcript, path, ends);
  if (transcript.cutSeq > 0 && !(await startsAtCut(ledger, transcript, ends))) {
    return rewriteTranscript(path, ledger, transcript, await freeName(`${path}.bak.${stampNow(context)}`));
  }
  return continueFile(context, transcript, path, ends);
}

async function findFile(
  { stateDir }: FileContext,
  transcript: Transcript,
  path: string,
  previous: readonly string[],
): Promise<FileEnds | undefined> {
  const found = await readEnds(path);
  if (found) return found;
  for (const name of new Set([...previous, liveName(transcript.file)])) {
    if (name === transcript.file) continue;
    const old = transcriptPath(stateDir, transcript.agentId, name);
    const ends = old === undefined ? undefined : await readEnds(old);
    if (old === undefined || !ends || !isOurs(ends, transcript)) continue;
    await renameIfThere(old, path);
    return ends;
  }
  return undefined;
}

function isOurs(ends: FileEnds, transcript: Transcript): boolean {
  const header = ends.firstLine === undefined ? undefined : parseObject(ends.firstLine);
  return header?.["type"] === "session" && header["id"] === transcript.header.id;
}

/** After a cut was carried out the file begins with the first live entry; before, with an older one. */
async function startsAtCut(ledger: Ledger, transcript: Transcript, ends: FileEnds): Promise<boolean> {
  const [first] = await ledger.entries(transcript.sessionId, { limit: 1 });
  return ends.firstEntryId === (first && idOf(first.line));
}

async function replaceOriginal(context: FileContext, transcript: Transcript, path: string): Promise<Position> {
  const { ledger } = context;
  const keepAs = await freeName(`${path}.imported.${stampNow(context)}`);
  const isEqual = await equalsLedger(path, ledger, transcript);
  const position = await rewriteTranscript(path, ledger, transcript, isEqual ? undefined : keepAs);
  await ledger.commit([{ kind: "value-put", key: originalFlag(transcript.sessionId), value: "" }]);
  return position;
}

/** A torn header of our own is simply written again; anything else is somebody's and is kept. */
async function replaceForeign(
  context: FileContext,
  transcript: Transcript,
  path: string,
  ends: FileEnds,
): Promise<Position> {
  if (await isTornHeader(path, transcript, ends)) return rewriteTranscript(path, context.ledger, transcript);
  const keepAs = await freeName(`${path}.bak.${stampNow(context)}`);
  context.log.warn("A transcript file is not the one the ledger knows; it was kept aside and written again", {
    file: path,
    keptAs: keepAs,
  });
  return rewriteTranscript(path, context.ledger, transcript, keepAs);
}

async function isTornHeader(path: string, transcript: Transcript, ends: FileEnds): Promise<boolean> {
  const header = Buffer.from(`${headerLine(transcript)}\n`);
  if (ends.size > header.length) return false;
  for await (const line of readLines(path)) return header.subarray(0, line.bytes.length).equals(line.bytes);
  return true;
}

async function continueFile(
  context: FileContext,
  transcript: Transcript,
  path: string,
  ends: FileEnds,
): Promise<Position | undefined> {
  const { ledger } = context;
  const size = await repairEnd(path, ends);
  const seq = ends.lastId === undefined ? transcript.cutSeq : await findSeq(ledger, transcript.sessionId, ends.lastId);
  if (seq === undefined || seq < transcript.cutSeq) return takeTail(context, transcript, path);
  const position = await appendEntries(path, ledger, transcript, { seq, size });
  return position ?? reconcile(context, transcript);
}

/** The place of an entry in the ledger; looked for from the newest on, where it nearly always is. */
async function findSeq(ledger: Ledger, sessionId: string, id: string): Promise<number | undefined> {
  for (const newest of [32, 1024]) {
    const entries = await ledger.entries(sessionId, { newest });
    const found = entries.findLast(({ line }) => idOf(line) === id);
    if (found) return found.seq;
    if (entries.length < newest) return undefined;
  }
  for await (const entry of allEntries(ledger, sessionId)) if (idOf(entry.line) === id) return entry.seq;
  return undefined;
}

/** The file ends with something the ledger does not know: what connects to it is taken over, nothing is thrown away. */
async function takeTail(context: FileContext, transcript: Transcript, path: string): Promise<Position> {
  const { ledger, log } = context;
  const taken = await importTail(ledger, transcript, path);
  if (taken > 0) {
    log.warn("The ledger lacked entries that a transcript file had; they were taken over", {
      file: path,
      entries: taken,
    });
  }
  const now = (await ledger.transcript(transcript.sessionId)) ?? transcript;
  const isEqual = taken > 0 && (await equalsLedger(path, ledger, now));
  const keepAs = isEqual ? undefined : await freeName(`${path}.bak.${stampNow(context)}`);
  return rewriteTranscript(path, ledger, now, keepAs);
}

/** Appends the file's unknown entries whose parents are known, in the file's order; tells how many. */
export async function importTail(ledger: Ledger, transcript: Transcript, path: string): Promise<number> {
  const known = new Set<string>();
  for await (const entry of allEntries(ledger, transcript.sessionId)) known.add(idOf(entry.line));
  const wasEmpty = known.size === 0;
  const normaliser = createNormaliser(transcript.sessionId);
  const entries: NewEntry[] = [];
  for await (const line of readLines(path)) {
    const text = line.bytes.toString("utf8");
    const value = parseObject(text);
    if (!value || (line.start === 0 && value["type"] === "session")) continue;
    const entry = normaliser.entry(value, text);
    if (known.has(entry.id)) continue;
    const connects = entry.parentId === null ? wasEmpty : known.has(entry.parentId);
    if (!connects) continue;
    known.add(entry.id);
    entries.push({ id: entry.id, line: entry.line });
  }
  if (entries.length > 0) await ledger.commit([{ kind: "entries-append", sessionId: transcript.sessionId, entries }]);
  return entries.length;
}

export async function* allEntries(
  ledger: Ledger,
  sessionId: string,
): AsyncGenerator<{ readonly seq: number; readonly line: string }> {
  for (let afterSeq = 0; ;) {
    const entries = await ledger.entries(sessionId, { afterSeq, limit: 500, all: true });
    yield* entries;
    const last = entries.at(-1);
    if (!last || entries.length < 500) return;
    afterSeq = last.seq;
  }
}

export const idOf = (line: string): string => String(parseObject(line)?.["id"]);

const stampNow = ({ clock }: FileContext): string => archiveStamp(clock.now());

/** Two things kept in the same millisecond must not overwrite each other. */
export async function freeName(path: string): Promise<string> {
  for (let count = 0; ; count++) {
    const name = count === 0 ? path : `${path}.${count}`;
    try {
      await access(name);
    } catch {
      return name;
    }
  }
}
