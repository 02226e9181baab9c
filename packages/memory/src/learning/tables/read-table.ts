// The tables of what a model read: which parts of conversations, and what it told of them. Paid for, so it outlives
// everything that is learned anew, and what is forgotten is taken out of it, too.
import { integer, number, oneOf, optional, readable, rowReader, text, type StoredRow } from "@chela/sdk/rows";
import type { FedEntry, ReadingState, ToldFact, UnreadEpisode } from "../../messages.ts";
import type { Store } from "../../index/store/store.ts";
import { SILENCE_MS } from "../episode.ts";
import { SLOTS } from "../read-slots.ts";

export interface KeptFact extends Omit<ToldFact, "quote"> {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly said: string;
  readonly person?: string;
  readonly at: number;
}

/**
 * By the time of its end: parts of a conversation may be cut otherwise one day, and are then still known to be read.
 * One that goes on has not been silent for long.
 */
const UNREAD = `FROM episodes WHERE has_owner = 1 AND NOT EXISTS (SELECT 1 FROM read_episodes
  WHERE read_episodes.session_id = episodes.session_id AND episodes.ended_at BETWEEN from_at AND until_at)`;
const IS_OVER = "AND (is_open = 0 OR ended_at < ?)";

export class ReadTable {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The newest first: who has little to spend wants today's words read before those of last year. */
  state(now: number): ReadingState {
    const silent = now - SILENCE_MS;
    const next = this.#store.statement(`SELECT * ${UNREAD} ${IS_OVER} ORDER BY start_seq DESC LIMIT 1`).get(silent);
    const waiting = this.#count(`SELECT count(*) AS count ${UNREAD} ${IS_OVER}`, silent);
    const read = this.#count("SELECT count(*) AS count FROM read_episodes");
    const sql = `SELECT min(ended_at) AS ended_at ${UNREAD} AND is_open = 1 AND ended_at >= ?`;
    const first = this.#store.statement(sql).get(silent)?.["ended_at"] ?? undefined;
    return {
      read,
      waiting,
      ...(next ? { next: toEpisode(next) } : {}),
      ...(first === undefined ? {} : { nextAt: Number(first) + SILENCE_MS + 1 }),
    };
  }

  /** Part of the caller's transaction. */
  markRead({ sessionKey, sessionId, startedAt, endedAt }: UnreadEpisode): void {
    this.#store
      .statement("INSERT OR REPLACE INTO read_episodes VALUES (?, ?, ?, ?)")
      .run(sessionKey, sessionId, startedAt, endedAt);
  }

  /** Part of the caller's transaction. What is there already is there once. */
  keep({ slot, subject, value, confidence }: Omit<ToldFact, "entryId" | "quote">, said: string, entry: FedEntry): void {
    const { sessionKey, sessionId, entryId, person, at } = entry;
    const isKept = this.of(entry).some(
      (one) => one.said === said && one.slot === slot && one.subject === subject && one.value === value,
    );
    if (isKept) return;
    const told = [said, slot, subject ?? null, value, confidence];
    this.#store
      .statement("INSERT INTO read_facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(sessionKey, sessionId, entryId, ...told, person ?? null, at);
  }

  of({ sessionId, entryId }: Pick<FedEntry, "sessionId" | "entryId">): KeptFact[] {
    const sql = "SELECT * FROM read_facts WHERE session_id = ? AND entry_id = ? ORDER BY rowid";
    return readable(this.#store.statement(sql).all(sessionId, entryId), toKept);
  }

  /** Part of the caller's transaction. */
  forgetSession(sessionKey: string): void {
    this.#forgetWhole("session_key", sessionKey);
  }

  /** Part of the caller's transaction. */
  forgetConversation(sessionId: string): void {
    this.#forgetWhole("session_id", sessionId);
  }

  /** Part of the caller's transaction. */
  forgetSentence({ sessionId, entryId, text }: { sessionId: string; entryId: string; text: string }): void {
    const sql = "DELETE FROM read_facts WHERE session_id = ? AND entry_id = ? AND said = ?";
    this.#store.statement(sql).run(sessionId, entryId, text);
  }

  /** Part of the caller's transaction. Also what is not back among the facts yet. */
  forgetWhere(isForgotten: (fact: KeptFact) => boolean): void {
    const rows = this.#store.statement("SELECT rowid, * FROM read_facts").all();
    for (const row of rows) {
      // What cannot be read cannot be told again either.
      if (readable([row], toKept).every(isForgotten)) {
        this.#store.statement("DELETE FROM read_facts WHERE rowid = ?").run(Number(row["rowid"]));
      }
    }
  }

  #forgetWhole(column: "session_key" | "session_id", value: string): void {
    for (const table of ["read_facts", "read_episodes"]) {
      this.#store.statement(`DELETE FROM ${table} WHERE ${column} = ?`).run(value);
    }
  }

  #count(sql: string, ...values: readonly number[]): number {
    return Number(this.#store.statement(sql).get(...values)?.["count"]);
  }
}

const toEpisode: (row: StoredRow) => UnreadEpisode = rowReader(
  { table: "episodes", named: "id" },
  {
    id: text("id"),
    sessionKey: text("session_key"),
    sessionId: text("session_id"),
    startSeq: integer("start_seq"),
    endSeq: integer("end_seq"),
    startedAt: number("created_at"),
    endedAt: number("ended_at"),
  },
);

const toKept: (row: StoredRow) => KeptFact = rowReader(
  { table: "read_facts", named: "entry_id" },
  {
    sessionKey: text("session_key"),
    sessionId: text("session_id"),
    entryId: text("entry_id"),
    said: text("said"),
    slot: oneOf("slot", SLOTS),
    subject: optional(text("subject")),
    value: text("value"),
    confidence: number("confidence"),
    person: optional(text("person")),
    at: number("at"),
  },
);
