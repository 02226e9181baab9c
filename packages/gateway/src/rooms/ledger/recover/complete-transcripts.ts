// Fills the gaps of a ledger's transcripts from the mirrored files, each entry at the place it had.
import type { DatabaseSync } from "node:sqlite";
import { integer, optional, readable, rowReader, text } from "@chela/sdk/rows";
import { findAgents, findTranscripts, type FoundTranscript } from "../import/find-files.ts";
import { createNormaliser } from "../import/normalise-entry.ts";
import { liveName, transcriptPath } from "../mirror/paths.ts";
import { parseObject, readLines } from "../mirror/read-lines.ts";

interface Entry {
  readonly id: string;
  readonly line: string;
}
const readStored = rowReader(
  { table: "entries", named: "seq" },
  { seq: integer("seq"), id: text("id"), line: text("line") },
);
type Stored = ReturnType<typeof readStored>;
const readTranscript = rowReader(
  { table: "transcripts", named: "session_id" },
  {
    id: integer("id"),
    session_id: text("session_id"),
    agent_id: text("agent_id"),
    file: text("file"),
    mirrored_file: optional(text("mirrored_file")),
    cut_seq: integer("cut_seq"),
  },
);
type TranscriptRow = ReturnType<typeof readTranscript>;
const readOrphan = rowReader(
  { table: "entries", named: "entry_id" },
  { transcript: integer("transcript"), id: text("entry_id") },
);

/** Tells how many entries came back. */
export async function completeTranscripts(database: DatabaseSync, stateDir: string): Promise<number> {
  await adoptOrphans(database, stateDir);
  let completed = 0;
  for (const row of readable(database.prepare("SELECT * FROM transcripts").all(), readTranscript)) {
    const names = new Set([row.file, row.mirrored_file ?? row.file, liveName(row.file)]);
    for (const name of names) {
      const path = transcriptPath(stateDir, row.agent_id, name);
      if (path !== undefined) completed += await completeFrom(database, row, path);
    }
  }
  database.exec("UPDATE transcripts SET mirrored_seq = -1");
  return completed;
}

async function completeFrom(database: DatabaseSync, row: TranscriptRow, path: string): Promise<number> {
  const ordered = "SELECT seq, entry_id AS id, line FROM entries WHERE transcript = ? ORDER BY seq";
  const stored = readable(database.prepare(ordered).all(row.id), readStored);
  const known = new Map(stored.map((entry) => [entry.id, entry]));
  const lastCut = stored.findLast(({ seq }) => seq <= row.cut_seq)?.id ?? "";
  const missingAfter = new Map<string, Entry[]>();
  let place = lastCut;
  let missing = 0;
  for await (const entry of readEntries(path, row.session_id)) {
    const found = known.get(entry.id);
    if (!found) {
      const gap = missingAfter.get(place) ?? [];
      missingAfter.set(place, gap);
      gap.push(entry);
      missing += 1;
      continue;
    }
    place = found.seq > row.cut_seq ? entry.id : place;
    if (isWrapped(found.line) && !isWrapped(entry.line)) replaceLine(database, found.seq, entry.line);
  }
  if (missing > 0) storeMerged(database, row, stored, missingAfter, lastCut);
  return missing;
}

const isWrapped = (line: string): boolean => line.includes('"customType":"chela.unreadable-line"');

function replaceLine(database: DatabaseSync, seq: number, line: string): void {
  database.prepare("UPDATE entries SET line = ? WHERE seq = ?").run(line, seq);
}

/** Nothing there, or nothing that can be read, gives no entries. */
async function* readEntries(path: string, sessionId: string): AsyncGenerator<Entry> {
  const normaliser = createNormaliser(sessionId);
  try {
    for await (const { bytes, start } of readLines(path)) {
      const text = bytes.toString("utf8");
      const value = parseObject(text);
      if (!value || (start === 0 && value["type"] === "session")) continue;
      const { id, parentId, line } = normaliser.entry(value, text);
      // The file of a cut transcript begins in the middle: its first parent is not there, but was meant.
      const isCutOff = value["id"] === id && typeof value["parentId"] === "string" && value["parentId"] !== parentId;
      yield { id, line: isCutOff ? text : line };
    }
  } catch {
    // The rest of this file cannot be read; what came before it counts.
  }
}

function storeMerged(
  database: DatabaseSync,
  row: TranscriptRow,
  stored: readonly Stored[],
  missingAfter: ReadonlyMap<string, readonly Entry[]>,
  lastCut: string,
): void {
  const firstGap = lastCut === "" ? (missingAfter.get("") ?? []) : [];
  const merged = [...firstGap, ...stored.flatMap((entry) => [entry, ...(missingAfter.get(entry.id) ?? [])])];
  database.exec("BEGIN IMMEDIATE");
  try {
    // New numbers for all of them: the order is what matters, and numbers never go backwards.
    const lines = new Map(stored.map(({ id, seq }) => [id, currentLine(database, seq)]));
    let seq = Number(database.prepare("SELECT max(seq) AS n FROM entries").get()?.["n"] ?? 0);
    database.prepare("DELETE FROM entries WHERE transcript = ?").run(row.id);
    const insert = database.prepare("INSERT INTO entries (seq, transcript, entry_id, line) VALUES (?, ?, ?, ?)");
    let cutSeq = 0;
    for (const { id, line } of merged) {
      insert.run(++seq, row.id, id, lines.get(id) ?? line);
      if (id === lastCut) cutSeq = seq;
    }
    database.prepare("UPDATE transcripts SET cut_seq = ? WHERE id = ?").run(cutSeq, row.id);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function currentLine(database: DatabaseSync, seq: number): string | undefined {
  const row = database.prepare("SELECT line FROM entries WHERE seq = ?").get(seq);
  return row && String(row["line"]);
}

/** Entries whose transcript row is lost get it back from the file that has one of them, or else a new one. */
async function adoptOrphans(database: DatabaseSync, stateDir: string): Promise<void> {
  const ofNobody = "SELECT transcript, entry_id FROM entries WHERE transcript NOT IN (SELECT id FROM transcripts)";
  const orphans = readable(database.prepare(ofNobody).all(), readOrphan);
  if (orphans.length === 0) return;
  const homeless = new Set(orphans.map(({ transcript }) => transcript));
  const groupOf = new Map(orphans.map(({ transcript, id }) => [id, transcript]));
  for (const agentId of await findAgents(stateDir)) {
    for (const found of await findTranscripts(stateDir, agentId)) {
      const group = await findGroup(found, groupOf, homeless);
      if (group === undefined) continue;
      homeless.delete(group.id);
      insertTranscript(database, { ...group, agentId, file: found.file });
    }
  }
  for (const id of homeless) {
    const sessionId = `recovered-${id}`;
    const header = { type: "session", version: 3, id: sessionId, timestamp: new Date(0).toISOString() };
    insertTranscript(database, { id, header, agentId: "main", file: `${sessionId}.jsonl` });
  }
}

async function findGroup(
  found: FoundTranscript,
  groupOf: ReadonlyMap<string, number>,
  homeless: ReadonlySet<number>,
): Promise<{ id: number; header: Record<string, unknown> } | undefined> {
  let header: Record<string, unknown> | undefined;
  for await (const { bytes } of readLines(found.path)) {
    const value = parseObject(bytes.toString("utf8"));
    header ??= value;
    if (header?.["type"] !== "session") return undefined;
    const id = value === undefined ? undefined : groupOf.get(String(value["id"]));
    if (id !== undefined && homeless.has(id)) return { id, header };
  }
  return undefined;
}

function insertTranscript(
  database: DatabaseSync,
  row: { id: number; header: Record<string, unknown>; agentId: string; file: string },
): void {
  const sessionId = String(row.header["id"]);
  const session = database.prepare("SELECT key FROM sessions WHERE session_id = ?").get(sessionId);
  const key = session ? String(session["key"]) : `agent:${row.agentId}:recovered:${sessionId}`;
  database
    .prepare(
      "INSERT OR IGNORE INTO transcripts (id, session_id, session_key, agent_id, header, file) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(row.id, sessionId, key, row.agentId, JSON.stringify(row.header), row.file);
}
