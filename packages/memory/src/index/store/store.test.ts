// The file: taken over from OpenClaw, set aside when it is damaged, and what is undone is undone.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { importIndex } from "./import-index.ts";
import { createTestEmbedder, openScene, settleVectors, type Scene, type SceneChange } from "../index.test-support.ts";
import { openStore, type Store } from "./store.ts";

const FIXTURE = join(import.meta.dirname, "../../vectors/fixtures/openclaw-index.sqlite");
const roots: string[] = [];
const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) {
    try {
      await one.close();
    } catch {
      // Closed by the test.
    }
  }
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});
function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "chela-memory-"));
  roots.push(root);
  return root;
}
function scene(change: SceneChange = {}, at?: Parameters<typeof openScene>[1]): Scene {
  const made = openScene(change, at);
  roots.push(made.root);
  opened.push(made);
  return made;
}
function open(path: string): Store {
  const store = openStore(path, () => {});
  opened.push(store);
  return store;
}
const keptOf = (path: string) => readdirSync(dirname(path)).filter((name) => name.includes(".damaged-"));

describe("A damaged file", () => {
  const DAMAGES: [string, (path: string) => void][] = [
    ["that was cut off", (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ["of garbage", (path) => writeFileSync(path, Buffer.alloc(20_000, "garbage "))],
    ["with a page of zeros", (path) => overwrite(path, 4096, Buffer.alloc(4096))],
    ["with an odd header", (path) => overwrite(path, 0, Buffer.from("SQLite format 4\0"))],
  ];
  it.each(DAMAGES)("%s is set aside and made anew, and notes are found again", async (_says, damage) => {
    const first = scene({ embedders: { main: createTestEmbedder() } });
    first.write(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`memory/${at}.md`, `note ${at} about tea`])));
    await first.settle();
    await first.close();
    damage(first.store.path);
    const next = scene({ embedders: { main: createTestEmbedder() } }, first);
    expect(next.store.damage).toEqual(expect.any(String));
    expect(keptOf(next.store.path)).toHaveLength(1);
    await next.settle();
    expect(await next.find("tea")).toHaveLength(6);
    expect(next.index.status().notes[0]).toMatch(/^The index was made anew, because it could not be used: /);
  });

  it("that is noticed while it is in use still answers or says so, and is made anew when it is opened again", async () => {
    const first = scene();
    first.write(
      Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`memory/${at}.md`, `note ${at} about tea`])),
    );
    await first.settle();
    first.store.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const { size } = statSync(first.store.path);
    overwrite(first.store.path, 8192, Buffer.alloc(size - 8192, 0x55));
    first.store.db.exec("PRAGMA shrink_memory; PRAGMA cache_size = 0");
    await first.index.search({ query: "tea" }).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "MEMORY_UNAVAILABLE" });
    });
    expect(await first.index.check(true)).toMatchObject([{ isRepaired: true }]);
    expect(first.index.isDamaged).toBe(true);
    await expect(first.index.search({ query: "tea" })).rejects.toMatchObject({ code: "MEMORY_UNAVAILABLE" });
    const next = await first.reopen();
    opened.push(next);
    await next.settle();
    expect(await next.find("tea")).toHaveLength(6);
    expect(existsSync(`${next.store.path}.is-damaged`)).toBe(false);
  });

  it("is kept, but not without end", () => {
    const path = join(makeRoot(), "main.sqlite");
    for (let round = 0; round < 6; round++) {
      writeFileSync(path, `garbage ${round} `.repeat(1000));
      open(path).close();
    }
    expect(keptOf(path).length).toBeLessThanOrEqual(3);
  });

  it("of another version is made anew", () => {
    const path = join(makeRoot(), "main.sqlite");
    const first = open(path);
    first.setMeta("chela_shape", "999");
    first.close();
    expect(open(path).damage).toBe("it was made by another version");
  });

  it("is not what a folder without rights or a folder in its place is", () => {
    const root = makeRoot();
    mkdirSync(join(root, "main.sqlite"));
    expect(() => openStore(join(root, "main.sqlite"), () => {})).toThrow(/Memory cannot be used/);
  });
});

describe("A transaction", () => {
  it("is all or nothing, and tells when it was nothing", () => {
    const store = open(join(makeRoot(), "main.sqlite"));
    let undone = 0;
    store.onUndone(() => undone++);
    const fail = () =>
      store.transaction(() => {
        store.setMeta("a", "1");
        store.transaction(() => store.setMeta("b", "2"));
        throw new Error("no");
      });
    expect(fail).toThrow("no");
    expect([store.meta("a"), store.meta("b"), undone]).toEqual([undefined, undefined, 1]);
    store.transaction(() => store.setMeta("a", "3"));
    expect(store.meta("a")).toBe("3");
    store.dropMeta("a");
    expect(store.meta("a")).toBeUndefined();
  });
});

describe("An index of OpenClaw", () => {
  const VECTOR = [0.6, 0.8, 0, 0];
  /** As it writes it: texts of notes, vectors as JSON, and whose they are. */
  function makeForeign(path: string, notes: Readonly<Record<string, string>>): void {
    mkdirSync(dirname(path), { recursive: true });
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
      CREATE TABLE files (path TEXT PRIMARY KEY, source TEXT NOT NULL DEFAULT 'memory', hash TEXT NOT NULL, mtime INTEGER NOT NULL, size INTEGER NOT NULL);
      CREATE TABLE chunks (id TEXT PRIMARY KEY, path TEXT NOT NULL, source TEXT NOT NULL DEFAULT 'memory', start_line INTEGER NOT NULL,
        end_line INTEGER NOT NULL, hash TEXT NOT NULL, model TEXT NOT NULL, text TEXT NOT NULL, embedding TEXT NOT NULL, updated_at INTEGER NOT NULL);
      CREATE VIRTUAL TABLE chunks_fts USING fts5 (text, id UNINDEXED, path UNINDEXED, source UNINDEXED, model UNINDEXED, start_line UNINDEXED, end_line UNINDEXED);
      CREATE TABLE embedding_cache (provider TEXT NOT NULL, model TEXT NOT NULL, provider_key TEXT NOT NULL, hash TEXT NOT NULL,
        embedding TEXT NOT NULL, dims INTEGER, updated_at INTEGER NOT NULL, PRIMARY KEY (provider, model, provider_key, hash));`);
    db.prepare("INSERT INTO meta VALUES (?, ?)").run(
      "memory_index_meta_v1",
      JSON.stringify({ provider: "test", model: "their-model", providerKey: "abc" }),
    );
    const embedding = JSON.stringify(VECTOR);
    for (const [name, text] of Object.entries({ ...notes, "sessions/s.jsonl": "said elsewhere" })) {
      const source = name.startsWith("sessions/") ? "sessions" : "memory";
      const hash = createHash("sha256").update(text).digest("hex");
      db.prepare("INSERT INTO files VALUES (?, ?, ?, ?, ?)").run(name, source, hash, 1234.5, text.length);
      db.prepare("INSERT INTO chunks VALUES (?, ?, ?, 1, 1, ?, 'their-model', ?, ?, 1)").run(
        `id-${name}`,
        name,
        source,
        hash,
        text,
        embedding,
      );
    }
    db.prepare("INSERT INTO embedding_cache VALUES ('test', 'their-model', 'abc', 'gone', ?, 4, 1)").run(embedding);
    db.close();
  }

  it("is taken over: chunks and vectors of notes that are the same stay, the rest is made again", async () => {
    const root = makeRoot();
    const path = join(root, "memory/main.sqlite");
    makeForeign(path, { "memory/same.md": "tea is green", "memory/changed.md": "old words", "memory/gone.md": "gone" });
    const main = { ...createTestEmbedder("their-model", 4), providerKey: "ours" };
    const clock = scene().clock;
    const next = scene({ embedders: { main } }, { root, clock });
    expect(existsSync(`${path}.openclaw`)).toBe(true);
    next.write({ "memory/same.md": "tea is green", "memory/changed.md": "new words" });
    expect(await next.find("green", { maxResults: 1 })).toEqual(["memory/same.md"]);
    expect(await next.index.sync(false)).toMatchObject({ changed: 1, removed: 1, chunks: 2 });
    await settleVectors(next.index);
    expect(next.index.status()).toMatchObject({ chunks: 2, vectors: 2, dimensions: 4, cache: { entries: 5 } });
    expect(next.store.db.prepare("SELECT id FROM chunks ORDER BY number").get()).toEqual({ id: "id-memory/same.md" });
    // The one that changed, and two queries.
    expect(main.embedded).toBeLessThanOrEqual(3);
    expect(await next.index.check(false)).toEqual([]);
  });

  it("with vectors of sqlite-vec is read without its extension", async () => {
    const root = makeRoot();
    const path = join(root, "memory/main.sqlite");
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(FIXTURE, path);
    const theirs = new DatabaseSync(path);
    theirs.exec(`CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
      CREATE TABLE files (path TEXT PRIMARY KEY, source TEXT, hash TEXT, mtime INTEGER, size INTEGER);
      INSERT INTO meta VALUES ('memory_index_meta_v1', '{"provider":"openai","model":"model-a"}');
      INSERT INTO files VALUES ('a.md', 'memory', 'x', 1, 1);
      UPDATE chunks SET hash = id`);
    theirs.close();
    const store = open(path);
    const count = (table: string) => store.db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"];
    // One of them was never embedded.
    expect([count("chunks"), count("embedding_cache")]).toEqual([1029, 1028]);
    expect(store.db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'chunks_vec%'").all()).toEqual([]);
  });

  it("in its older place is imported, and what is there already stays", () => {
    const root = makeRoot();
    const old = join(root, "agents/main/memory/memory.sqlite");
    makeForeign(old, { "memory/a.md": "imported words", "memory/b.md": "theirs" });
    const store = open(join(root, "memory/main.sqlite"));
    store.statement("INSERT INTO files (path, hash, mtime, size) VALUES ('memory/b.md', 'ours', 1, 1)").run();
    expect(importIndex(store, old)).toEqual({ files: 1, chunks: 1, vectors: 1 });
    expect(importIndex(store, old)).toEqual({ files: 0, chunks: 0, vectors: 0 });
    expect(store.db.prepare("SELECT hash FROM files WHERE path = 'memory/b.md'").get()).toEqual({ hash: "ours" });
  });

  it("whose take-over was killed between its two renames is there under its new name", () => {
    const path = join(makeRoot(), "main.sqlite");
    const made = open(path);
    made.setMeta("a", "kept");
    made.close();
    copyFileSync(path, `${path}.new`);
    rmSync(path);
    expect(open(path).meta("a")).toBe("kept");
  });
});

function overwrite(path: string, at: number, bytes: Buffer): void {
  writeSync(openSync(path, "r+"), bytes, 0, bytes.length, at);
}
