// The shape of the ledger, as a list of forward steps. A step, once released, is never edited.

export interface Migration {
  readonly version: number;
  readonly what: string;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    what: "inbox, turns, sessions, transcripts, outbox, usage",
    sql: `
      CREATE TABLE inbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        run_id TEXT NOT NULL UNIQUE,
        channel TEXT NOT NULL, account TEXT NOT NULL, message_id TEXT NOT NULL,
        agent_id TEXT NOT NULL, session_key TEXT NOT NULL,
        body TEXT NOT NULL, state INTEGER NOT NULL DEFAULT 0, admitted_at INTEGER NOT NULL,
        UNIQUE (channel, account, message_id)
      );
      CREATE INDEX inbox_unfinished ON inbox (id) WHERE state < 2;
      CREATE INDEX inbox_by_session ON inbox (session_key, id);

      CREATE TABLE turns (
        run_id TEXT PRIMARY KEY, session_id TEXT NOT NULL,
        started_at INTEGER NOT NULL, ended_at INTEGER, outcome TEXT
      ) WITHOUT ROWID;

      CREATE TABLE tool_calls (
        run_id TEXT NOT NULL, tool_call_id TEXT NOT NULL, name TEXT NOT NULL, args TEXT NOT NULL,
        started_at INTEGER NOT NULL, ended_at INTEGER, is_error INTEGER,
        PRIMARY KEY (run_id, tool_call_id)
      ) WITHOUT ROWID;

      CREATE TABLE sessions (
        key TEXT PRIMARY KEY, agent_id TEXT NOT NULL, session_id TEXT NOT NULL,
        updated_at INTEGER NOT NULL, kind TEXT NOT NULL, hidden INTEGER NOT NULL,
        label TEXT, spawned_by TEXT, entry TEXT NOT NULL
      );
      CREATE INDEX sessions_recent ON sessions (updated_at DESC);
      CREATE INDEX sessions_by_agent ON sessions (agent_id, updated_at DESC);
      CREATE INDEX sessions_by_id ON sessions (session_id);
      CREATE INDEX sessions_by_label ON sessions (label) WHERE label IS NOT NULL;

      CREATE TABLE transcripts (
        id INTEGER PRIMARY KEY, session_id TEXT NOT NULL UNIQUE, session_key TEXT NOT NULL, agent_id TEXT NOT NULL,
        header TEXT NOT NULL, file TEXT NOT NULL, archived_reason TEXT, archived_at INTEGER,
        last_seq INTEGER NOT NULL DEFAULT 0, cut_seq INTEGER NOT NULL DEFAULT 0,
        mirrored_seq INTEGER NOT NULL DEFAULT -1, mirrored_file TEXT
      );
      CREATE INDEX transcripts_by_key ON transcripts (session_key);
      CREATE INDEX transcripts_behind ON transcripts (id) WHERE mirrored_seq <> last_seq OR mirrored_file IS NOT file;

      CREATE TABLE entries (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, transcript INTEGER NOT NULL, entry_id TEXT NOT NULL, line TEXT NOT NULL,
        UNIQUE (transcript, entry_id)
      );
      CREATE INDEX entries_in_order ON entries (transcript, seq);

      CREATE TABLE outbox (
        id TEXT PRIMARY KEY, run_id TEXT NOT NULL, channel TEXT NOT NULL, account TEXT NOT NULL, recipient TEXT NOT NULL,
        payload TEXT NOT NULL, created_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
        state TEXT NOT NULL DEFAULT 'pending'
      );
      CREATE INDEX outbox_by_state ON outbox (state, created_at) WHERE state <> 'delivered';

      CREATE TABLE usage (
        at INTEGER NOT NULL, agent_id TEXT NOT NULL, session_key TEXT NOT NULL, run_id TEXT NOT NULL,
        provider TEXT NOT NULL, model TEXT NOT NULL,
        input INTEGER NOT NULL, output INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL,
        input_cost REAL, output_cost REAL, cache_read_cost REAL, cache_write_cost REAL
      );
      CREATE INDEX usage_by_time ON usage (at);

      CREATE TABLE ledger_values (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    `,
  },
  {
    version: 2,
    what: "usage knows the channel, the person and the job it belongs to",
    sql: `
      ALTER TABLE usage ADD COLUMN channel TEXT NOT NULL DEFAULT '';
      ALTER TABLE usage ADD COLUMN person TEXT NOT NULL DEFAULT '';
      ALTER TABLE usage ADD COLUMN job TEXT NOT NULL DEFAULT '';
    `,
  },
  {
    version: 3,
    what: "receipts and errors of deliveries; what happened between turns",
    sql: `
      ALTER TABLE outbox ADD COLUMN receipt TEXT;
      ALTER TABLE outbox ADD COLUMN error TEXT;

      CREATE TABLE asides (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, session_key TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
        at INTEGER NOT NULL, body TEXT NOT NULL, told INTEGER NOT NULL DEFAULT 0,
        UNIQUE (session_key, key)
      );
      CREATE INDEX asides_to_tell ON asides (session_key, seq) WHERE told = 0;
    `,
  },
  {
    version: 4,
    what: "runs are found by agent and by failure; deliveries know when something became of them",
    sql: `
      CREATE INDEX inbox_by_agent ON inbox (agent_id, id);
      ALTER TABLE turns ADD COLUMN status TEXT;
      UPDATE turns SET status = outcome ->> '$.status' WHERE json_valid(outcome);
      CREATE INDEX turns_failed ON turns (run_id) WHERE status = 'error';
      ALTER TABLE outbox ADD COLUMN updated_at INTEGER;
    `,
  },
  {
    version: 5,
    what: "any part of a long list of sessions is found by an index; ended sessions can be restored",
    sql: `
      ALTER TABLE sessions ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE sessions ADD COLUMN channel TEXT;
      ALTER TABLE sessions ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE sessions ADD COLUMN names TEXT NOT NULL DEFAULT '';
      UPDATE sessions SET
        created_at = coalesce((SELECT min(CAST(unixepoch(t.header ->> 'timestamp', 'subsec') * 1000 AS INTEGER))
          FROM transcripts t WHERE t.session_key = sessions.key AND json_valid(t.header)), updated_at),
        channel = coalesce(entry ->> 'channel', entry ->> 'lastChannel'),
        tokens = coalesce(CAST(entry ->> 'totalTokens' AS INTEGER), 0),
        names = lower(key || char(10) || session_id || coalesce(char(10) || label, '')
          || coalesce(char(10) || (entry ->> 'displayName'), '') || coalesce(char(10) || (entry ->> 'subject'), ''))
        WHERE json_valid(entry);

      CREATE INDEX sessions_listed ON sessions (updated_at DESC, agent_id, kind, channel)
        WHERE hidden = 0 AND kind <> 'global' AND kind <> 'unknown';
      CREATE INDEX sessions_by_creation ON sessions (created_at DESC, agent_id, kind, channel)
        WHERE hidden = 0 AND kind <> 'global' AND kind <> 'unknown';
      CREATE INDEX sessions_by_tokens ON sessions (tokens DESC, agent_id, kind, channel)
        WHERE hidden = 0 AND kind <> 'global' AND kind <> 'unknown';
      DROP INDEX sessions_by_agent;
      CREATE INDEX sessions_by_agent ON sessions (agent_id, updated_at DESC, hidden, kind, channel);
      CREATE INDEX sessions_by_name ON sessions (names);

      ALTER TABLE transcripts ADD COLUMN archived_entry TEXT;
      CREATE INDEX transcripts_archived ON transcripts (archived_at DESC, id DESC) WHERE archived_at IS NOT NULL;
    `,
  },
  {
    version: 6,
    what: "jobs, and errands from the moment they are due until their result has arrived",
    sql: `
      CREATE TABLE jobs (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, is_enabled INTEGER NOT NULL, next_run_at INTEGER, job TEXT NOT NULL
      );
      CREATE INDEX jobs_due ON jobs (next_run_at) WHERE is_enabled = 1 AND next_run_at IS NOT NULL;

      CREATE TABLE errands (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, owner TEXT NOT NULL,
        agent_id TEXT NOT NULL, session_key TEXT NOT NULL, due_at INTEGER NOT NULL, created_at INTEGER NOT NULL,
        work TEXT NOT NULL, delivery TEXT, state TEXT NOT NULL DEFAULT 'waiting',
        started_at INTEGER, ended_at INTEGER, settled_at INTEGER,
        status TEXT, outcome TEXT, delivery_status TEXT, delivered TEXT
      );
      CREATE INDEX errands_open ON errands (seq) WHERE state <> 'settled';
      CREATE INDEX errands_of_owner ON errands (kind, owner, seq);
      CREATE INDEX errands_of_kind ON errands (kind, seq);
      CREATE INDEX errands_of_session ON errands (session_key, seq);
    `,
  },
  {
    version: 7,
    what: "an audit trail whose rows are chained, and people",
    sql: `
      CREATE TABLE audit (
        seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, action TEXT NOT NULL, actor TEXT NOT NULL, target TEXT NOT NULL,
        outcome TEXT NOT NULL, agent_id TEXT, session_key TEXT, channel TEXT, trace_id TEXT, detail TEXT NOT NULL,
        hash TEXT NOT NULL
      );
      CREATE INDEX audit_of_trace ON audit (trace_id, seq) WHERE trace_id IS NOT NULL;
      CREATE INDEX audit_of_action ON audit (action, seq);

      CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL, person TEXT NOT NULL);
    `,
  },
  {
    version: 8,
    what: "how long each mirrored file was left, so that what others wrote into it is noticed",
    sql: "ALTER TABLE transcripts ADD COLUMN mirrored_size INTEGER;",
  },
  {
    version: 9,
    what: "a turn writes less: fewer indexes that change with every turn, no counters of rows that are never deleted",
    sql: `
      DROP INDEX sessions_recent;
      DROP INDEX sessions_by_agent;
      DROP INDEX sessions_listed;
      DROP INDEX sessions_by_tokens;
      CREATE INDEX sessions_listed ON sessions (updated_at DESC, agent_id, kind, channel, tokens)
        WHERE hidden = 0 AND kind <> 'global' AND kind <> 'unknown';
      CREATE INDEX sessions_unlisted ON sessions (updated_at DESC, agent_id, hidden, kind, channel)
        WHERE hidden <> 0 OR kind = 'global' OR kind = 'unknown';

      DROP INDEX transcripts_behind;
      UPDATE transcripts SET mirrored_seq = -1 WHERE mirrored_seq <> last_seq;
      ALTER TABLE transcripts DROP COLUMN last_seq;
      CREATE INDEX transcripts_behind ON transcripts (id) WHERE mirrored_seq = -1 OR mirrored_file IS NOT file;

      INSERT INTO ledger_values (key, value)
        SELECT 'first-open-run', coalesce((SELECT min(id) FROM inbox WHERE state < 2), (SELECT max(id) + 1 FROM inbox), 0);
      DROP INDEX inbox_unfinished;
      DROP INDEX inbox_by_agent;
      CREATE INDEX inbox_of_other_agents ON inbox (agent_id, id) WHERE agent_id <> 'main';

      DROP INDEX usage_by_time;
      ALTER TABLE usage RENAME TO usage_before;
      CREATE TABLE usage (
        id INTEGER PRIMARY KEY, at INTEGER NOT NULL, agent_id TEXT NOT NULL, session_key TEXT NOT NULL,
        run_id TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL,
        input INTEGER NOT NULL, output INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL,
        input_cost REAL, output_cost REAL, cache_read_cost REAL, cache_write_cost REAL,
        channel TEXT NOT NULL DEFAULT '', person TEXT NOT NULL DEFAULT '', job TEXT NOT NULL DEFAULT ''
      );
      INSERT INTO usage SELECT at * 1024 + row_number() OVER (PARTITION BY at ORDER BY rowid) - 1, * FROM usage_before;
      DROP TABLE usage_before;

      DROP INDEX audit_of_action;
      CREATE INDEX audit_of_rare_action ON audit (action, seq) WHERE action NOT IN ('model', 'delivery');
      DROP INDEX audit_of_trace;
      CREATE INDEX audit_of_trace ON audit (substr(trace_id, -8), action);

      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, ' AUTOINCREMENT', '')
        WHERE type = 'table' AND name IN ('inbox', 'entries');
      PRAGMA writable_schema = RESET;
      DELETE FROM sqlite_sequence WHERE name IN ('inbox', 'entries');
    `,
  },
];

export const NEWEST_VERSION = MIGRATIONS.at(-1)?.version ?? 0;
