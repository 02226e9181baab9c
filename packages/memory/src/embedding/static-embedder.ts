// Vectors at once, without running a model: the weighted mean of the vectors its words have in the model's own table.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { GatewayError } from "@chela/sdk";
import type { Embedder } from "../embedder.ts";
import { findModelFiles, type ModelFiles } from "./model-files.ts";
import { toUnitLength } from "./unit-vector.ts";
import { UNKNOWN_PIECE, WordPieces } from "./word-pieces.ts";

interface Table {
  readonly pieces: WordPieces;
  readonly columns: number;
  /** A byte for each number. */
  readonly rows: Uint8Array;
  /** How much a piece says, by its id. */
  readonly weights: Float32Array;
  /** What all vectors have in common, and what therefore says nothing. */
  readonly center: Float32Array;
}

/** The first whole words of the vocabulary; from here on it is sorted by how often they occur. */
const FIRST_WORD = 1996;
/** How often characters and marks occur, which stand before the words. */
const MARK_FREQUENCY = 0.02;
/** Words that are more frequent than this say little. */
const RARE = 2e-4;
const MOST_CHARS = 20_000;
/** Texts between two breaths of the process. */
const AT_ONCE = 32;

/** Undefined where the model's package is not installed. What it holds, 12 MB, is read with the first text. */
export function createStaticEmbedder(files = findModelFiles()): Embedder | undefined {
  if (!files) return undefined;
  let table: Table | undefined;
  return {
    provider: "static",
    model: "all-MiniLM-L6-v2-words",
    providerKey: "",
    languages: "en",
    async embed(texts, _purpose, signal) {
      const open = (table ??= readTable(files));
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (vectors.length % AT_ONCE === AT_ONCE - 1) await setImmediate();
        signal?.throwIfAborted();
        vectors.push(vectorOf(text, open));
      }
      return vectors;
    },
    async unload() {
      table = undefined;
    },
  };
}

function vectorOf(text: string, { pieces, columns, rows, weights, center }: Table): Float32Array {
  const ids = pieces.cut(text.slice(0, MOST_CHARS));
  if (ids.length === 0) ids.push(UNKNOWN_PIECE);
  const vector = new Float32Array(columns);
  let total = 0;
  for (const id of ids) {
    const weight = weights[id] ?? 0;
    const start = id * columns;
    for (let at = 0; at < columns; at++) vector[at] = (vector[at] ?? 0) + weight * (rows[start + at] ?? 0);
    total += weight;
  }
  for (let at = 0; at < columns; at++) vector[at] = (vector[at] ?? 0) - total * (center[at] ?? 0);
  return toUnitLength(vector);
}

function readTable(files: ModelFiles): Table {
  try {
    const place = JSON.parse(readFileSync(files.wordTable, "utf8")) as {
      offset: number;
      rows: number;
      columns: number;
    };
    const rows = readBytes(files.model, place.offset, place.rows * place.columns);
    const frequencies = frequenciesOf(place.rows);
    return {
      pieces: new WordPieces(readFileSync(files.vocabulary, "utf8")),
      columns: place.columns,
      rows,
      weights: frequencies.map((frequency) => RARE / (RARE + frequency)),
      center: centerOf(rows, place.columns, frequencies),
    };
  } catch (error) {
    throw new GatewayError("MEMORY_EMBEDDING", "the table of words cannot be read", { cause: error });
  }
}

function readBytes(path: string, offset: number, length: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const count = readSync(file, bytes, done, length - done, offset + done);
      if (count === 0) throw new Error("the model ends early");
      done += count;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Of words by their rank, as Zipf found: the second is half as frequent as the first. */
function frequenciesOf(count: number): Float32Array {
  const frequencies = new Float32Array(count).fill(MARK_FREQUENCY);
  const harmonic = Math.log(count) + 0.577;
  for (let id = FIRST_WORD; id < count; id++) frequencies[id] = 1 / (harmonic * (id - FIRST_WORD + 1));
  return frequencies;
}

/** The mean of all words, by how often they occur. */
function centerOf(rows: Uint8Array, columns: number, frequencies: Float32Array): Float32Array {
  const center = new Float64Array(columns);
  let total = 0;
  for (let id = FIRST_WORD; id < frequencies.length; id++) {
    const weight = frequencies[id] ?? 0;
    const start = id * columns;
    for (let at = 0; at < columns; at++) center[at] = (center[at] ?? 0) + weight * (rows[start + at] ?? 0);
    total += weight;
  }
  return Float32Array.from(center, (value) => value / total);
}
