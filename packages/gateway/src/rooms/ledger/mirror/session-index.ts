// Writes sessions.json of one agent from the ledger, slice by slice, so that any number of sessions blocks nobody.
import { defined } from "@chela/sdk/base";
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { agentOfSessionKey, type Ledger, type SessionEntry, type SessionRow } from "@chela/sdk";
import { stampOf } from "./file-stamp.ts";
import {
  DEFAULT_AGENT,
  archiveStamp,
  indexPath,
  isFileName,
  isSessionId,
  isSharedIndex,
  sessionsDirectory,
} from "./paths.ts";
import { freeName, originalFlag } from "./reconcile.ts";
import { renameIfThere, writeWhole } from "./transcript-file.ts";

const ROWS_AT_ONCE = 200;

/** The agent whose index lists a session. */
export const ownerOf = (key: string): string => agentOfSessionKey(key) ?? DEFAULT_AGENT;

/** Sessions of no agent are listed with the default one. */
export const ownersIn = (agentId: string): readonly string[] =>
  agentId === DEFAULT_AGENT ? [DEFAULT_AGENT, ""] : [agentId];

/** Keys the caller saw change while the index is being written: they may move between two slices. */
export interface IndexJob {
  readonly ledger: Ledger;
  readonly stateDir: string;
  readonly agentId: string;
  readonly changed: ReadonlySet<string>;
  /** Where the configuration says that the index is. */
  readonly store?: string;
  /** Now, for the name of an original that has to be kept; undefined where none is replaced. */
  readonly replacesAt?: number;
}

/** What was written, before the file has its name: whoever looks in between must not take it for somebody else's. */
type Placed = (written: { readonly digest: string; readonly stamp: string }) => Promise<void>;

/** Each slice is handed over to the system at once: on a busy loop every step of its own would wait its turn. */
export async function writeSessionIndex(job: IndexJob, placed: Placed = async () => {}): Promise<void> {
  const path = indexPath(job.stateDir, job.agentId, job.store);
  if (path === undefined) return;
  const temporary = `${path}.new.tmp`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(temporary, "w", 0o600);
  const hash = createHash("sha256");
  try {
    await writeRows(job, (text) => {
      hash.update(text);
      writeWhole(file, text);
    });
  } catch (error) {
    closeSync(file);
    rmSync(temporary, { force: true });
    throw error;
  }
  closeSync(file);
  await keepOriginal(job, path);
  await placed({ digest: hash.digest("hex"), stamp: stampOf(temporary) });
  renameSync(temporary, path);
}

/** The index an import read is somebody's file; it is kept once, when ours takes its place. */
async function keepOriginal({ ledger, agentId, replacesAt }: IndexJob, path: string): Promise<void> {
  if (replacesAt === undefined) return;
  const flag = originalFlag(`index:${agentId}`);
  if (!(await ledger.value(flag))) return;
  await renameIfThere(path, await freeName(`${path}.imported.${archiveStamp(replacesAt)}`));
  await ledger.commit([{ kind: "value-put", key: flag, value: "" }]);
}

async function writeRows(job: IndexJob, write: (text: string) => void): Promise<void> {
  const written = new Set<string>();
  write("{");
  const add = async (rows: readonly SessionRow[]): Promise<number> => {
    const fresh = rows.filter(({ key }) => !written.has(key));
    let text = "";
    for (const { key, entry } of fresh) {
      text += `${written.size > 0 ? "," : ""}\n  ${JSON.stringify(key)}: ${await toJson(job, key, entry)}`;
      written.add(key);
    }
    if (text) write(text);
    return fresh.length;
  };
  const isShared = isSharedIndex(job.store);
  for (const agentId of isShared ? [undefined] : ownersIn(job.agentId)) await addAll(job, agentId, written, add);
  for (const key of job.changed) {
    const isListed = isShared || ownerOf(key) === job.agentId;
    const entry = isListed && !written.has(key) ? await job.ledger.session(key) : undefined;
    if (entry) await add([{ key, entry }]);
  }
  write("\n}\n");
}

/**
 * Rows come newest first, so a row that changes meanwhile moves to the front and the others by one. Going on after those
 * that were written and did not change leaves none out; what comes a second time is dropped by `add`.
 */
async function addAll(
  job: IndexJob,
  agentId: string | undefined,
  written: ReadonlySet<string>,
  add: (rows: readonly SessionRow[]) => Promise<number>,
): Promise<void> {
  const before = written.size;
  for (let skip = 0; ;) {
    const moved = [...job.changed].filter((key) => written.has(key)).length;
    const rows = await job.ledger.sessions({
      ...defined({ agentId }),
      includeGlobal: true,
      includeUnknown: true,
      includeHidden: true,
      limit: ROWS_AT_ONCE,
      offset: Math.max(0, written.size - before - moved) + skip,
    });
    const fresh = await add(rows);
    if (rows.length < ROWS_AT_ONCE) return;
    skip = fresh === 0 ? skip + rows.length : 0;
    await nextTurn();
  }
}

async function toJson({ ledger, stateDir }: IndexJob, key: string, entry: SessionEntry): Promise<string> {
  const file = await fileOf(ledger, entry);
  const directory = sessionsDirectory(stateDir, ownerOf(key));
  if (file === undefined || directory === undefined) return JSON.stringify(entry);
  return JSON.stringify({ ...entry, sessionFile: join(directory, file) });
}

async function fileOf(ledger: Ledger, entry: SessionEntry): Promise<string | undefined> {
  const stored = entry.sessionFile === undefined ? undefined : basename(entry.sessionFile);
  if (stored !== undefined && isFileName(stored)) return stored;
  if (!isSessionId(entry.sessionId)) return undefined;
  return (await ledger.transcript(entry.sessionId))?.file ?? `${entry.sessionId}.jsonl`;
}
