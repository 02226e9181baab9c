// Brings the session index of one agent into the ledger; a damaged one gives what can still be read.
import { copyFile, readFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { agentOfSessionKey, type Change, type Clock, type Ids, type Ledger, type SessionEntry } from "@chela/sdk";
import { archiveStamp, indexPath, isFileName, sessionsDirectory } from "../mirror/paths.ts";
import { freeName, originalFlag } from "../mirror/reconcile.ts";
import { sealOf } from "./find-files.ts";
import { normaliseKey, normaliseSession } from "./normalise-session.ts";
import { scanIndex } from "./scan-index.ts";

export interface IndexImport {
  readonly ledger: Ledger;
  readonly stateDir: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly agentId: string;
  /** Where the configuration says that the index is. */
  readonly store?: string;
  readonly warn: (text: string) => void;
}

export type IndexOutcome =
  | { readonly kind: "absent" }
  /** This very file was imported before. */
  | { readonly kind: "known" }
  | { readonly kind: "imported"; readonly sessions: number };

const ROWS_AT_ONCE = 200;

export async function importIndex(job: IndexImport): Promise<IndexOutcome> {
  const { ledger, clock, agentId } = job;
  const path = indexPath(job.stateDir, agentId, job.store) ?? job.stateDir;
  const seal = await sealOf(job.stateDir, path);
  if (seal === undefined) return { kind: "absent" };
  if ((await ledger.value(seal)) !== undefined) return { kind: "known" };
  const { entries, isDamaged } = scanIndex(await readFile(path, "utf8"));
  if (isDamaged) await keepDamagedIndex(job, path, entries.size);
  const newest = await findNewer(job, entries);
  const changes: Change[] = [...newest].map(([key, entry]) => ({ kind: "session-put", key, entry }));
  // A damaged index has been kept already; a whole one is, when the mirror's takes its place.
  const key = originalFlag(`index:${agentId}`);
  if (changes.length > 0) changes.unshift({ kind: "value-put", key, value: isDamaged ? "" : "1" });
  for (let from = 0; from < changes.length; from += ROWS_AT_ONCE) {
    await ledger.commit(changes.slice(from, from + ROWS_AT_ONCE));
    await nextTurn();
  }
  await ledger.commit([{ kind: "value-put", key: seal, value: String(clock.now()) }]);
  return { kind: "imported", sessions: newest.size };
}

/** What the ledger knows better (a newer use of the session) is left alone. */
async function findNewer(
  job: IndexImport,
  entries: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, SessionEntry>> {
  const newest = new Map<string, SessionEntry>();
  let count = 0;
  for (const [rawKey, row] of entries) {
    if (++count % ROWS_AT_ONCE === 0) await nextTurn();
    if (typeof row !== "object" || row === null) {
      job.warn(`The session index of agent ${job.agentId} has no session under ${JSON.stringify(rawKey)}; left out`);
      continue;
    }
    const key = normaliseKey(rawKey);
    const entry = toEntry(job, key, row as Record<string, unknown>);
    const other = newest.get(key) ?? (await job.ledger.session(key));
    if (!other || other.updatedAt < entry.updatedAt) newest.set(key, entry);
  }
  return newest;
}

export function toEntry(job: IndexImport, key: string, row: Record<string, unknown>): SessionEntry {
  const entry = normaliseSession(row, { updatedAt: job.clock.now(), newSessionId: job.ids.uuid });
  const { sessionFile, ...rest } = entry;
  if (sessionFile === undefined) return entry;
  const file =
    fileInside(job, sessionFile) ?? fileInside({ ...job, agentId: agentOfSessionKey(key) ?? "" }, sessionFile);
  if (file !== undefined) return { ...rest, sessionFile: file };
  job.warn(`Session ${key} names a file outside its sessions directory (${sessionFile}); that name was ignored`);
  return rest as SessionEntry;
}

/** The bare name of a file in the agent's sessions directory; undefined for any other place. */
function fileInside(
  { stateDir, agentId }: Pick<IndexImport, "stateDir" | "agentId">,
  sessionFile: string,
): string | undefined {
  const directory = sessionsDirectory(stateDir, agentId);
  if (directory === undefined) return undefined;
  // A state directory that was moved or copied has old absolute paths: the same place below `agents` is meant.
  const moved = /[\\/]agents[\\/]([^\\/]+)[\\/]sessions[\\/]([^\\/]+)$/.exec(sessionFile);
  if (moved?.[1] === agentId && moved[2] !== undefined && isFileName(moved[2])) return moved[2];
  const path = isAbsolute(sessionFile) ? sessionFile : resolve(directory, sessionFile);
  const name = relative(directory, path);
  return dirname(name) === "." && isFileName(name) ? name : undefined;
}

export async function keepDamagedIndex({ clock, warn }: IndexImport, path: string, count: number): Promise<void> {
  const keptAs = await freeName(`${path}.damaged.${archiveStamp(clock.now())}`);
  await copyFile(path, keptAs);
  warn(`${path} is damaged; ${count} sessions could still be read, and the file is kept as ${basename(keptAs)}`);
}
