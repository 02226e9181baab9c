// Merges a session index that another program changed: its new sessions, labels, resets and deletions become the ledger's.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Change, SessionEntry, SessionRow, Transcript } from "@chela/sdk";
import { bytesOf } from "../mirror/file-stamp.ts";
import { archiveOf, archiveStamp, isSharedIndex, liveName, sessionsDirectory } from "../mirror/paths.ts";
import { ownerOf, ownersIn } from "../mirror/session-index.ts";
import { keepDamagedIndex, toEntry, type IndexImport } from "./import-index.ts";
import { normaliseKey } from "./normalise-session.ts";
import { scanIndex } from "./scan-index.ts";
import { takeTail } from "./take-tail.ts";

/** Keeps those who write a session or a transcript for themselves out of the way meanwhile. */
export interface Guards {
  session<T>(key: string, work: () => Promise<T>): Promise<T>;
  transcript<T>(sessionId: string, work: () => Promise<T>): Promise<T>;
  /** Whether somebody is talking in this session right now. */
  isBusy(key: string): boolean;
}

export interface IndexMerge extends IndexImport {
  readonly guards: Guards;
  /** When we wrote the index last; what changed here later than that is not in it. Undefined when we never did. */
  readonly knownAt: number | undefined;
  /** Brings in the transcript of a session that is new here. */
  readonly takeTranscript: (sessionId: string) => Promise<void>;
}

export interface MergeReport {
  added: number;
  changed: number;
  startedAnew: number;
  deleted: number;
}

const ROWS_AT_ONCE = 200;

/** What the index lists. */
interface SeenSessions {
  readonly keys: Set<string>;
  readonly sessionIds: Set<string>;
}

export async function mergeIndex(job: IndexMerge, path: string, text: string): Promise<MergeReport> {
  const report: MergeReport = { added: 0, changed: 0, startedAnew: 0, deleted: 0 };
  const { entries, isDamaged } = scanIndex(text);
  if (isDamaged) await keepDamagedIndex(job, path, entries.size);
  const seen: SeenSessions = { keys: new Set(), sessionIds: new Set() };
  let count = 0;
  for (const [rawKey, row] of entries) {
    if (++count % ROWS_AT_ONCE === 0) await nextTurn();
    if (typeof row !== "object" || row === null) continue;
    const key = normaliseKey(rawKey);
    const entry = toEntry(job, key, row as Record<string, unknown>);
    seen.keys.add(key);
    seen.sessionIds.add(entry.sessionId);
    await job.guards.session(key, () => mergeRow(job, key, entry, report));
  }
  if (!isDamaged && job.knownAt !== undefined) await dropMissing(job, job.knownAt, seen, report);
  return report;
}

async function mergeRow(job: IndexMerge, key: string, theirs: SessionEntry, report: MergeReport): Promise<void> {
  const mine = await job.ledger.session(key);
  if (mine?.sessionId === theirs.sessionId) return mergeSame(job, key, mine, theirs, report);
  const ended = (await job.ledger.archive(theirs.sessionId))?.transcript.archived;
  // We ended it after they used it last: their row is only old.
  if (ended && ended.at >= theirs.updatedAt) return;
  if (!mine) return addSession(job, key, theirs, Boolean(ended), report);
  const isOlder = isNewerHere(job, mine) && mine.updatedAt > theirs.updatedAt;
  if (isOlder || job.guards.isBusy(key)) return keepAside(job, key, theirs, Boolean(ended));
  await endSession(job, mine, "reset", []);
  await addSession(job, key, theirs, Boolean(ended), { ...report, added: 0 });
  report.startedAnew += 1;
}

/** Changed since we wrote the index, so the row there may know less. */
const isNewerHere = (job: IndexMerge, mine: SessionEntry): boolean =>
  job.knownAt === undefined || mine.updatedAt > job.knownAt;

async function mergeSame(
  job: IndexMerge,
  key: string,
  mine: SessionEntry,
  theirs: SessionEntry,
  report: MergeReport,
): Promise<void> {
  const next = joinRows(mine, theirs, isNewerHere(job, mine));
  if (isDeepStrictEqual(withoutFile(next), withoutFile(mine))) return;
  await job.ledger.commit([{ kind: "session-put", key, entry: next }]);
  report.changed += 1;
}

/** Where both sides changed the session, the later use wins field by field, and what only one side says stays. */
function joinRows(mine: SessionEntry, theirs: SessionEntry, isNewer: boolean): SessionEntry {
  // A row older than the one we wrote is from a copy of the index that its writer had read before.
  if (!isNewer) return theirs.updatedAt < mine.updatedAt ? mine : theirs;
  return theirs.updatedAt > mine.updatedAt ? { ...mine, ...theirs } : { ...theirs, ...mine };
}

/** The index always names a file, the ledger only where it is not the usual one. */
function withoutFile({ sessionFile: _file, ...entry }: SessionEntry): object {
  return entry;
}

async function addSession(
  job: IndexMerge,
  key: string,
  entry: SessionEntry,
  wasEnded: boolean,
  report: MergeReport,
): Promise<void> {
  const { ledger } = job;
  const { sessionId } = entry;
  const changes: Change[] = [{ kind: "session-put", key, entry }];
  const transcript = await ledger.transcript(sessionId);
  if (transcript && wasEnded)
    changes.unshift({ kind: "transcript-restore", sessionId, file: liveName(transcript.file) });
  // A file that was found before its row had to be given a key of its own.
  const other = await ledger.sessionKeyOf(sessionId);
  if (other?.includes(":recovered:")) changes.unshift({ kind: "session-delete", key: other });
  await ledger.commit(changes);
  if (!transcript) await job.takeTranscript(sessionId);
  report.added += 1;
}

/** Both sides talk under one key: ours goes on, theirs is an ended conversation of the same key that can be restored. */
async function keepAside(job: IndexMerge, key: string, entry: SessionEntry, isKept: boolean): Promise<void> {
  if (isKept) return;
  const { ledger, clock } = job;
  const { sessionId } = entry;
  await job.takeTranscript(sessionId);
  const transcript = await ledger.transcript(sessionId);
  const recovered = await ledger.sessionKeyOf(sessionId);
  if (!transcript || transcript.archived) return;
  const at = clock.now();
  await ledger.commit([
    ...(recovered && recovered !== key ? [{ kind: "session-delete" as const, key: recovered }] : []),
    { kind: "transcript-archive", sessionId, reason: "reset", at, file: archivedName(transcript, "reset", at), entry },
  ]);
}

async function endSession(
  job: IndexMerge,
  entry: SessionEntry,
  reason: "reset" | "deleted",
  more: readonly Change[],
): Promise<void> {
  const transcript = await job.ledger.transcript(entry.sessionId);
  if (!transcript || transcript.archived || (await isShared(job, entry))) {
    if (more.length > 0) await job.ledger.commit(more);
    return;
  }
  const { sessionId } = transcript;
  await job.guards.transcript(sessionId, async () => {
    const found = findArchived(job, transcript);
    const path = fileOf(job, transcript.agentId, found ?? transcript.file);
    // What they wrote before they ended it belongs to it.
    if (path !== undefined) await takeTail(job.ledger, transcript, path);
    const at = (found === undefined ? undefined : archiveOf(found)?.at) ?? job.clock.now();
    const file = found ?? archivedName(transcript, reason, at);
    await job.ledger.commit([{ kind: "transcript-archive", sessionId, reason, at, file, entry }, ...more]);
  });
}

/** Runs of a job have a key of their own and share the conversation with the key of the job. */
async function isShared({ ledger }: IndexMerge, { sessionId }: SessionEntry): Promise<boolean> {
  return (await ledger.sessions({ search: sessionId, includeHidden: true, limit: 2 })).length > 1;
}

const archivedName = ({ file }: Transcript, reason: string, at: number): string =>
  `${liveName(file)}.${reason}.${archiveStamp(at)}`;

/** The name the other program gave the file when it ended the session; the newest when there are several. */
function findArchived(job: IndexMerge, { agentId, file }: Transcript): string | undefined {
  const directory = sessionsDirectory(job.stateDir, agentId);
  if (directory === undefined || !existsSync(directory)) return undefined;
  if (bytesOf(join(directory, file)) !== undefined) return undefined;
  const names = readdirSync(directory).filter((name) => name.startsWith(`${file}.`) && archiveOf(name));
  return names.sort((a, b) => (archiveOf(a)?.at ?? 0) - (archiveOf(b)?.at ?? 0)).at(-1);
}

function fileOf(job: IndexMerge, agentId: string, file: string): string | undefined {
  const directory = sessionsDirectory(job.stateDir, agentId);
  const path = directory === undefined ? undefined : join(directory, file);
  return path !== undefined && bytesOf(path) !== undefined ? path : undefined;
}

/**
 * Rows that stood in the index as we wrote it and are gone. A program that ends a session puts its file away, too. Where
 * the file is there and no other row names it, the index was lost or an old copy of it came back: the session goes on.
 */
async function dropMissing(job: IndexMerge, knownAt: number, seen: SeenSessions, report: MergeReport): Promise<void> {
  for (const row of await listSessions(job)) {
    const { key, entry, createdAt = 0 } = row;
    if (seen.keys.has(key) || entry.updatedAt > knownAt || createdAt > knownAt) continue;
    if (!seen.sessionIds.has(entry.sessionId) && (await isFileLeft(job, row))) continue;
    await job.guards.session(key, async () => {
      if (job.guards.isBusy(key) || (await job.ledger.session(key))?.updatedAt !== entry.updatedAt) return;
      await endSession(job, entry, "deleted", [{ kind: "session-delete", key }]);
      report.deleted += 1;
    });
  }
}

/** There, or to be written yet: an index may list a session a moment before its file is there. */
async function isFileLeft(job: IndexMerge, { key, entry: { sessionId, sessionFile } }: SessionRow): Promise<boolean> {
  if (fileOf(job, ownerOf(key), sessionFile ?? `${sessionId}.jsonl`) !== undefined) return true;
  const transcript = await job.ledger.transcript(sessionId);
  return transcript !== undefined && transcript.mirroredFile === undefined && !findArchived(job, transcript);
}

async function listSessions({ ledger, agentId, store }: IndexMerge): Promise<SessionRow[]> {
  const found: SessionRow[] = [];
  for (const owner of isSharedIndex(store) ? [{}] : ownersIn(agentId).map((id) => ({ agentId: id }))) {
    for (let offset = 0; ; offset += ROWS_AT_ONCE) {
      const query = { ...owner, includeGlobal: true, includeUnknown: true, includeHidden: true };
      const rows = await ledger.sessions({ ...query, limit: ROWS_AT_ONCE, offset });
      found.push(...rows);
      if (rows.length < ROWS_AT_ONCE) break;
    }
  }
  return found;
}
