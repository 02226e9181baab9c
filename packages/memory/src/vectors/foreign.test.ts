// Vectors of an index that OpenClaw and sqlite-vec made: fixtures/make-openclaw-index.mjs says what is in it.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readForeignVectors } from "./foreign.ts";

const FIXTURE = join(import.meta.dirname, "fixtures/openclaw-index.sqlite");

let folder: string;
let db: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chela-foreign-"));
  const path = join(folder, "main.sqlite");
  copyFileSync(FIXTURE, path);
  db = new DatabaseSync(path, { defensive: false });
});

afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const readAll = () => new Map(Array.from(readForeignVectors(db), (one) => [one.chunkId, one]));

it("reads every chunk once, from its text or else from what the extension keeps", () => {
  const vectors = readAll();
  expect(vectors.size).toBe(1028);
  expect([...readForeignVectors(db)]).toHaveLength(1028);
  for (const [id, { vector }] of vectors) {
    const at = Number(id.slice(1));
    const isInText = at % 4 === 2;
    expect([...vector], id).toEqual([at, 1, isInText ? 0 : 1, 0.5]);
  }
});

it("names the model where the index does", () => {
  const vectors = readAll();
  expect(vectors.get("c2")?.model).toBe("model-a");
  expect(vectors.get("c3")).not.toHaveProperty("model");
});

it.for(["c7", "c8", "without"])("leaves out %s, which has no vector or no text", (id) => {
  expect(readAll().has(id)).toBe(false);
});

it("reads the text alone when the extension never kept anything", () => {
  db.exec("DROP TABLE chunks_vec_vector_chunks00");
  expect([...readAll().values()].every(({ vector }) => vector[2] === 0)).toBe(true);
  expect(readAll().size).toBe(258);
});

it.for([
  ["a piece cut short", "UPDATE chunks_vec_vector_chunks00 SET vectors = substr(vectors, 1, 1001) WHERE rowid = 1"],
  ["a piece that is text", "UPDATE chunks_vec_vector_chunks00 SET vectors = 'tea' WHERE rowid = 1"],
  ["a piece that is gone", "DELETE FROM chunks_vec_vector_chunks00 WHERE rowid = 1"],
  ["a piece of no places", "UPDATE chunks_vec_chunks SET size = 0 WHERE chunk_id = 1"],
])("passes over %s and reads the others", ([, damage = ""]) => {
  db.exec(damage);
  const vectors = readAll();
  expect(vectors.has("c1")).toBe(false);
  expect(vectors.has("c2")).toBe(true);
  expect([...(vectors.get("c1029")?.vector ?? [])]).toEqual([1029, 1, 1, 0.5]);
});

it.for([
  ["no number", "UPDATE chunks SET embedding = '[1, \"x\", 0, 0]' WHERE id = 'c2'"],
  ["only zeros", "UPDATE chunks SET embedding = '[0, 0, 0, 0]' WHERE id = 'c2'"],
  ["a number that is too large", "UPDATE chunks SET embedding = '[1e99, 0, 0, 0]' WHERE id = 'c2'"],
  ["an object", "UPDATE chunks SET embedding = '{}' WHERE id = 'c2'"],
])("takes what the extension keeps when the text has %s", ([, damage = ""]) => {
  db.exec(damage);
  expect([...(readAll().get("c2")?.vector ?? [])]).toEqual([2, 1, 1, 0.5]);
});

it("finds nothing in a database of somebody else", () => {
  using other = new DatabaseSync(":memory:");
  expect([...readForeignVectors(other)]).toEqual([]);
});
