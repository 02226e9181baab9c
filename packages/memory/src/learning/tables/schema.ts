// The tables of what conversations teach. What rules derive can be made again from the ledger; what a model read was
// paid for, and what was forgotten cannot be asked for again: both outlive it. `left_out` is told by the ledger.
import type { Store } from "../../index/store/store.ts";

/** Other patterns, another way to cut episodes: everything is learned anew. */
const VERSION = "4";
const VERSION_KEY = "learning.version";

/**
 * A number is never given twice, so that nobody takes one vector for another; it says nothing else. Ids are made of
 * where a row comes from, so that learning anew gives the same ones.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS episodes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_key TEXT NOT NULL,
    session_id TEXT NOT NULL,
    start_turn_id TEXT NOT NULL,
    end_turn_id TEXT NOT NULL,
    start_seq INTEGER NOT NULL,
    end_seq INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    is_open INTEGER NOT NULL,
    summary TEXT NOT NULL,
    sentences TEXT NOT NULL,
    people TEXT NOT NULL,
    has_owner INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS episodes_by_session ON episodes (session_key);
  CREATE TABLE IF NOT EXISTS facets (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    episode_id TEXT NOT NULL,
    facet_type TEXT NOT NULL,
    slot TEXT NOT NULL,
    value TEXT NOT NULL,
    confidence REAL NOT NULL,
    subject TEXT NOT NULL,
    subject_key TEXT NOT NULL,
    is_about_speaker INTEGER NOT NULL,
    text TEXT NOT NULL,
    session_key TEXT NOT NULL,
    session_id TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    position INTEGER NOT NULL,
    role TEXT NOT NULL,
    person TEXT,
    person_key TEXT,
    at INTEGER NOT NULL,
    day TEXT,
    is_owner INTEGER NOT NULL,
    drawn_by TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS facets_by_episode ON facets (episode_id);
  CREATE INDEX IF NOT EXISTS facets_by_subject ON facets (subject_key);
  CREATE INDEX IF NOT EXISTS facets_by_entry ON facets (session_key, seq);
  CREATE INDEX IF NOT EXISTS facets_by_person ON facets (person_key) WHERE person_key IS NOT NULL;
  CREATE INDEX IF NOT EXISTS facets_of_owner ON facets (facet_type) WHERE is_owner = 1;
  CREATE TABLE IF NOT EXISTS embeddings (
    id TEXT PRIMARY KEY,
    source_type TEXT NOT NULL,
    source_id TEXT NOT NULL,
    item INTEGER NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS embeddings_by_item ON embeddings (item, model);
  CREATE TABLE IF NOT EXISTS open_episodes (
    session_key TEXT PRIMARY KEY,
    last_at INTEGER NOT NULL,
    state TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS open_episodes_by_time ON open_episodes (last_at);
  CREATE VIRTUAL TABLE IF NOT EXISTS learned_words USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M*'"
  );
  CREATE TABLE IF NOT EXISTS forgotten (
    scope TEXT NOT NULL,
    hash TEXT NOT NULL,
    words INTEGER NOT NULL,
    until_at INTEGER NOT NULL,
    PRIMARY KEY (scope, hash)
  );
  CREATE TABLE IF NOT EXISTS left_out (session_id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS read_episodes (
    session_key TEXT NOT NULL,
    session_id TEXT NOT NULL,
    from_at INTEGER NOT NULL,
    until_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, until_at)
  );
  CREATE TABLE IF NOT EXISTS read_facts (
    session_key TEXT NOT NULL,
    session_id TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    said TEXT NOT NULL,
    slot TEXT NOT NULL,
    subject TEXT,
    value TEXT NOT NULL,
    confidence REAL NOT NULL,
    person TEXT,
    at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS read_facts_by_entry ON read_facts (session_id, entry_id);`;

const DERIVED = ["episodes", "facets", "embeddings", "open_episodes", "learned_words"];

/** Whether what is in them was learned in the way it is learned now. */
export function prepareTables(store: Store): boolean {
  return store.transaction(() => {
    const isCurrent = (store.meta(VERSION_KEY) ?? VERSION) === VERSION;
    // Their columns may be others, too.
    if (!isCurrent) for (const table of DERIVED) store.db.exec(`DROP TABLE IF EXISTS ${table}`);
    store.db.exec(TABLES);
    store.setMeta(VERSION_KEY, VERSION);
    return isCurrent;
  });
}

/** Everything that is derived; vectors in their spaces are the caller's. */
export function clearLearned(store: Store): void {
  for (const table of DERIVED) store.db.exec(`DELETE FROM ${table}`);
  store.setMeta(MARK_KEY, JSON.stringify(BEGINNING));
}

export const MARK_KEY = "learning.mark";

/** How far the ledger was read, how much of it, and the newest time in it. */
export interface LearningMark {
  readonly seq: number;
  readonly entryId: string;
  readonly entries: number;
  readonly newestAt: number;
}

export const BEGINNING: LearningMark = { seq: 0, entryId: "", entries: 0, newestAt: 0 };
