// After damage: a message that the transcripts show as asked or answered is noted so, and is not done a second time.
import type { DatabaseSync } from "node:sqlite";
import type { RunOutcome } from "@chela/sdk";
import { integer, number, readable, rowReader, text } from "@chela/sdk/rows";
import { asWritten } from "../../../base/text/written-text.ts";
import { parseObject } from "../mirror/read-lines.ts";

const readOpenRun = rowReader(
  { table: "inbox", named: "run_id" },
  {
    run_id: text("run_id"),
    session_key: text("session_key"),
    body: text("body"),
    admitted_at: number("admitted_at"),
  },
);
type OpenRun = ReturnType<typeof readOpenRun>;

const readAsked = rowReader(
  { table: "entries", named: "seq" },
  { sessionId: text("sessionId"), transcript: integer("transcript"), seq: integer("seq"), line: text("line") },
);
type AskedEntry = ReturnType<typeof readAsked>;

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly timestamp?: unknown;
  readonly stopReason?: unknown;
  readonly errorMessage?: unknown;
}

const UNREADABLE = "The message was damaged on the disk before it was answered. Send it again.";

/** Tells how many messages could not be read any more, and so cannot be answered. */
export function settleRuns(database: DatabaseSync): number {
  database.exec(
    `UPDATE inbox SET state = 2
     WHERE state < 2 AND run_id IN (SELECT run_id FROM turns WHERE ended_at IS NOT NULL AND outcome IS NOT NULL)`,
  );
  forgetNobodys(database);
  restoreOutcomes(database);
  const open = database.prepare("SELECT run_id, session_key, body, admitted_at FROM inbox WHERE +state < 2").all();
  let unreadable = 0;
  for (const run of readable(open, readOpenRun)) {
    const text = askedIn(run);
    if (typeof text === "string") settle(database, run, text);
    else {
      unreadable += 1;
      noteEnd(database, run, "", { status: "error", texts: [], error: UNREADABLE });
    }
  }
  return unreadable;
}

/** What the transcript has of a message: the sender's words, or what the gateway asked in their place. */
function askedIn({ body }: OpenRun): unknown {
  const read = parseObject(body);
  return read?.["instruction"] ?? read?.["text"];
}

/** Whose message is lost, and their end as well: nobody can say what they were, or will ever go on with them. */
function forgetNobodys(database: DatabaseSync): void {
  const isNobodys = "run_id NOT IN (SELECT run_id FROM inbox)";
  database.exec(`DELETE FROM turns WHERE (ended_at IS NULL OR outcome IS NULL) AND ${isNobodys}`);
  database.exec(`UPDATE tool_calls SET ended_at = started_at WHERE ended_at IS NULL AND ${isNobodys}`);
}

/** Answered before the damage, which took the note of it: what was said stands in the transcript. Never done again. */
function restoreOutcomes(database: DatabaseSync): void {
  const done = database.prepare(
    `SELECT i.run_id, i.session_key, i.body, i.admitted_at FROM inbox i JOIN turns t ON t.run_id = i.run_id
     WHERE +i.state = 2 AND (t.ended_at IS NULL OR t.outcome IS NULL)`,
  );
  for (const run of readable(done.all(), readOpenRun)) {
    const text = askedIn(run);
    const asked = typeof text === "string" ? findAsked(database, run, text) : undefined;
    const outcome = asked && findOutcome(database, asked);
    noteEnd(database, run, asked?.sessionId ?? "", outcome ?? { status: "ok", texts: [] });
  }
}

function settle(database: DatabaseSync, run: OpenRun, text: string): void {
  const asked = findAsked(database, run, text);
  if (!asked) {
    // Begun, but what it began with is lost: it begins again.
    database.prepare("DELETE FROM turns WHERE run_id = ?").run(run.run_id);
    database.prepare("UPDATE inbox SET state = 0 WHERE run_id = ?").run(run.run_id);
    return;
  }
  const outcome = findOutcome(database, asked);
  if (outcome) return noteEnd(database, run, asked.sessionId, outcome);
  database
    .prepare(
      `INSERT INTO turns (run_id, session_id, started_at) VALUES (?1, ?2, ?3)
       ON CONFLICT (run_id) DO UPDATE SET session_id = ?2`,
    )
    .run(run.run_id, asked.sessionId, run.admitted_at);
  database.prepare("UPDATE inbox SET state = 1 WHERE run_id = ?").run(run.run_id);
}

/** The entry that carries the message: same session, same time, same words. */
function findAsked(database: DatabaseSync, run: OpenRun, text: string): AskedEntry | undefined {
  const rows = database
    .prepare(
      `SELECT t.session_id AS sessionId, t.id AS transcript, e.seq, e.line FROM transcripts t JOIN entries e ON e.transcript = t.id
       WHERE t.session_key = ? AND json_valid(e.line) AND e.line ->> '$.message.timestamp' = ?
         AND e.line ->> '$.message.role' = 'user' ORDER BY e.seq DESC`,
    )
    .all(run.session_key, run.admitted_at);
  const found = readable(rows, readAsked);
  const sameWords = found.find(({ line }) => {
    const message = messageOf(line);
    return message && asWritten(textOf(message)) === asWritten(text);
  });
  // A note for the model or a directive makes a difference between what came in and what was asked.
  return sameWords ?? (found.length === 1 && isAlone(database, run) ? found[0] : undefined);
}

/** Whether no other message came to this session in the same instant. */
function isAlone(database: DatabaseSync, { session_key: key, admitted_at: at }: OpenRun): boolean {
  const count = database.prepare("SELECT count(*) AS n FROM inbox WHERE session_key = ? AND admitted_at = ?");
  return Number(count.get(key, at)?.["n"]) === 1;
}

/** The answer that stands between the question and the next one; one that calls tools is none yet. */
function findOutcome(database: DatabaseSync, { transcript, seq }: AskedEntry): RunOutcome | undefined {
  const rows = database.prepare("SELECT line FROM entries WHERE transcript = ? AND seq > ? ORDER BY seq");
  for (const { line } of rows.iterate(transcript, seq)) {
    const message = messageOf(String(line));
    if (message?.role === "user") return undefined;
    if (message?.role !== "assistant" || blocksOf(message).some(({ type }) => type === "toolCall")) continue;
    const { stopReason, errorMessage } = message;
    const text = textOf(message).trim();
    const texts = text ? [text] : [];
    if (stopReason === "error") return { status: "error", texts, error: String(errorMessage ?? "the turn failed") };
    const status = stopReason === "aborted" ? "aborted" : "ok";
    return { status, texts, ...(typeof stopReason === "string" ? { stopReason } : {}) };
  }
  return undefined;
}

function noteEnd(database: DatabaseSync, run: OpenRun, sessionId: string, outcome: RunOutcome): void {
  const { run_id: runId, admitted_at: at } = run;
  database
    .prepare(
      `INSERT INTO turns (run_id, session_id, started_at, ended_at, outcome, status) VALUES (?1, ?2, ?3, ?3, ?4, ?5)
       ON CONFLICT (run_id) DO UPDATE SET ended_at = ?3, outcome = ?4, status = ?5`,
    )
    .run(runId, sessionId, at, JSON.stringify(outcome), outcome.status);
  database.prepare("UPDATE tool_calls SET ended_at = ? WHERE run_id = ? AND ended_at IS NULL").run(at, runId);
  database.prepare("UPDATE inbox SET state = 2 WHERE run_id = ?").run(runId);
}

function messageOf(line: string): Message | undefined {
  const message = parseObject(line)?.["message"];
  return typeof message === "object" && message !== null ? message : undefined;
}

function blocksOf({ content }: Message): ReadonlyArray<{ readonly type?: unknown; readonly text?: unknown }> {
  return Array.isArray(content) ? content : [];
}

function textOf(message: Message): string {
  if (typeof message.content === "string") return message.content;
  return blocksOf(message)
    .map(({ type, text }) => (type === "text" ? String(text) : ""))
    .join("");
}
