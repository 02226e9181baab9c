// Reads another index of an agent's notes, as OpenClaw writes it, into ours: chunks stay in use while their notes are the same.
import { DatabaseSync } from "node:sqlite";
import { isObject, parseJson } from "@chela/sdk/base";
import { readForeignVectors } from "../../vectors/foreign.ts";
import { fromStored, toBytes, toUnitLength } from "../spaces/vector-bytes.ts";
import type { Store } from "./opened-store.ts";
import { wordsToFind } from "../search/words-to-find.ts";

export interface Imported {
  readonly files: number;
  readonly chunks: number;
  readonly vectors: number;
}

/** Whose vectors they are, as far as the index says. */
interface Maker {
  readonly provider: string;
  readonly model: string;
  readonly providerKey: string;
}

/** Says whose vectors came with an index: the first embedder of the same model takes them for its own. */
export const IMPORTED_MAKER_KEY = "imported_maker";
const MOST_CACHED = 50_000;

/** What is in `store` already stays as it is; `fromPath` is only read. Conversations are not taken: the ledger has them. */
export function importIndex(store: Store, fromPath: string): Imported {
  const from = new DatabaseSync(fromPath, { readOnly: true });
  try {
    return store.transaction(() => copy(store, from));
  } finally {
    from.close();
  }
}

function copy(store: Store, from: DatabaseSync): Imported {
  const tables = new Set(
    from
      .prepare("SELECT name FROM sqlite_schema")
      .all()
      .map(({ name }) => String(name)),
  );
  if (!tables.has("files") || !tables.has("chunks")) return { files: 0, chunks: 0, vectors: 0 };
  const maker = tables.has("meta") ? readMaker(from) : undefined;
  const paths = copyFiles(store, from);
  const hashes = copyChunks(store, from, paths);
  let vectors = 0;
  for (const { chunkId, vector, model } of readForeignVectors(from)) {
    const hash = hashes.get(chunkId);
    if (hash === undefined || !maker || (model !== undefined && model !== maker.model)) continue;
    if (keepVector(store, maker, hash, vector, 0)) vectors++;
  }
  if (tables.has("embedding_cache")) copyCache(store, from);
  if (maker && vectors > 0) store.setMeta(IMPORTED_MAKER_KEY, JSON.stringify(maker));
  return { files: paths.size, chunks: hashes.size, vectors };
}

function copyFiles(store: Store, from: DatabaseSync): Set<string> {
  const paths = new Set<string>();
  for (const { path, source = "memory", hash, mtime, size } of from.prepare("SELECT * FROM files").iterate()) {
    if (source !== "memory" || typeof path !== "string" || typeof hash !== "string") continue;
    const { changes } = store
      .statement("INSERT OR IGNORE INTO files (path, hash, mtime, size) VALUES (?, ?, ?, ?)")
      .run(path, hash, Math.floor(Number(mtime) || 0), Number(size) || 0);
    if (changes > 0) paths.add(path);
  }
  return paths;
}

/** The hash of each chunk, by its id. */
function copyChunks(store: Store, from: DatabaseSync, paths: ReadonlySet<string>): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const row of from.prepare("SELECT * FROM chunks").iterate()) {
    const { id, path, start_line: start, end_line: end, hash, text, updated_at: at } = row;
    if (typeof id !== "string" || typeof path !== "string" || typeof hash !== "string" || typeof text !== "string")
      continue;
    if (!paths.has(path) || hashes.has(id)) continue;
    const lines = [Number(start) || 1, Number(end) || 1] as const;
    const { lastInsertRowid, changes } = store
      .statement(
        "INSERT OR IGNORE INTO chunks (id, path, start_line, end_line, hash, text, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run(id, path, ...lines, hash, text, Number(at) || 0);
    if (changes === 0) continue;
    store
      .statement("INSERT INTO chunks_fts (rowid, text) VALUES (?, ?)")
      .run(lastInsertRowid, wordsToFind({ path, source: "memory", headings: "", text }));
    hashes.set(id, hash);
  }
  return hashes;
}

function copyCache(store: Store, from: DatabaseSync): void {
  const rows = from.prepare("SELECT * FROM embedding_cache ORDER BY updated_at DESC LIMIT ?").iterate(MOST_CACHED);
  for (const { provider, model, provider_key: providerKey, hash, embedding, updated_at: at } of rows) {
    const vector = fromStored(embedding);
    if (!vector) continue;
    const maker = { provider: String(provider), model: String(model), providerKey: String(providerKey) };
    keepVector(store, maker, String(hash), vector, Number(at) || 0);
  }
}

function keepVector(store: Store, maker: Maker, hash: string, vector: Float32Array, at: number): boolean {
  const unit = toUnitLength(vector);
  if (!unit) return false;
  store
    .statement("INSERT OR IGNORE INTO embedding_cache VALUES (?, ?, ?, ?, ?, ?, ?)")
    .run(maker.provider, maker.model, maker.providerKey, hash, toBytes(unit), unit.length, at);
  return true;
}

/** OpenClaw writes it as JSON under a key whose name has a version. */
function readMaker(from: DatabaseSync): Maker | undefined {
  for (const { value } of from.prepare("SELECT value FROM meta").all()) {
    const maker = parseJson(String(value));
    // Another key may have something else in it.
    if (!isObject(maker)) continue;
    const { provider, model, providerKey } = maker;
    if (typeof provider !== "string" || typeof model !== "string") continue;
    return { provider, model, providerKey: typeof providerKey === "string" ? providerKey : "" };
  }
  return undefined;
}
