// Keeps the number and size of sessions within bounds: reports what is too old or too much, and acts when told to.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change, Ledger, Logger } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { findAgents, sessionIdOfFile } from "../import/find-files.ts";
import { archiveOf, archiveStamp, sessionsDirectory } from "./paths.ts";
import { parseObject } from "./read-lines.ts";
import { allEntries } from "./stored-entries.ts";
import { ownerOf } from "./session-index.ts";

export interface MaintenanceConfig {
  /** `warn` only reports. */
  readonly mode: "warn" | "enforce";
  readonly pruneAfterMs: number;
  /** Per agent. */
  readonly maxEntries: number;
  readonly rotateBytes: number;
  /** How long reset and deleted transcripts stay; as long as sessions unless told; false keeps them. */
  readonly resetArchiveRetentionMs?: number | false;
  readonly maxDiskBytes?: number;
  /** Where the clearing stops once the budget is passed; 80 % of it unless told. */
  readonly highWaterBytes?: number;
}

export interface MaintenanceOptions {
  readonly ledger: Ledger;
  readonly config: MaintenanceConfig;
  /** Sessions that are never removed: the main ones, and those in use. */
  readonly keep: (key: string) => boolean;
  readonly now: number;
  readonly stateDir: string;
  readonly log: Logger;
}

export interface MaintenanceReport {
  /** False when this is only what would be done. */
  readonly applied: boolean;
  readonly sessions: number;
  /** Keys of sessions not used for too long. */
  readonly tooOld: readonly string[];
  /** Keys beyond the number that is kept, oldest first. */
  readonly tooMany: readonly string[];
  /** Keys that fell to the disk budget. */
  readonly overBudget: readonly string[];
  /** Session ids whose transcript was shortened to what the model still sees. */
  readonly rotated: readonly string[];
  /** Session ids whose transcript is too large, but without a summary to begin anew from. */
  readonly tooLarge: readonly string[];
  readonly removedFiles: readonly string[];
  readonly bytesBefore: number;
  readonly bytesFreed: number;
}

interface SessionAge {
  readonly key: string;
  readonly sessionId: string;
  readonly updatedAt: number;
}
interface DiskFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
}

const ROWS_AT_ONCE = 200;
/** Entries that a running turn may add between counting and cutting; keeping some more than needed does no harm. */
const ROTATE_MARGIN = 64;

export async function maintainSessions(options: MaintenanceOptions): Promise<MaintenanceReport> {
  const { config, now, log } = options;
  const applied = config.mode === "enforce";
  const sessions = await readAges(options.ledger);
  const removable = sessions.filter(({ key }) => !options.keep(key));
  const tooOld = removable.filter(({ updatedAt }) => updatedAt < now - config.pruneAfterMs);
  const tooMany = findSurplus(sessions, new Set(tooOld), options);
  const files = await readDisk(options.stateDir);
  const bytesBefore = files.reduce((sum, { size }) => sum + size, 0);
  const kept = await namesInLedger(options.ledger);
  const expired = files.filter((file) => isExpired(file, options) && kept.has(file.name));
  const gone = new Set([...tooOld, ...tooMany]);
  const budget = clearForBudget(
    options,
    files,
    new Set(expired),
    removable.filter((one) => !gone.has(one)),
  );
  const rotation = await findRotations(
    options,
    sessions.filter((one) => !gone.has(one)),
    files,
  );

  const removedFiles = [...expired, ...budget.files];
  if (applied) {
    await deleteSessions(options, [...tooOld, ...tooMany, ...budget.sessions]);
    for (const { path } of removedFiles) await rm(path, { force: true });
    for (const { sessionId, keep } of rotation.due) {
      await options.ledger.commit([{ kind: "transcript-cut", sessionId, keep }]);
    }
  }
  const report: MaintenanceReport = {
    applied,
    sessions: sessions.length,
    tooOld: tooOld.map(({ key }) => key),
    tooMany: tooMany.map(({ key }) => key),
    overBudget: budget.sessions.map(({ key }) => key),
    rotated: rotation.due.map(({ sessionId }) => sessionId),
    tooLarge: rotation.tooLarge,
    removedFiles: removedFiles.map(({ path }) => path),
    bytesBefore,
    bytesFreed: removedFiles.reduce((sum, { size }) => sum + size, 0),
  };
  tellOutcome(log, report);
  return report;
}

/** Newest first. */
async function readAges(ledger: Ledger): Promise<SessionAge[]> {
  const ages = new Map<string, SessionAge>();
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const rows = await ledger.sessions({
      includeGlobal: true,
      includeUnknown: true,
      includeHidden: true,
      limit: ROWS_AT_ONCE,
      offset,
    });
    for (const { key, entry } of rows) ages.set(key, { key, sessionId: entry.sessionId, updatedAt: entry.updatedAt });
    if (rows.length < ROWS_AT_ONCE) return [...ages.values()];
    await nextTurn();
  }
}

/** The oldest of each agent beyond the cap. Kept sessions count, but others go in their place. */
function findSurplus(
  sessions: readonly SessionAge[],
  gone: ReadonlySet<SessionAge>,
  { config, keep }: MaintenanceOptions,
): SessionAge[] {
  const byAgent = Map.groupBy(
    sessions.filter((one) => !gone.has(one)),
    ({ key }) => ownerOf(key),
  );
  return [...byAgent.values()].flatMap((rows) => {
    const surplus = rows.length - config.maxEntries;
    if (surplus <= 0) return [];
    return rows
      .filter(({ key }) => !keep(key))
      .reverse()
      .slice(0, surplus);
  });
}

/** Files whose conversation the ledger has: only those may be taken away, since only those can come back. */
async function namesInLedger(ledger: Ledger): Promise<Set<string>> {
  return new Set((await ledger.transcripts({})).flatMap(({ file, mirroredFile = file }) => [file, mirroredFile]));
}

function isExpired(file: DiskFile, { config, now }: MaintenanceOptions): boolean {
  const retention = config.resetArchiveRetentionMs ?? config.pruneAfterMs;
  const archived = archiveOf(file.name);
  if (!archived || retention === false) return false;
  return (archived.at || file.mtimeMs) < now - retention;
}

/** Copies and archives go first, the oldest ahead; only then sessions. Their files follow at the next run. */
function clearForBudget(
  { config }: MaintenanceOptions,
  files: readonly DiskFile[],
  expired: ReadonlySet<DiskFile>,
  removable: readonly SessionAge[],
): { files: DiskFile[]; sessions: SessionAge[] } {
  const left = files.filter((file) => !expired.has(file));
  let total = left.reduce((sum, { size }) => sum + size, 0);
  if (config.maxDiskBytes === undefined || total <= config.maxDiskBytes) return { files: [], sessions: [] };
  const wanted = config.highWaterBytes ?? config.maxDiskBytes * 0.8;
  const take = <T>(from: readonly T[], sizeOf: (one: T) => number): T[] => {
    const taken: T[] = [];
    for (const one of from) {
      if (total <= wanted) break;
      taken.push(one);
      total -= sizeOf(one);
    }
    return taken;
  };
  const spare = left.filter(({ name }) => isSpare(name)).sort((a, b) => a.mtimeMs - b.mtimeMs);
  const sizes = new Map(
    left.filter(({ name }) => name.endsWith(".jsonl")).map(({ name, size }) => [sessionIdOfFile(name), size]),
  );
  const spareTaken = take(spare, ({ size }) => size);
  const sessions = take([...removable].reverse(), ({ sessionId }) => sizes.get(sessionId) ?? 0);
  return { files: spareTaken, sessions };
}

const isSpare = (name: string): boolean =>
  archiveOf(name) !== undefined || /\.jsonl?\.(bak|imported|damaged)\./.test(name);

/**
 * A transcript that grew past the limit begins anew with what the model still sees: from the first entry its newest
 * summary kept. The long file stays as `.bak.<ts>` and the ledger keeps every entry. Without a summary nothing is cut,
 * because the model would lose its memory of the conversation.
 */
async function findRotations(
  { ledger, config }: MaintenanceOptions,
  sessions: readonly SessionAge[],
  files: readonly DiskFile[],
): Promise<{ due: Array<{ sessionId: string; keep: number }>; tooLarge: string[] }> {
  const large = new Set(files.filter(({ size }) => size > config.rotateBytes).map(({ name }) => name));
  const due: Array<{ sessionId: string; keep: number }> = [];
  const tooLarge: string[] = [];
  if (large.size === 0) return { due, tooLarge };
  for (const { sessionId } of sessions) {
    const transcript = await ledger.transcript(sessionId);
    if (!transcript || !large.has(transcript.file)) continue;
    const counts = await countEntries(ledger, sessionId, transcript.cutSeq);
    const keep = counts.visible === undefined ? undefined : counts.visible + ROTATE_MARGIN;
    if (keep === undefined || keep >= counts.live) tooLarge.push(sessionId);
    else due.push({ sessionId, keep });
  }
  return { due, tooLarge };
}

async function countEntries(
  ledger: Ledger,
  sessionId: string,
  cutSeq: number,
): Promise<{ live: number; visible: number | undefined }> {
  const places = new Map<string, number>();
  let firstVisible: number | undefined;
  let live = 0;
  for await (const { seq, line } of allEntries(ledger, sessionId)) {
    if (seq <= cutSeq) continue;
    const entry = parseObject(line);
    places.set(String(entry?.["id"]), live);
    if (entry?.["type"] === "compaction") firstVisible = places.get(String(entry["firstKeptEntryId"])) ?? live;
    live += 1;
  }
  return { live, visible: firstVisible === undefined ? undefined : live - firstVisible };
}

async function deleteSessions({ ledger, now }: MaintenanceOptions, sessions: readonly SessionAge[]): Promise<void> {
  for (const { key, sessionId, updatedAt } of sessions) {
    const current = await ledger.session(key);
    // Used again since it was looked at: it stays.
    if (!current || current.updatedAt !== updatedAt) continue;
    const changes: Change[] = [{ kind: "session-delete", key }];
    const transcript = await ledger.transcript(sessionId);
    if (transcript && !transcript.archived) {
      const file = `${transcript.file}.deleted.${archiveStamp(now)}`;
      changes.push({ kind: "transcript-archive", sessionId, reason: "deleted", at: now, file, entry: current });
    }
    await ledger.commit(changes);
  }
}

async function readDisk(stateDir: string): Promise<DiskFile[]> {
  const files: DiskFile[] = [];
  for (const agentId of await findAgents(stateDir)) {
    const directory = sessionsDirectory(stateDir, agentId);
    if (directory === undefined) continue;
    for (const name of await listFiles(directory)) {
      const path = join(directory, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile()) files.push({ path, name, size: found.size, mtimeMs: found.mtimeMs });
    }
  }
  return files;
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

function tellOutcome(log: Logger, report: MaintenanceReport): void {
  const counts = {
    tooOld: report.tooOld.length,
    tooMany: report.tooMany.length,
    overBudget: report.overBudget.length,
    rotated: report.rotated.length,
    files: report.removedFiles.length,
    bytes: report.bytesFreed,
  };
  if (Object.values(counts).every((count) => count === 0)) return;
  if (report.applied) log.info("Old sessions were cleared away", counts);
  else log.warn("Sessions are past their bounds; session.maintenance.mode enforce would clear them away", counts);
}
