// The ledger on SQLite. Commits that arrive in the same turn of the event loop share one transaction and one flush.
import { backup, type DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { GatewayError } from "@chela/sdk";
import { readRows } from "@chela/sdk/rows";
import type {
  Admission,
  ArchivedSession,
  ArchiveQuery,
  Aside,
  AuditBase,
  AuditQuery,
  AuditRecord,
  Change,
  CommitNote,
  CronJob,
  DeliveryQuery,
  EntryNode,
  ErrandQuery,
  ErrandRecord,
  Exchange,
  HistoryEntry,
  InboxMessage,
  Ledger,
  OutboxItem,
  Person,
  RunQuery,
  RunRecord,
  RunSummary,
  SessionQuery,
  SessionRow,
  StoredEntry,
  ToolCallRecord,
  Transcript,
  UsageDay,
  UsageDimension,
  UsageGroup,
  UsageRange,
  UsageSum,
} from "@chela/sdk";
import type { StoredRow } from "@chela/sdk/rows";
import { applyChanges } from "./apply-change.ts";
import { archiveCount, archiveSelect, ONE_ARCHIVE } from "./archive-select.ts";
import { auditCount, auditSelect, readBase, toAudit, type AuditChain } from "./audit-chain.ts";
import { isJson } from "./check-texts.ts";
import { NODE_COLUMNS, NODE_IN_FULL, readHead, toNode } from "./entry-nodes.ts";
import { errandCount, errandSelect } from "./errand-select.ts";
import { storeError } from "./failures.ts";
import { LeftOutRows, ROW_NUMBER } from "./left-out-rows.ts";
import { firstOpenRun } from "./open-runs.ts";
import {
  toArchived,
  toAside,
  toErrand,
  toHistoryEntry,
  toJob,
  toOutboxItem,
  toPerson,
  toRunRecord,
  toRunSummary,
  toSession,
  toToolCall,
  toTranscript,
  TRANSCRIPT_COLUMNS,
} from "./rows.ts";
import { runSelect } from "./run-select.ts";
import { sessionCount, sessionSelect } from "./session-select.ts";
import { usageBy, usageByDay, usageTotal } from "./usage-sums.ts";

interface Job {
  run(): unknown;
  resolve(value: unknown): void;
  reject(error: GatewayError): void;
  readonly changes: readonly Change[];
  readonly message?: InboxMessage;
}

const RUN_COLUMNS = `i.id AS ${ROW_NUMBER}, i.run_id, i.channel, i.account, i.message_id, i.agent_id, i.session_key, i.body, i.state, i.admitted_at,
  t.session_id, t.started_at, t.ended_at, t.outcome`;
const HISTORY = `SELECT t.id AS ${ROW_NUMBER}, e.seq, e.line, json_valid(e.line) AS isValid, t.session_id, t.session_key, t.agent_id, t.archived_reason
  FROM entries e JOIN transcripts t ON t.id = e.transcript WHERE e.seq > ?`;
const HISTORY_CHARS = 2_000_000;
const RUN_TABLES = "inbox i LEFT JOIN turns t ON t.run_id = i.run_id";
/** As many as may be talked in at once: one message asks for its session several times. */
const MOST_SESSION_TEXTS = 256;

/** Transcripts with their rows' numbers, as lists of them are read. */
const TRANSCRIPTS = `SELECT transcripts.id AS ${ROW_NUMBER}, ${TRANSCRIPT_COLUMNS} FROM transcripts`;
const OUTBOX = `SELECT rowid AS ${ROW_NUMBER}, * FROM outbox`;
const JOBS = `SELECT rowid AS ${ROW_NUMBER}, id, job FROM jobs`;

export interface SqliteLedgerOptions {
  /** Called when a read or a write comes upon something that is no longer what was written. */
  readonly foundDamage?: () => void;
  /** Called once for each row that cannot be read, and is left out of lists. */
  readonly leftOut?: (error: GatewayError) => void;
  /** With it the hashes of the audit trail can only be made by whoever knows it. */
  readonly auditKey?: Buffer | undefined;
}

interface Question {
  readonly sql: string;
  readonly values?: readonly SQLInputValue[];
}

export class SqliteLedger implements Ledger {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #listeners = new Set<(note: CommitNote) => void>();
  /** Session entries that were read a moment ago, as text: whoever asks gets an entry of their own. */
  readonly #sessionTexts = new Map<string, string>();
  readonly #foundDamage: () => void;
  readonly #leftOut: LeftOutRows;
  #queue: Job[] = [];
  #closed = false;

  readonly #chain: AuditChain;

  constructor(database: DatabaseSync, { foundDamage, leftOut, auditKey }: SqliteLedgerOptions = {}) {
    this.#database = database;
    this.#foundDamage = foundDamage ?? (() => {});
    this.#leftOut = new LeftOutRows(leftOut ?? (() => {}));
    this.#chain = { key: auditKey };
  }

  async admit(message: InboxMessage): Promise<Admission> {
    return (await this.#enqueue([], () => this.#admitNow(message), message)) as Admission;
  }

  async commit(changes: readonly Change[]): Promise<void> {
    await this.#enqueue(changes, () => {
      for (const change of changes)
        if (change.kind === "session-put" || change.kind === "session-delete") this.#sessionTexts.delete(change.key);
      applyChanges(this.#write, this.#look, changes, this.#chain);
      this.#leftOut.noteWritten(changes, this.#look);
    });
  }

  async run(runId: string): Promise<RunRecord | undefined> {
    return this.#runNow("i.run_id = ?", runId);
  }

  async unfinishedRuns(): Promise<RunRecord[]> {
    const first = this.#read(() => firstOpenRun(this.#look));
    const sql = `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE i.id >= ? AND i.state < 2`;
    return this.#list("inbox", this.#toRun, () => ({
      sql: `${sql} ${this.#and("inbox", "i.id")} ORDER BY i.id`,
      values: [first],
    }));
  }

  async session(key: string): Promise<SessionRow["entry"] | undefined> {
    const known = this.#sessionTexts.get(key);
    // Checked when it was read.
    if (known !== undefined) return JSON.parse(known) as SessionRow["entry"];
    const row = this.#get("SELECT key, entry, created_at FROM sessions WHERE key = ?", key);
    if (!row) return undefined;
    const { entry } = this.#read(() => toSession(row, this.#look));
    this.#keepText(key, entry);
    return entry;
  }

  #keepText(key: string, entry: SessionRow["entry"]): void {
    const [oldest] = this.#sessionTexts.size < MOST_SESSION_TEXTS ? [] : this.#sessionTexts.keys();
    if (oldest !== undefined) this.#sessionTexts.delete(oldest);
    this.#sessionTexts.set(key, JSON.stringify(entry));
  }

  async sessionKeyOf(sessionId: string): Promise<string | undefined> {
    const row = this.#get("SELECT key FROM sessions WHERE session_id = ? LIMIT 1", sessionId);
    return row && String(row["key"]);
  }

  async sessions(query: SessionQuery): Promise<SessionRow[]> {
    const read = (row: StoredRow) => toSession(row, this.#look);
    return this.#list("sessions", read, () => sessionSelect(query, this.#leftOut));
  }

  async countMatching(query: SessionQuery): Promise<number> {
    const { sql, values } = sessionCount(query, this.#leftOut);
    return Number(this.#get(sql, ...values)?.["n"] ?? 0);
  }

  async countSessions(agentId?: string): Promise<number> {
    const row = agentId
      ? this.#get("SELECT count(*) AS n FROM sessions WHERE agent_id = ?", agentId)
      : this.#get("SELECT count(*) AS n FROM sessions");
    return Number(row?.["n"] ?? 0);
  }

  async archives(query: ArchiveQuery): Promise<ArchivedSession[]> {
    return this.#list("transcripts", toArchived, () => archiveSelect(query, this.#leftOut));
  }

  async countArchives(query: Omit<ArchiveQuery, "limit" | "offset">): Promise<number> {
    const { sql, values } = archiveCount(query, this.#leftOut);
    return Number(this.#get(sql, ...values)?.["n"] ?? 0);
  }

  async archive(sessionId: string): Promise<ArchivedSession | undefined> {
    const row = this.#get(ONE_ARCHIVE, sessionId);
    return row && toArchived(row);
  }

  async transcript(sessionId: string): Promise<Transcript | undefined> {
    const row = this.#get(`SELECT ${TRANSCRIPT_COLUMNS} FROM transcripts WHERE session_id = ?`, sessionId);
    return row && toTranscript(row);
  }

  async transcripts(filter: { agentId?: string; sessionKey?: string }): Promise<Transcript[]> {
    const wanted = Object.entries({ agent_id: filter.agentId, session_key: filter.sessionKey }).flatMap(
      ([column, value]) => (value === undefined ? [] : [{ column, value }]),
    );
    const where = ["true", ...wanted.map(({ column }) => `${column} = ?`)].join(" AND ");
    const values = wanted.map(({ value }) => value);
    const sql = `${TRANSCRIPTS} WHERE ${where}`;
    return this.#list("transcripts", toTranscript, () => ({
      sql: `${sql} ${this.#and("transcripts", "id")} ORDER BY id`,
      values,
    }));
  }

  async entries(
    sessionId: string,
    options: { afterSeq?: number; newest?: number; limit?: number; all?: boolean } = {},
  ): Promise<StoredEntry[]> {
    const transcript = this.#get("SELECT id, cut_seq FROM transcripts WHERE session_id = ?", sessionId);
    if (!transcript) return [];
    const id = Number(transcript["id"]);
    const after = Math.max(options.afterSeq ?? 0, options.all ? 0 : Number(transcript["cut_seq"]));
    if (options.newest !== undefined) return this.#newestEntries(id, after, options.newest);
    return this.#all(
      `SELECT seq, line, json_valid(line) AS isValid FROM entries WHERE transcript = ? AND seq > ? ORDER BY seq LIMIT ?`,
      id,
      after,
      options.limit ?? -1,
    ).map((row) => ({ seq: Number(row["seq"]), line: this.#checkLine(row) }));
  }

  /** Every turn reads them and wants them parsed: that is a check, too. */
  #newestEntries(transcript: number, after: number, newest: number): StoredEntry[] {
    const sql = "SELECT seq, line FROM entries WHERE transcript = ? AND seq > ? ORDER BY seq DESC LIMIT ?";
    return this.#all(sql, transcript, after, newest)
      .reverse()
      .map((row) => {
        const line = String(row["line"]);
        return { seq: Number(row["seq"]), line, value: this.#parseLine(line, row) };
      });
  }

  async nodes(sessionId: string, options: { afterSeq?: number; limit?: number } = {}): Promise<EntryNode[]> {
    const transcript = this.#get("SELECT id, cut_seq FROM transcripts WHERE session_id = ?", sessionId);
    if (!transcript) return [];
    const after = Math.max(options.afterSeq ?? 0, Number(transcript["cut_seq"]));
    const statement = this.#statement(
      `SELECT ${NODE_COLUMNS} FROM entries WHERE transcript = ? AND seq > ? ORDER BY seq LIMIT ?`,
    );
    statement.setReturnArrays(true);
    const rows = this.#read(() => statement.all(Number(transcript["id"]), after, options.limit ?? -1));
    return rows.map((row) => {
      // By position: a long conversation has many of them.
      const [seq, head] = Object.values(row);
      return readHead(seq, head) ?? toNode(this.#get(NODE_IN_FULL, Number(seq)) ?? {});
    });
  }

  async entriesAt(sessionId: string, seqs: readonly number[]): Promise<StoredEntry[]> {
    return this.#all(
      `SELECT e.seq, e.line, json_valid(e.line) AS isValid
       FROM transcripts t JOIN entries e ON e.transcript = t.id
       WHERE t.session_id = ? AND e.seq IN (SELECT value FROM json_each(?)) ORDER BY e.seq`,
      sessionId,
      JSON.stringify(seqs),
    ).map((row) => ({ seq: Number(row["seq"]), line: this.#checkLine(row) }));
  }

  async branch(sessionId: string, entryId: string, limit: number): Promise<StoredEntry[]> {
    return this.#all(
      `WITH RECURSIVE way (seq, line, transcript, cut, parent, depth) AS (
         SELECT e.seq, e.line, e.transcript, t.cut_seq, json_extract(e.line, '$.parentId'), 1
           FROM transcripts t JOIN entries e ON e.transcript = t.id AND e.seq > t.cut_seq
           WHERE t.session_id = ?1 AND e.entry_id = ?2
         UNION ALL
         SELECT e.seq, e.line, e.transcript, way.cut, json_extract(e.line, '$.parentId'), way.depth + 1
           FROM way JOIN entries e ON e.transcript = way.transcript AND e.entry_id = way.parent AND e.seq > way.cut
           WHERE way.depth < ?3
       ) SELECT seq, line, json_valid(line) AS isValid FROM way ORDER BY depth DESC`,
      sessionId,
      entryId,
      limit,
    ).map((row) => ({ seq: Number(row["seq"]), line: this.#checkLine(row) }));
  }

  async unmirrored(limit: number): ReturnType<Ledger["unmirrored"]> {
    const sql = `${TRANSCRIPTS} WHERE (mirrored_seq = -1 OR mirrored_file IS NOT file)`;
    return this.#list("transcripts", toTranscript, () => ({
      sql: `${sql} ${this.#and("transcripts", "id")} ORDER BY id LIMIT ?`,
      values: [limit],
    }));
  }

  async history(afterSeq: number, limit: number): Promise<HistoryEntry[]> {
    for (;;) {
      const before = this.#leftOut.count("transcripts");
      const found = this.#historyNow(afterSeq, limit);
      if (this.#leftOut.count("transcripts") === before) return found;
    }
  }

  #historyNow(afterSeq: number, limit: number): HistoryEntry[] {
    const sql = `${HISTORY} ${this.#and("transcripts", "t.id")} ORDER BY e.seq LIMIT ?`;
    const found: HistoryEntry[] = [];
    let chars = 0;
    try {
      for (const row of this.#statement(sql).iterate(afterSeq, limit)) {
        const line = this.#checkLine(row);
        found.push(...this.#readable("transcripts", [row], (one) => toHistoryEntry(one, line)));
        // Long tool results and pictures must not be in memory by the hundred.
        if ((chars += line.length) > HISTORY_CHARS) break;
      }
    } catch (error) {
      throw this.#toStoreError(error);
    }
    return found;
  }

  async newestSeq(): Promise<number> {
    return Number(this.#get("SELECT max(seq) AS n FROM entries")?.["n"] ?? 0);
  }

  async exchanges(
    sessionKey: string,
    limit: number,
    { before, after }: { readonly before?: number; readonly after?: number } = {},
  ): Promise<Exchange[]> {
    const [range, order] = after === undefined ? ["i.id < ?", "DESC"] : ["i.id > ?", "ASC"];
    const sql = `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE i.session_key = ? AND i.state = 2 AND ${range}`;
    const read = (row: StoredRow): Exchange => ({ ...this.#toRun(row), seq: Number(row[ROW_NUMBER]) });
    const found = this.#list("inbox", read, () => ({
      sql: `${sql} ${this.#and("inbox", "i.id")} ORDER BY i.id ${order} LIMIT ?`,
      values: [sessionKey, after ?? before ?? Number.MAX_SAFE_INTEGER, limit],
    }));
    return after === undefined ? found.reverse() : found;
  }

  async toolCalls(runId: string): Promise<ToolCallRecord[]> {
    const sql = "SELECT * FROM tool_calls WHERE run_id = ? ORDER BY started_at";
    return this.#list("tool_calls", toToolCall, () => ({ sql, values: [runId] }));
  }

  async findRuns(text: string, limit: number): Promise<RunRecord[]> {
    const end = `${text}\u{10ffff}`;
    const named = "((i.run_id >= ?1 AND i.run_id < ?2) OR i.message_id = ?1)";
    return this.#list("inbox", this.#toRun, () => ({
      sql: `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE ${named} ${this.#and("inbox", "i.id")}
        ORDER BY i.id DESC LIMIT ?3`,
      values: [text, end, limit],
    }));
  }

  async runs(query: RunQuery): Promise<RunSummary[]> {
    const read = (row: StoredRow) => toRunSummary(row, this.#look);
    return this.#list("inbox", read, () =>
      runSelect(query, (sql, ...values) => this.#get(sql, ...values), this.#leftOut),
    );
  }

  async outboxOf(runId: string): Promise<OutboxItem[]> {
    // Items are named after their run, so that the primary key finds them.
    const sql = `${OUTBOX} WHERE id >= ?1 || ':' AND id < ?1 || ';'`;
    return this.#outbox(sql, "ORDER BY rowid", runId).filter((item) => item.runId === runId);
  }

  async outbox(state: OutboxItem["state"], limit: number): Promise<OutboxItem[]> {
    return this.#outbox(`${OUTBOX} WHERE state = ?`, "ORDER BY rowid LIMIT ?", state, limit);
  }

  async delivery(id: string): Promise<OutboxItem | undefined> {
    const row = this.#get(`${OUTBOX} WHERE id = ?`, id);
    return row && toOutboxItem(row);
  }

  async deliveries({ state, channel, limit }: DeliveryQuery): Promise<OutboxItem[]> {
    const asked = "(?1 IS NULL OR state = ?1) AND (?2 IS NULL OR channel = ?2)";
    return this.#outbox(
      `${OUTBOX} WHERE ${asked}`,
      "ORDER BY rowid DESC LIMIT ?3",
      state ?? null,
      channel ?? null,
      limit,
    );
  }

  #outbox(select: string, order: string, ...values: SQLInputValue[]): OutboxItem[] {
    return this.#list("outbox", toOutboxItem, () => ({
      sql: `${select} ${this.#and("outbox", "rowid")} ${order}`,
      values,
    }));
  }

  async asides(sessionKey: string): Promise<Aside[]> {
    const sql = "SELECT * FROM asides WHERE session_key = ? AND told = 0 ORDER BY seq";
    return this.#list("asides", toAside, () => ({ sql, values: [sessionKey] }));
  }

  async usageByDay(range: UsageRange & { offsetMinutes: number }): Promise<UsageDay[]> {
    return usageByDay((sql, ...values) => this.#all(sql, ...values), range);
  }

  async usageTotal(range: UsageRange): Promise<UsageSum> {
    return usageTotal((sql, ...values) => this.#all(sql, ...values), range);
  }

  async usageBy(dimension: UsageDimension, range: UsageRange, limit: number): Promise<UsageGroup[]> {
    return usageBy((sql, ...values) => this.#all(sql, ...values), dimension, range, limit);
  }

  async errand(runId: string): Promise<ErrandRecord | undefined> {
    const row = this.#get("SELECT * FROM errands WHERE run_id = ?", runId);
    return row && toErrand(row);
  }

  async errands(query: ErrandQuery): Promise<ErrandRecord[]> {
    return this.#list("errands", toErrand, () => errandSelect(query, this.#leftOut));
  }

  async countErrands(query: Omit<ErrandQuery, "limit" | "offset" | "order">): Promise<number> {
    const { sql, values } = errandCount(query, this.#leftOut);
    return Number(this.#get(sql, ...values)?.["n"] ?? 0);
  }

  async job(id: string): Promise<CronJob | undefined> {
    const row = this.#get(`${JOBS} WHERE id = ?`, id);
    return row && toJob(row);
  }

  async jobs(): Promise<CronJob[]> {
    return this.#jobs("true", "ORDER BY name, id");
  }

  async dueJobs(at: number, limit: number): Promise<CronJob[]> {
    const due = "is_enabled = 1 AND next_run_at IS NOT NULL AND next_run_at <= ?";
    return this.#jobs(due, "ORDER BY next_run_at, id LIMIT ?", at, limit);
  }

  async nextJobAt(): Promise<number | undefined> {
    const all = "is_enabled = 1 AND next_run_at IS NOT NULL";
    const row = this.#get(`SELECT min(next_run_at) AS at FROM jobs WHERE ${all} ${this.#and("jobs", "rowid")}`);
    return row?.["at"] === null || row === undefined ? undefined : Number(row["at"]);
  }

  #jobs(where: string, order: string, ...values: SQLInputValue[]): CronJob[] {
    return this.#list("jobs", toJob, () => ({
      sql: `${JOBS} WHERE ${where} ${this.#and("jobs", "rowid")} ${order}`,
      values,
    }));
  }

  async audit(query: AuditQuery): Promise<AuditRecord[]> {
    return this.#list("audit", toAudit, () => auditSelect(query, this.#leftOut));
  }

  async countAudit(query: Omit<AuditQuery, "limit" | "order">): Promise<number> {
    const { sql, values } = auditCount(query, this.#leftOut);
    return Number(this.#get(sql, ...values)?.["n"] ?? 0);
  }

  async auditHead(): Promise<AuditBase | undefined> {
    return this.#chain.last;
  }

  async auditBase(): Promise<AuditBase> {
    return this.#read(() => readBase(this.#look));
  }

  async people(): Promise<Person[]> {
    const sql = `SELECT rowid AS ${ROW_NUMBER}, id, person FROM people ORDER BY name, id`;
    return this.#list("people", toPerson, () => ({ sql }));
  }

  async value(key: string): Promise<string | undefined> {
    const row = this.#get("SELECT value FROM ledger_values WHERE key = ?", key);
    return row && String(row["value"]);
  }

  onCommit(listener: (note: CommitNote) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async backup(path: string): Promise<void> {
    try {
      await backup(this.#database, path);
    } catch (error) {
      throw storeError(error);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#flush();
    this.#closed = true;
    this.#database.close();
  }

  #admitNow(message: InboxMessage): Admission {
    const added = this.#write(
      `INSERT INTO inbox (run_id, channel, account, message_id, agent_id, session_key, body, admitted_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      message.runId,
      message.channel,
      message.account,
      message.messageId,
      message.agentId,
      message.sessionKey,
      JSON.stringify(message.body),
      message.admittedAt,
    );
    if (added > 0) return { kind: "admitted" };
    const run = this.#firstOf(message);
    if (!run) throw new GatewayError("STORE_FAILED", `run ${message.runId} could not be written`);
    return { kind: "duplicate", run };
  }

  #firstOf({ runId, channel, account, messageId }: InboxMessage): RunRecord | undefined {
    return (
      this.#runNow("i.run_id = ?", runId) ??
      this.#runNow("i.channel = ? AND i.account = ? AND i.message_id = ?", channel, account, messageId)
    );
  }

  #runNow(where: string, ...values: SQLInputValue[]): RunRecord | undefined {
    const row = this.#get(`SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE ${where}`, ...values);
    return row && this.#toRun(row);
  }

  readonly #toRun = (row: StoredRow): RunRecord => toRunRecord(row, this.#look);

  /** What cannot be read is left out, and what comes behind it moves up: limits and pages are of what can be read. */
  #list<T>(table: string, read: (row: StoredRow) => T, ask: () => Question): T[] {
    for (;;) {
      const before = this.#leftOut.count(table);
      const { sql, values = [] } = ask();
      const rows = this.#all(sql, ...values);
      const found = this.#read(() => this.#readable(table, rows, read));
      if (this.#leftOut.count(table) === before) return found;
    }
  }

  #readable<T>(table: string, rows: readonly StoredRow[], read: (row: StoredRow) => T): T[] {
    return readRows(rows, read, (error, row) => this.#leftOut.add(table, row, error));
  }

  #and(table: string, column: string): string {
    const condition = this.#leftOut.except(table, column);
    return condition && `AND ${condition}`;
  }

  #enqueue(changes: readonly Change[], run: () => unknown, message?: InboxMessage): Promise<unknown> {
    if (this.#closed) return Promise.reject(new GatewayError("STORE_FAILED", "the ledger is closed"));
    return new Promise((resolve, reject) => {
      this.#queue.push({ run, resolve, reject, changes, ...(message ? { message } : {}) });
      if (this.#queue.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const jobs = this.#queue;
    this.#queue = [];
    if (jobs.length === 0) return;
    const results = this.#transact(() => jobs.map((job) => job.run()));
    if (results.kind === "done") {
      jobs.forEach((job, index) => job.resolve((results.value as unknown[])[index]));
      this.#announce(jobs.filter((job, index) => !isDuplicate(job, (results.value as unknown[])[index])));
      return;
    }
    if (jobs.length === 1) {
      jobs[0]?.reject(results.error);
      return;
    }
    // One of them is at fault: each gets a transaction of its own, so that the others do not suffer.
    for (const job of jobs) {
      const alone = this.#transact(() => job.run());
      if (alone.kind === "failed") {
        job.reject(alone.error);
        continue;
      }
      job.resolve(alone.value);
      if (!isDuplicate(job, alone.value)) this.#announce([job]);
    }
  }

  #transact<T>(work: () => T): { kind: "done"; value: T } | { kind: "failed"; error: GatewayError } {
    const lastEvent = this.#chain.last;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      const value = work();
      this.#database.exec("COMMIT");
      return { kind: "done", value };
    } catch (error) {
      this.#chain.last = lastEvent;
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      return { kind: "failed", error: this.#toStoreError(error) };
    }
  }

  #announce(jobs: readonly Job[]): void {
    if (this.#listeners.size === 0) return;
    const sessionIds = new Set<string>();
    const sessionKeys = new Set<string>();
    for (const change of jobs.flatMap((job) => job.changes)) {
      if (change.kind === "session-put" || change.kind === "session-delete") sessionKeys.add(change.key);
      else if (change.kind === "entries-append" || change.kind.startsWith("transcript-")) {
        if ("sessionId" in change) sessionIds.add(change.sessionId);
      }
    }
    const commits = jobs.map((job) => job.changes).filter((changes) => changes.some(isForFollowers));
    const admitted = jobs.flatMap((job) => job.message ?? []);
    if (commits.length + admitted.length === 0) return;
    const note: CommitNote = { sessionIds: [...sessionIds], sessionKeys: [...sessionKeys], commits, admitted };
    for (const listener of this.#listeners) listener(note);
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  readonly #look = (sql: string, ...values: SQLInputValue[]): StoredRow | undefined =>
    this.#statement(sql).get(...values);

  readonly #write = (sql: string, ...values: SQLInputValue[]): number =>
    Number(this.#statement(sql).run(...values).changes);

  #get(sql: string, ...values: SQLInputValue[]): StoredRow | undefined {
    return this.#read(() => this.#statement(sql).get(...values));
  }

  #all(sql: string, ...values: SQLInputValue[]): StoredRow[] {
    return this.#read(() => this.#statement(sql).all(...values));
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#toStoreError(error);
    }
  }

  /** SQLite does not notice when the text on a page was overwritten; whoever parses the line would stumble over it. */
  #checkLine(row: StoredRow): string {
    const line = row["line"];
    if (typeof line === "string" && (row["isValid"] === 1 || isJson(line))) return line;
    throw this.#unreadable(row);
  }

  #parseLine(line: string, row: StoredRow): unknown {
    try {
      return JSON.parse(line);
    } catch {
      throw this.#unreadable(row);
    }
  }

  #unreadable(row: StoredRow): GatewayError {
    return this.#toStoreError(new GatewayError("STORE_CORRUPT", `entry ${row["seq"]} of a transcript is not readable`));
  }

  #toStoreError(thrown: unknown): GatewayError {
    const error = storeError(thrown);
    if (error.code === "STORE_CORRUPT") this.#foundDamage();
    return error;
  }
}

function isForFollowers({ kind }: Change): boolean {
  return kind !== "mirrored" && kind !== "value-put";
}

function isDuplicate({ message }: Job, value: unknown): boolean {
  return message !== undefined && (value as Admission).kind === "duplicate";
}
