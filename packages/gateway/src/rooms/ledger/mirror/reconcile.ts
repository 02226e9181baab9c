// Makes one transcript file agree with the ledger, whatever a crash, a full disk or another program left there.
import { access } from "node:fs/promises";
import { GatewayError, type Clock, type Ledger, type Logger, type Transcript } from "@chela/sdk";
import type { Guards } from "../import/merge-index.ts";
import { bytesOf } from "./file-stamp.ts";
import { archiveStamp, liveName, transcriptPath } from "./paths.ts";
import { parseObject, readLines } from "./read-lines.ts";
import { allEntries, idOf } from "./stored-entries.ts";
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
  readonly guards: Guards;
  /** Something of another program was taken over, in a few words for people. */
  readonly merged?: (what: string) => Promise<void>;
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
  const found = await readIfThere(path);
  if (found) return found;
  for (const name of new Set([...previous, liveName(transcript.file)])) {
    if (name === transcript.file) continue;
    const old = transcriptPath(stateDir, transcript.agentId, name);
    const ends = old === undefined ? undefined : await readIfThere(old);
    if (old === undefined || !ends || !isOurs(ends, transcript)) continue;
    await renameIfThere(old, path);
    return ends;
  }
  return undefined;
}

/** Asked at once: most files that are not known are new, and on a busy loop each step of its own would wait its turn. */
function readIfThere(path: string): Promise<FileEnds | undefined> | undefined {
  return bytesOf(path) === undefined ? undefined : readEnds(path);
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

async function replaceOriginal(context: FileContext, imported: Transcript, path: string): Promise<Position> {
  const { ledger } = context;
  // Its writer may have gone on since it was read.
  const { transcript } = await takeNews(context, imported, path);
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
  const { ledger, guards } = context;
  const { sessionId, cutSeq } = transcript;
  const size = await repairEnd(path, ends);
  const seq = ends.lastId === undefined ? cutSeq : await findSeq(ledger, sessionId, ends.lastId);
  if (seq === undefined || seq < cutSeq) return takeOver(context, transcript, path);
  // Not as long as it was left: others may have written before our last words as well.
  if (size !== transcript.mirroredSize) {
    const { hasNews } = await loadTail();
    const isNews = await guards.transcript(sessionId, () => hasNews(ledger, transcript, path));
    if (isNews) return takeOver(context, transcript, path);
  }
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

/** The file has something the ledger does not know: it is taken over, and nothing is thrown away. */
async function takeOver(context: FileContext, before: Transcript, path: string): Promise<Position> {
  const { ledger } = context;
  const { transcript, hasOthers } = await takeNews(context, before, path);
  const size = bytesOf(path);
  if (size !== undefined && (await equalsLedger(path, ledger, transcript))) return { seq: transcript.lastSeq, size };
  // Everything in it is in the ledger now, in the same form or hung on another entry; only lines that are no records are not.
  const keepAs = hasOthers ? await freeName(`${path}.bak.${stampNow(context)}`) : undefined;
  return rewriteTranscript(path, ledger, transcript, keepAs);
}

interface News {
  /** As it is with what was taken over. */
  readonly transcript: Transcript;
  readonly hasOthers: boolean;
}

/** Brings what others wrote into the file into the ledger; the file stays as it is. */
export async function takeNews(context: FileContext, transcript: Transcript, path: string): Promise<News> {
  const { ledger, log, guards } = context;
  const { sessionId } = transcript;
  const { takeTail } = await loadTail();
  const { entries, hasOthers } = await guards.transcript(sessionId, () => takeTail(ledger, transcript, path));
  if (entries > 0) {
    log.info("Another program wrote into a conversation; its entries were taken over", { file: path, entries });
    await context.merged?.(`${entries} ${entries === 1 ? "entry" : "entries"} in ${transcript.sessionKey}`);
  }
  return { transcript: (await ledger.transcript(sessionId)) ?? transcript, hasOthers };
}

/** Loaded with the first file that somebody else may have written into. */
const loadTail = () => import("../import/take-tail.ts");

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
