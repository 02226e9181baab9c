// Reads the vectors of an index that OpenClaw made, also those sqlite-vec keeps, without its extension.
import type { DatabaseSync } from "node:sqlite";

export interface ForeignVector {
  readonly chunkId: string;
  readonly vector: Float32Array;
  readonly model?: string;
}

const NUMBER_BYTES = 4;
/** The tables behind the virtual table `chunks_vec`: ordinary ones, which anybody can read. */
const EXTENSION_TABLES = ["chunks_vec_chunks", "chunks_vec_rowids", "chunks_vec_vector_chunks00"];

/** One for each chunk that has a vector; what cannot be read is passed over, as it can be embedded again. */
export function* readForeignVectors(db: DatabaseSync): Iterable<ForeignVector> {
  if (!hasTables(db, ["chunks"])) return;
  const given = new Set<string>();
  for (const one of readChunks(db)) {
    given.add(one.chunkId);
    yield one;
  }
  if (!hasTables(db, EXTENSION_TABLES)) return;
  for (const one of readExtensionTables(db)) if (!given.has(one.chunkId)) yield one;
}

function hasTables(db: DatabaseSync, names: readonly string[]): boolean {
  const find = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  return names.every((name) => find.get(name) !== undefined);
}

function* readChunks(db: DatabaseSync): Iterable<ForeignVector> {
  for (const { id, model, embedding } of db.prepare("SELECT id, model, embedding FROM chunks").iterate()) {
    const vector = typeof embedding === "string" ? parseVector(embedding) : undefined;
    if (vector) yield toForeign(id, vector, model);
  }
}

function parseVector(text: string): Float32Array | undefined {
  try {
    const numbers: unknown = JSON.parse(text);
    if (!Array.isArray(numbers) || !numbers.every((number) => typeof number === "number")) return undefined;
    return usable(Float32Array.from(numbers));
  } catch {
    // Half a text, say: what the extension keeps may still be whole.
    return undefined;
  }
}

/**
 * A vector is found by the number of its chunk of vectors and its place in there. Chunks of vectors have a fixed number
 * of places, so their size tells the dimensions.
 */
function* readExtensionTables(db: DatabaseSync): Iterable<ForeignVector> {
  const places = db.prepare(`SELECT chunks.id, chunks.model, places.chunk_id AS block, places.chunk_offset AS place
    FROM chunks_vec_rowids AS places JOIN chunks ON chunks.id = places.id
    ORDER BY places.chunk_id, places.chunk_offset`);
  const blocks = db.prepare(`SELECT blocks.size, vectors.vectors
    FROM chunks_vec_chunks AS blocks JOIN chunks_vec_vector_chunks00 AS vectors ON vectors.rowid = blocks.chunk_id
    WHERE blocks.chunk_id = ?`);
  let current: { readonly block: number; readonly vectorAt: (place: number) => Float32Array | undefined } | undefined;
  for (const { id, model, block, place } of places.iterate()) {
    if (typeof block !== "number" || typeof place !== "number") continue;
    if (current?.block !== block) current = { block, vectorAt: openBlock(blocks.get(block)) };
    const vector = current.vectorAt(place);
    if (vector) yield toForeign(id, vector, model);
  }
}

function openBlock(row: Record<string, unknown> | undefined): (place: number) => Float32Array | undefined {
  const vectors = row?.["vectors"];
  const size = Number(row?.["size"]);
  if (!(vectors instanceof Uint8Array)) return () => undefined;
  const bytes = vectors.length / size;
  if (!Number.isInteger(bytes / NUMBER_BYTES)) return () => undefined;
  return (place) =>
    place >= 0 && place < size
      ? usable(new Float32Array(vectors.slice(place * bytes, (place + 1) * bytes).buffer))
      : undefined;
}

function usable(vector: Float32Array): Float32Array | undefined {
  return vector.every(Number.isFinite) && vector.some((value) => value !== 0) ? vector : undefined;
}

function toForeign(id: unknown, vector: Float32Array, model: unknown): ForeignVector {
  return { chunkId: String(id), vector, ...(typeof model === "string" && model !== "" ? { model } : {}) };
}
