// The ledger on SQLite. Commits that arrive in the same turn of the event loop share one transaction and one flush.
import { backup, type DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { GatewayError } from "@chela/sdk";
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
import { applyChanges } from "./apply-change.ts";
import { archiveCount, archiveSelect, ONE_ARCHIVE, toArchived } from "./archive-select.ts";
import { auditCount, auditSelect, readBase, toAudit, type AuditChain } from "./audit-chain.ts";
import { isJson } from "./check-texts.ts";
import { NODE_COLUMNS, NODE_IN_FULL, readHead, toNode, type NodeRow } from "./entry-nodes.ts";
import { readEntry } from "./entry-text.ts";
import { errandCount, errandSelect, toErrand } from "./errand-select.ts";
import { storeError } from "./failures.ts";
import { firstOpenRun } from "./open-runs.ts";
import {
  toAside,
  toHistoryEntry,
  toOutboxItem,
  toRunRecord,
  toRunSummary,
  toToolCall,
  toTranscript,
  TRANSCRIPT_COLUMNS,
  type SqlRow,
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

const RUN_COLUMNS = `i.run_id, i.channel, i.account, i.message_id, i.agent_id, i.session_key, i.body, i.state, i.admitted_at,
  t.session_id, t.started_at, t.ended_at, t.outcome`;
const HISTORY = `SELECT e.seq, e.line, json_valid(e.line) AS isValid, t.session_id, t.session_key, t.agent_id, t.archived_reason
  FROM entries e JOIN transcripts t ON t.id = e.transcript WHERE e.seq > ? ORDER BY e.seq LIMIT ?`;
const HISTORY_CHARS = 2_000_000;
const RUN_TABLES = "inbox i LEFT JOIN turns t ON t.run_id = i.run_id";
/** As many as may be talked in at once: one message asks for its session several times. */
const MOST_SESSION_TEXTS = 256;

export class SqliteLedger implements Ledger {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #listeners = new Set<(note: CommitNote) => void>();
  /** Session entries that were read a moment ago, as text: whoever asks gets an entry of their own. */
  readonly #sessionTexts = new Map<string, string>();
  readonly #foundDamage: () => void;
  #queue: Job[] = [];
  #closed = false;

  readonly #chain: AuditChain;

  /**
   * `foundDamage` is called when a read or a write comes upon something that is no longer what was written. With
   * `auditKey` the hashes of the audit trail can only be made by whoever knows it.
   */
  constructor(database: DatabaseSync, foundDamage: () => void = () => {}, auditKey?: Buffer) {
    this.#database = database;
    this.#foundDamage = foundDamage;
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
    });
  }

  async run(runId: string): Promise<RunRecord | undefined> {
    return this.#runNow("i.run_id = ?", runId);
  }

  async unfinishedRuns(): Promise<RunRecord[]> {
    const first = this.#read(() => firstOpenRun(this.#look));
    return this.#all(
      `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE i.id >= ? AND i.state < 2 ORDER BY i.id`,
      first,
    ).map((row) => toRunRecord(row, this.#look));
  }

  async session(key: string): Promise<SessionRow["entry"] | undefined> {
    const known = this.#sessionTexts.get(key);
    if (known !== undefined) return JSON.parse(known);
    const row = this.#get("SELECT entry FROM sessions WHERE key = ?", key);
    if (!row) return undefined;
    const entry = this.#read(() => readEntry(String(row["entry"]), this.#look));
    const [oldest] = this.#sessionTexts.size < MOST_SESSION_TEXTS ? [] : this.#sessionTexts.keys();
    if (oldest !== undefined) this.#sessionTexts.delete(oldest);
    this.#sessionTexts.set(key, JSON.stringify(entry));
    return entry;
  }

  async sessionKeyOf(sessionId: string): Promise<string | undefined> {
    const row = this.#get("SELECT key FROM sessions WHERE session_id = ? LIMIT 1", sessionId);
    return row && String(row["key"]);
  }

  async sessions(query: SessionQuery): Promise<SessionRow[]> {
    const select = sessionSelect(query);
    const rows = this.#all(select.sql, ...select.values);
    return this.#read(() =>
      rows.map((row) => ({
        key: String(row["key"]),
        entry: readEntry(String(row["entry"]), this.#look),
        createdAt: Number(row["created_at"]),
      })),
    );
  }

  async countMatching(query: SessionQuery): Promise<number> {
    const { sql, values } = sessionCount(query);
    return Number(this.#get(sql, ...values)?.["n"] ?? 0);
  }

  async countSessions(agentId?: string): Promise<number> {
    const row = agentId
      ? this.#get("SELECT count(*) AS n FROM sessions WHERE agent_id = ?", agentId)
      : this.#get("SELECT count(*) AS n FROM sessions");
    return Number(row?.["n"] ?? 0);
  }

  async archives(query: ArchiveQuery): Promise<ArchivedSession[]> {
    const { sql, values } = archiveSelect(query);
    return this.#all(sql, ...values).map(toArchived);
  }

  async countArchives(query: Omit<ArchiveQuery, "limit" | "offset">): Promise<number> {
    const { sql, values } = archiveCount(query);
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
    const where = wanted.length > 0 ? `WHERE ${wanted.map(({ column }) => `${column} = ?`).join(" AND ")}` : "";
    const values = wanted.map(({ value }) => value);
    return this.#all(`SELECT ${TRANSCRIPT_COLUMNS} FROM transcripts ${where} ORDER BY id`, ...values).map(toTranscript);
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
    // A long conversation has many of them.
    statement.setReturnArrays(true);
    const rows = this.#read(() => statement.all(Number(transcript["id"]), after, options.limit ?? -1));
    return (rows as unknown as NodeRow[]).map((row) => readHead(row) ?? toNode(this.#get(NODE_IN_FULL, row[0])));
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
    return this.#all(
      `SELECT ${TRANSCRIPT_COLUMNS} FROM transcripts WHERE mirrored_seq = -1 OR mirrored_file IS NOT file ORDER BY id LIMIT ?`,
      limit,
    ).map(toTranscript);
  }

  async history(afterSeq: number, limit: number): Promise<HistoryEntry[]> {
    const found: HistoryEntry[] = [];
    let chars = 0;
    try {
      for (const row of this.#statement(HISTORY).iterate(afterSeq, limit) as Iterable<SqlRow>) {
        const entry = toHistoryEntry(row, this.#checkLine(row));
        found.push(entry);
        // Long tool results and pictures must not be in memory by the hundred.
        if ((chars += entry.line.length) > HISTORY_CHARS) break;
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
    const found = this.#all(
      `SELECT i.id AS seq, ${RUN_COLUMNS} FROM ${RUN_TABLES}
       WHERE i.session_key = ? AND i.state = 2 AND ${range} ORDER BY i.id ${order} LIMIT ?`,
      sessionKey,
      after ?? before ?? Number.MAX_SAFE_INTEGER,
      limit,
    ).map((row) => ({ ...toRunRecord(row, this.#look), seq: Number(row["seq"]) }));
    return after === undefined ? found.reverse() : found;
  }

  async toolCalls(runId: string): Promise<ToolCallRecord[]> {
    return this.#all("SELECT * FROM tool_calls WHERE run_id = ? ORDER BY started_at", runId).map(toToolCall);
  }

  async findRuns(text: string, limit: number): Promise<RunRecord[]> {
    const end = `${text}\u{10ffff}`;
    return this.#all(
      `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES}
       WHERE (i.run_id >= ?1 AND i.run_id < ?2) OR i.message_id = ?1 ORDER BY i.id DESC LIMIT ?3`,
      text,
      end,
      limit,
    ).map((row) => toRunRecord(row, this.#look));
  }

  async runs(query: RunQuery): Promise<RunSummary[]> {
    const select = runSelect(query, (sql, ...values) => this.#get(sql, ...values));
    return this.#all(select.sql, ...select.values).map((row) => toRunSummary(row, this.#look));
  }

  async outboxOf(runId: string): Promise<OutboxItem[]> {
    // Items are named after their run, so that the primary key finds them.
    return this.#all("SELECT * FROM outbox WHERE id >= ?1 || ':' AND id < ?1 || ';' ORDER BY rowid", runId)
      .map(toOutboxItem)
      .filter((item) => item.runId === runId);
  }

  async outbox(state: OutboxItem["state"], limit: number): Promise<OutboxItem[]> {
    return this.#all("SELECT * FROM outbox WHERE state = ? ORDER BY rowid LIMIT ?", state, limit).map(toOutboxItem);
  }

  async delivery(id: string): Promise<OutboxItem | undefined> {
    return this.#all("SELECT * FROM outbox WHERE id = ?", id).map(toOutboxItem)[0];
  }

  async deliveries({ state, channel, limit }: DeliveryQuery): Promise<OutboxItem[]> {
    return this.#all(
      `SELECT * FROM outbox WHERE (?1 IS NULL OR state = ?1) AND (?2 IS NULL OR channel = ?2)
       ORDER BY rowid DESC LIMIT ?3`,
      state ?? null,
      channel ?? null,
      limit,
    ).map(toOutboxItem);
  }

  async asides(sessionKey: string): Promise<Aside[]> {
    return this.#all("SELECT * FROM asides WHERE session_key = ? AND told = 0 ORDER BY seq", sessionKey).map(toAside);
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
    const { sql, values } = errandSelect(query);
    return this.#all(sql, ...values).map(toErrand);
  }

  async countErrands(query: Omit<ErrandQuery, "limit" | "offset" | "order">): Promise<number> {
    const { sql, values } = errandCount(query);
    return Number(this.#get(sql, ...values)?.["n"] ?? 0);
  }

  async job(id: string): Promise<CronJob | undefined> {
    return this.#jobs("SELECT job FROM jobs WHERE id = ?", id)[0];
  }

  async jobs(): Promise<CronJob[]> {
    return this.#jobs("SELECT job FROM jobs ORDER BY name, id");
  }

  async dueJobs(at: number, limit: number): Promise<CronJob[]> {
    return this.#jobs(
      "SELECT job FROM jobs WHERE is_enabled = 1 AND next_run_at IS NOT NULL AND next_run_at <= ? ORDER BY next_run_at, id LIMIT ?",
      at,
      limit,
    );
  }

  async nextJobAt(): Promise<number | undefined> {
    const row = this.#get("SELECT min(next_run_at) AS at FROM jobs WHERE is_enabled = 1 AND next_run_at IS NOT NULL");
    return row?.["at"] === null || row === undefined ? undefined : Number(row["at"]);
  }

  #jobs(sql: string, ...values: SQLInputValue[]): CronJob[] {
    return this.#all(sql, ...values).map((row) => JSON.parse(String(row["job"])));
  }

  async audit(query: AuditQuery): Promise<AuditRecord[]> {
    const { sql, values } = auditSelect(query);
    return this.#all(sql, ...values).map(toAudit);
  }

  async countAudit(query: Omit<AuditQuery, "limit" | "order">): Promise<number> {
    const { sql, values } = auditCount(query);
    return Number(this.#get(sql, ...values)?.["n"] ?? 0);
  }

  async auditHead(): Promise<AuditBase | undefined> {
    return this.#chain.last;
  }

  async auditBase(): Promise<AuditBase> {
    return this.#read(() => readBase(this.#look));
  }

  async people(): Promise<Person[]> {
    return this.#all("SELECT person FROM people ORDER BY name, id").map((row) => JSON.parse(String(row["person"])));
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
    return row && toRunRecord(row, this.#look);
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
        sessionIds.add((change as { sessionId: string }).sessionId);
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

  readonly #look = (sql: string, ...values: SQLInputValue[]): SqlRow | undefined =>
    this.#statement(sql).get(...values) as SqlRow | undefined;

  readonly #write = (sql: string, ...values: SQLInputValue[]): number =>
    Number(this.#statement(sql).run(...values).changes);

  #get(sql: string, ...values: SQLInputValue[]): SqlRow | undefined {
    return this.#read(() => this.#statement(sql).get(...values) as SqlRow | undefined);
  }

  #all(sql: string, ...values: SQLInputValue[]): SqlRow[] {
    return this.#read(() => this.#statement(sql).all(...values) as SqlRow[]);
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#toStoreError(error);
    }
  }

  /** SQLite does not notice when the text on a page was overwritten; whoever parses the line would stumble over it. */
  #checkLine(row: SqlRow): string {
    const line = String(row["line"]);
    if (row["isValid"] === 1 || isJson(line)) return line;
    throw this.#unreadable(row);
  }

  #parseLine(line: string, row: SqlRow): unknown {
    try {
      return JSON.parse(line);
    } catch {
      throw this.#unreadable(row);
    }
  }

  #unreadable(row: SqlRow): GatewayError {
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
