// Writes the changes of a commit. Every kind of change has its statements here and nowhere else.
import type { SQLInputValue } from "node:sqlite";
import { agentOfSessionKey, GatewayError, isHiddenSession, sessionKind, type Change } from "@chela/sdk";
import type { StoredRow } from "@chela/sdk/rows";
import { forgetAudit, writeAudit, type AuditChain } from "./audit-chain.ts";
import { writeEntry } from "./entry-text.ts";
import { noteDone } from "./open-runs.ts";
import { writeOutcome } from "./outcome-text.ts";
import { LAST_SEQ } from "./rows.ts";
import { searchedNames } from "./session-select.ts";
import { PER_MS } from "./usage-sums.ts";

/** Runs a statement and tells how many rows it changed. */
export type Write = (sql: string, ...values: SQLInputValue[]) => number;
/** The first row of a question, within the same transaction. */
export type Get = (sql: string, ...values: SQLInputValue[]) => StoredRow | undefined;

type ChangeOf<K extends Change["kind"]> = Extract<Change, { kind: K }>;

/** Instead of the number of the last entry that is mirrored, of a transcript that has newer ones. */
const BEHIND = -1;
const REMEMBERED_ASIDES = 10_000;
/** More than come between two times that old errands are forgotten. */
const FORGOTTEN_AT_ONCE = 1_000;
/** A busy group that never speaks to us must not fill the disk, nor a flood the next prompt. */
const FORGET_OLDEST = `DELETE FROM asides WHERE kind = ?2 AND session_key = ?1 AND seq <=
  (SELECT seq FROM asides WHERE session_key = ?1 AND kind = ?2 ORDER BY seq DESC LIMIT 1 OFFSET 200)`;

/** Each state is reached once; what came before it keeps its time. One with nothing to deliver ends when it is settled. */
const ERRAND_TIMES = Object.entries({
  started_at: "'running'",
  ended_at: "'executed', 'settled'",
  settled_at: "'settled'",
})
  .map(([column, states]) => `${column} = CASE WHEN ?2 IN (${states}) THEN coalesce(${column}, ?3) ELSE ${column} END`)
  .join(", ");

/** A session that comes back is as old as its first conversation. */
const FIRST_KNOWN = `coalesce((SELECT min(CAST(unixepoch(header ->> 'timestamp', 'subsec') * 1000 AS INTEGER))
  FROM transcripts WHERE session_key = ?1 AND json_valid(header)), ?4)`;

/** Usage is numbered by its time, so that it lies in that order. More in one millisecond than there are numbers come last. */
const NEXT_USAGE = `(SELECT CASE WHEN n IS NULL THEN CAST(?1 AS INTEGER) * ${PER_MS} WHEN n % ${PER_MS} < ${PER_MS - 1} THEN n + 1 END FROM
  (SELECT max(id) AS n FROM usage WHERE id >= ?1 * ${PER_MS} AND id < (?1 + 1) * ${PER_MS}))`;

const WRITERS: { [K in Change["kind"]]: (write: Write, change: ChangeOf<K>, get: Get, chain: AuditChain) => void } = {
  "session-put": (write, { key, entry }) => {
    const tokens = entry.totalTokens ?? 0;
    const text = writeEntry(write, entry);
    const label = entry.label ?? null;
    const spawnedBy = entry.spawnedBy ?? null;
    const channel = entry.channel ?? entry.lastChannel ?? null;
    const names = searchedNames(key, entry);
    // Most turns change nothing that sessions are found by, and then those indexes need not be written.
    const isSame = write(
      `UPDATE sessions SET updated_at = ?, tokens = ?, entry = ?
       WHERE key = ? AND session_id = ? AND label IS ? AND spawned_by IS ? AND channel IS ? AND names = ?`,
      entry.updatedAt,
      tokens,
      text,
      key,
      entry.sessionId,
      label,
      spawnedBy,
      channel,
      names,
    );
    if (isSame > 0) return;
    write(
      `INSERT INTO sessions
         (key, agent_id, session_id, updated_at, kind, hidden, label, spawned_by, entry, channel, tokens, names, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ${FIRST_KNOWN})
       ON CONFLICT (key) DO UPDATE SET session_id = ?3, updated_at = ?4, label = ?7, spawned_by = ?8, entry = ?9,
         channel = ?10, tokens = ?11, names = ?12`,
      key,
      agentOfSessionKey(key) ?? "",
      entry.sessionId,
      entry.updatedAt,
      sessionKind(key),
      isHiddenSession(key) ? 1 : 0,
      label,
      spawnedBy,
      text,
      channel,
      tokens,
      names,
    );
  },
  "session-delete": (write, { key }) => {
    write("DELETE FROM sessions WHERE key = ?", key);
  },
  "transcript-open": (write, change) => {
    write(
      `INSERT INTO transcripts (session_id, session_key, agent_id, header, file) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (session_id) DO NOTHING`,
      change.sessionId,
      change.sessionKey,
      change.agentId,
      JSON.stringify(change.header),
      change.file,
    );
  },
  "transcript-archive": (write, change) => {
    write(
      "UPDATE transcripts SET archived_reason = ?, archived_at = ?, file = ?, archived_entry = ? WHERE session_id = ?",
      change.reason,
      change.at,
      change.file,
      change.entry ? JSON.stringify(change.entry) : null,
      change.sessionId,
    );
  },
  "transcript-restore": (write, { sessionId, file }) => {
    // The mirror may not have come to rename the file to its archived name, or not have noted that it did: it looks again.
    const restored = write(
      `UPDATE transcripts SET archived_reason = NULL, archived_at = NULL, archived_entry = NULL,
         mirrored_file = file, file = ? WHERE session_id = ? AND archived_at IS NOT NULL`,
      file,
      sessionId,
    );
    if (restored === 0) throw new GatewayError("STORE_CONFLICT", `the conversation ${sessionId} is not archived`);
  },
  "transcript-cut": (write, { sessionId, keep }) => {
    write(
      `UPDATE transcripts SET cut_seq = coalesce(
         (SELECT seq FROM entries WHERE transcript = transcripts.id AND seq > transcripts.cut_seq
          ORDER BY seq DESC LIMIT 1 OFFSET ?), cut_seq),
         mirrored_seq = ${BEHIND}
       WHERE session_id = ?`,
      keep,
      sessionId,
    );
  },
  "entries-append": (write, { sessionId, entries }) => {
    if (entries.length === 0) return;
    for (const entry of entries) {
      const added = write(
        "INSERT INTO entries (transcript, entry_id, line) SELECT id, ?, ? FROM transcripts WHERE session_id = ?",
        entry.id,
        entry.line,
        sessionId,
      );
      if (added === 0) throw new GatewayError("STORE_FAILED", `there is no transcript for session ${sessionId}`);
    }
    // Noted once, however often it grows before the mirror has caught up.
    write(
      `UPDATE transcripts SET mirrored_seq = ${BEHIND} WHERE session_id = ? AND mirrored_seq <> ${BEHIND}`,
      sessionId,
    );
  },
  "turn-begin": (write, { runId, sessionId, at }) => {
    write("INSERT INTO turns (run_id, session_id, started_at) VALUES (?, ?, ?)", runId, sessionId, at);
    write("UPDATE inbox SET state = 1 WHERE run_id = ?", runId);
  },
  "turn-end": (write, { runId, at, outcome }, get) => {
    // A run can end before it began: aborted while it waited.
    write(
      `INSERT INTO turns (run_id, session_id, started_at, ended_at, outcome, status) VALUES (?1, '', ?2, ?2, ?3, ?4)
       ON CONFLICT (run_id) DO UPDATE SET ended_at = ?2, outcome = ?3, status = ?4`,
      runId,
      at,
      writeOutcome(write, outcome),
      outcome.status,
    );
    noteDone(write, get, runId);
  },
  "tool-start": (write, change) => {
    write(
      `INSERT INTO tool_calls (run_id, tool_call_id, name, args, started_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      change.runId,
      change.toolCallId,
      change.name,
      JSON.stringify(change.args ?? null),
      change.at,
    );
  },
  "tool-end": (write, change) => {
    write(
      "UPDATE tool_calls SET ended_at = ?, is_error = ? WHERE run_id = ? AND tool_call_id = ?",
      change.at,
      change.isError ? 1 : 0,
      change.runId,
      change.toolCallId,
    );
  },
  "outbox-add": (write, { item, deliveredAt }) => {
    write(
      `INSERT INTO outbox (id, run_id, channel, account, recipient, payload, created_at, state, attempts, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      item.id,
      item.runId,
      item.channel,
      item.account,
      item.to,
      JSON.stringify(item.payload),
      item.createdAt,
      deliveredAt === undefined ? "pending" : "delivered",
      deliveredAt === undefined ? 0 : 1,
      deliveredAt ?? null,
    );
  },
  "outbox-state": (write, { id, state, attempts, at, receipt, error }) => {
    write(
      `UPDATE outbox SET state = ?, attempts = ?, updated_at = ?, receipt = coalesce(?, receipt),
         error = coalesce(?, error) WHERE id = ?`,
      state,
      attempts,
      at,
      receipt ? JSON.stringify(receipt) : null,
      error ?? null,
      id,
    );
  },
  "aside-add": (write, { aside: { sessionKey, kind, key, at, body } }) => {
    const added = write(
      "INSERT INTO asides (session_key, kind, key, at, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      sessionKey,
      kind,
      key,
      at,
      JSON.stringify(body),
    );
    if (added > 0) write(FORGET_OLDEST, sessionKey, kind);
  },
  "asides-told": (write, { sessionKey, upTo }) => {
    write("UPDATE asides SET told = 1 WHERE session_key = ? AND told = 0 AND seq <= ?", sessionKey, upTo);
    // Those that were told stay a while, so that one that comes again is known.
    write("DELETE FROM asides WHERE session_key = ? AND told = 1 AND seq <= ?", sessionKey, upTo - REMEMBERED_ASIDES);
  },
  "usage-add": (write, { usage }) => {
    write(
      `INSERT INTO usage (id, at, agent_id, session_key, run_id, provider, model, input, output, cache_read, cache_write,
         input_cost, output_cost, cache_read_cost, cache_write_cost, channel, person, job)
       VALUES (${NEXT_USAGE}, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)`,
      usage.at,
      usage.agentId,
      usage.sessionKey,
      usage.runId,
      usage.provider,
      usage.model,
      usage.input,
      usage.output,
      usage.cacheRead,
      usage.cacheWrite,
      usage.cost?.input ?? null,
      usage.cost?.output ?? null,
      usage.cost?.cacheRead ?? null,
      usage.cost?.cacheWrite ?? null,
      usage.channel,
      usage.person,
      usage.job,
    );
  },
  "errand-add": (write, { errand }) => {
    const added = write(
      `INSERT INTO errands (run_id, kind, owner, agent_id, session_key, due_at, created_at, work, delivery)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      errand.runId,
      errand.kind,
      errand.owner,
      errand.agentId,
      errand.sessionKey,
      errand.dueAt,
      errand.createdAt,
      JSON.stringify(errand.work),
      errand.delivery ? JSON.stringify(errand.delivery) : null,
    );
    if (added === 0) throw new GatewayError("STORE_CONFLICT", `errand ${errand.runId} was given before`);
  },
  "errand-state": (write, { runId, state, at, outcome, delivered }) => {
    write(
      `UPDATE errands SET state = ?2, ${ERRAND_TIMES},
         status = coalesce(?4, status), outcome = coalesce(?5, outcome),
         delivery_status = coalesce(?6, delivery_status), delivered = coalesce(?7, delivered) WHERE run_id = ?1`,
      runId,
      state,
      at,
      outcome?.status ?? null,
      outcome ? JSON.stringify(outcome) : null,
      delivered?.status ?? null,
      delivered ? JSON.stringify(delivered) : null,
    );
  },
  "errands-forget": (write, { errandKind, owner, keep, knownSince }) => {
    const theirs = owner === undefined ? "kind = ?1" : "kind = ?1 AND owner = ?3";
    const old = `seq <= (SELECT seq FROM errands WHERE ${theirs} ORDER BY seq DESC LIMIT 1 OFFSET ?2)`;
    const whose = [errandKind, keep, ...(owner === undefined ? [] : [owner])] as const;
    if (knownSince === undefined) {
      write(`DELETE FROM errands WHERE ${theirs} AND state = 'settled' AND ${old}`, ...whose);
      return;
    }
    const since = owner === undefined ? "?3" : "?4";
    // Of many that are known, only a few are looked at: the youngest that are old, down to one that is emptied, and the oldest.
    write(
      `UPDATE errands SET work = '{}', delivery = NULL, outcome = NULL, delivered = NULL
         WHERE ${theirs} AND state = 'settled' AND created_at >= ${since} AND ${old} AND seq > coalesce(
           (SELECT seq FROM errands WHERE ${theirs} AND ${old} AND work = '{}' ORDER BY seq DESC LIMIT 1), 0)`,
      ...whose,
      knownSince,
    );
    write(
      `DELETE FROM errands WHERE state = 'settled' AND created_at < ${since} AND ${old} AND seq IN
         (SELECT seq FROM errands WHERE ${theirs} ORDER BY seq LIMIT ${FORGOTTEN_AT_ONCE})`,
      ...whose,
      knownSince,
    );
  },
  "job-put": (write, { job }) => {
    write(
      `INSERT INTO jobs (id, name, is_enabled, next_run_at, job) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT (id) DO UPDATE SET name = ?2, is_enabled = ?3, next_run_at = ?4, job = ?5`,
      job.id,
      job.name,
      job.enabled ? 1 : 0,
      job.state.nextRunAtMs ?? null,
      JSON.stringify(job),
    );
  },
  "job-delete": (write, { id }) => {
    write("DELETE FROM jobs WHERE id = ?", id);
  },
  "audit-add": (write, { event }, get, chain) => writeAudit(write, get, event, chain),
  "audit-forget": (write, { upTo }, get) => forgetAudit(write, get, upTo),
  "person-put": (write, { person }) => {
    write(
      `INSERT INTO people (id, name, person) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET name = ?2, person = ?3`,
      person.id,
      person.name,
      JSON.stringify(person),
    );
  },
  "person-delete": (write, { id }) => {
    write("DELETE FROM people WHERE id = ?", id);
  },
  "value-put": (write, { key, value }) => {
    write(
      "INSERT INTO ledger_values (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
      key,
      value,
    );
  },
  mirrored: (write, { sessionId, seq, file, size = null }) => {
    write(
      `UPDATE transcripts SET mirrored_seq = CASE WHEN ?1 >= ${LAST_SEQ} THEN ?1 ELSE ${BEHIND} END,
         mirrored_file = ?2, mirrored_size = ?3 WHERE session_id = ?4`,
      seq,
      file,
      size,
      sessionId,
    );
  },
};

/** In their order. A turn that begins and ends in one commit, as a quick answer does, is written once. */
export function applyChanges(write: Write, get: Get, changes: readonly Change[], chain: AuditChain): void {
  const begun = new Map<string, ChangeOf<"turn-begin">>();
  const isEnded = (runId: string): boolean => changes.some((one) => one.kind === "turn-end" && one.runId === runId);
  for (const change of changes) {
    const beginning = change.kind === "turn-end" ? begun.get(change.runId) : undefined;
    if (change.kind === "turn-begin" && isEnded(change.runId)) begun.set(change.runId, change);
    else if (change.kind === "turn-end" && beginning) writeWholeTurn(write, get, beginning, change);
    else
      (WRITERS[change.kind] as (write: Write, change: Change, get: Get, chain: AuditChain) => void)(
        write,
        change,
        get,
        chain,
      );
  }
}

function writeWholeTurn(
  write: Write,
  get: Get,
  { runId, sessionId, at: startedAt }: ChangeOf<"turn-begin">,
  { at: endedAt, outcome }: ChangeOf<"turn-end">,
): void {
  write(
    "INSERT INTO turns (run_id, session_id, started_at, ended_at, outcome, status) VALUES (?, ?, ?, ?, ?, ?)",
    runId,
    sessionId,
    startedAt,
    endedAt,
    writeOutcome(write, outcome),
    outcome.status,
  );
  noteDone(write, get, runId);
}
