// The tables of an index: those OpenClaw has, under the same names, and what we need beside them.

/** Another shape, or another way to cut words: the index is made anew. */
export const SHAPE_VERSION = "1";
export const VERSION_KEY = "chela_shape";

/**
 * Words only in chunks_fts, cut and folded by us, with the numbers of their chunks; the texts are in chunks. Vectors are
 * in embedding_cache, by what was embedded: a chunk that moves keeps its vector, and `chunks.embedding` stays empty.
 * A number is never given again, so that nobody takes one chunk for another.
 */
export const SHAPE = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE files (
    path TEXT PRIMARY KEY,
    source TEXT NOT NULL DEFAULT 'memory',
    hash TEXT NOT NULL,
    mtime INTEGER NOT NULL,
    size INTEGER NOT NULL,
    note TEXT NOT NULL DEFAULT ''
  );
  CREATE TABLE chunks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT 'memory',
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    hash TEXT NOT NULL,
    model TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL,
    embedding TEXT NOT NULL DEFAULT '',
    updated_at INTEGER NOT NULL,
    headings TEXT NOT NULL DEFAULT ''
  );
  CREATE INDEX chunks_by_path ON chunks (path, start_line);
  CREATE INDEX chunks_by_hash ON chunks (hash);
  CREATE VIRTUAL TABLE chunks_fts USING fts5 (
    text, id UNINDEXED, path UNINDEXED, source UNINDEXED, model UNINDEXED, start_line UNINDEXED, end_line UNINDEXED,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M*'"
  );
  CREATE VIRTUAL TABLE chunks_words USING fts5vocab (chunks_fts, row);
  CREATE TABLE said (
    number INTEGER PRIMARY KEY,
    session_key TEXT NOT NULL,
    session_id TEXT NOT NULL,
    entries TEXT NOT NULL,
    at INTEGER NOT NULL
  );
  CREATE INDEX said_by_session ON said (session_key);
  CREATE TABLE embedding_cache (
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    provider_key TEXT NOT NULL,
    hash TEXT NOT NULL,
    embedding TEXT NOT NULL,
    dims INTEGER,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (provider, model, provider_key, hash)
  );
  CREATE INDEX embedding_cache_by_hash ON embedding_cache (hash);
  INSERT INTO meta VALUES ('${VERSION_KEY}', '${SHAPE_VERSION}');`;
