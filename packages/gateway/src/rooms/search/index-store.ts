// The index on disk: which words are in which entry of the ledger. It can be thrown away and made again at any time.
import { closeSync, openSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { GatewayError } from "@chela/sdk";
import { integer, rowReader, text, type StoredRow } from "@chela/sdk/rows";

export interface IndexedEntry {
  readonly seq: number;
  readonly at: number;
  readonly words: string;
  readonly tags: string;
}

/** The last entry of the ledger that was looked at. */
export interface IndexMark {
  readonly seq: number;
  readonly entryId: string;
}

export interface FindOptions {
  readonly expression: string;
  /** Only entries before this one. */
  readonly below: number;
  readonly limit: number;
  readonly after?: number;
  readonly before?: number;
}

/** Another shape or another way to cut words: the index is made anew. */
const VERSION = 1;
/** CORRUPT and NOTADB. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

const readMark: (row: StoredRow) => IndexMark = rowReader(
  { table: "mark", named: "seq" },
  { seq: integer("seq"), entryId: text("entry_id") },
);

/**
 * Words only, no texts: those stay in the ledger. Beginnings of two and three letters have lists of their own, because
 * a person who types asks for them again and again. Parts are merged seldom: that takes longer than a step should.
 */
const SHAPE = `
  CREATE TABLE mark (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, entry_id TEXT NOT NULL);
  INSERT INTO mark VALUES (1, 0, '');
  CREATE TABLE times (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL);
  CREATE VIRTUAL TABLE said USING fts5 (words, tags, content = '', columnsize = 0, prefix = '2 3',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M*'");
  INSERT INTO said (said, rank) VALUES ('automerge', 16), ('crisismerge', 64);
  PRAGMA user_version = ${VERSION};`;

export class IndexStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Opens the index; one that is missing, damaged or of another shape is made anew. */
  static open(path: string): IndexStore {
    try {
      const database = openFile(path);
      if (database) return new IndexStore(database);
    } catch (error) {
      if (!isDamage(error)) throw unavailable(error);
    }
    return IndexStore.anew(path);
  }

  static anew(path: string): IndexStore {
    try {
      for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
      const database = openFile(path);
      if (database) return new IndexStore(database);
    } catch (error) {
      throw unavailable(error);
    }
    throw unavailable("a new file has another shape");
  }

  get mark(): IndexMark {
    const row = this.#statement("SELECT seq, entry_id FROM mark").get();
    return row ? readMark(row) : { seq: 0, entryId: "" };
  }

  /** All of them and the mark together, or nothing. */
  add(entries: readonly IndexedEntry[], mark: IndexMark): void {
    this.#database.exec("BEGIN");
    try {
      for (const { seq, at, words, tags } of entries) {
        this.#statement("INSERT INTO said (rowid, words, tags) VALUES (?, ?, ?)").run(seq, words, tags);
        this.#statement("INSERT INTO times VALUES (?, ?)").run(seq, at);
      }
      this.#statement("UPDATE mark SET seq = ?, entry_id = ?").run(mark.seq, mark.entryId);
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Numbers of entries, the newest first. */
  find({ expression, below, limit, after, before }: FindOptions): number[] {
    const isTimed = after !== undefined || before !== undefined;
    const timed = "AND EXISTS (SELECT 1 FROM times WHERE seq = said.rowid AND at >= ? AND at < ?)";
    const rows = this.#statement(
      `SELECT rowid AS seq FROM said WHERE said MATCH ? AND rowid < ? ${isTimed ? timed : ""} ORDER BY rowid DESC LIMIT ?`,
    ).all(expression, below, ...(isTimed ? [after ?? 0, before ?? Number.MAX_SAFE_INTEGER] : []), limit);
    return rows.map(({ seq }) => Number(seq));
  }

  close(): void {
    this.#database.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

export function isDamage(error: unknown): boolean {
  if (GatewayError.is(error)) return error.code === "STORE_ROW";
  const code = typeof error === "object" && error && "errcode" in error ? Number(error.errcode) : 0;
  return DAMAGED.has(code & 0xff);
}

/** Undefined when it has another shape. */
function openFile(path: string): DatabaseSync | undefined {
  // SQLite would make it readable for everybody.
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 1000 });
  try {
    // Pages are kept by the system anyway: SQLite's own two megabytes of them would be there twice.
    database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -500;",
    );
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version === 0) database.exec(`BEGIN; ${SHAPE}; COMMIT;`);
    if (version === 0 || version === VERSION) return database;
    database.close();
    return undefined;
  } catch (error) {
    database.close();
    throw error;
  }
}

function unavailable(error: unknown): GatewayError {
  return new GatewayError("SEARCH_UNAVAILABLE", error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
