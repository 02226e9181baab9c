// Vectors as the scan wants them: rows of bytes with a scale, questions of 16 bits.
import { GatewayError } from "@chela/sdk";

/** `bytes` times `scale` is about the vector at length 1. */
export interface QuantisedRow {
  readonly bytes: Int8Array;
  readonly scale: number;
}

export interface Query {
  readonly numbers: Int16Array;
  /** What a score of the scan is multiplied with to be about the cosine. */
  readonly unit: number;
  /** Length 1. */
  readonly vector: Float32Array;
}

/** How much room vectors of one space take. */
export interface Shape {
  readonly dimensions: number;
  /** Bytes of a row: the scan reads 16 at once. */
  readonly width: number;
  /** Of 64 bits each, for the signs of a row: the scan reads two at once. */
  readonly words: number;
}

const LARGEST_BYTE = 127;
const LARGEST_SHORT = 32_767;
/** The scan adds products up in 32 bits; rounding may add a half to each number of the question. */
const LARGEST_SUM = 2 ** 31 - 1;

export function shapeOf(dimensions: number): Shape {
  return { dimensions, width: Math.ceil(dimensions / 16) * 16, words: Math.ceil(dimensions / 128) * 2 };
}

export function toRow(vector: Float32Array, { dimensions, width }: Shape): QuantisedRow {
  const { length, largest } = measureVector(vector, dimensions);
  const factor = LARGEST_BYTE / largest;
  const bytes = new Int8Array(width);
  for (let at = 0; at < dimensions; at++) bytes[at] = Math.round((vector[at] ?? 0) * factor);
  return { bytes, scale: 1 / factor / length };
}

/** Finer than rows are, as it costs nothing: only the rows lose precision then. */
export function toQuery(given: Float32Array, { dimensions, width }: Shape): Query {
  const { length, largest, total } = measureVector(given, dimensions);
  const factor = Math.min(LARGEST_SHORT / largest, (LARGEST_SUM / LARGEST_BYTE - width / 2) / total);
  const numbers = new Int16Array(width);
  for (let at = 0; at < dimensions; at++) numbers[at] = Math.round((given[at] ?? 0) * factor);
  return { numbers, unit: 1 / (factor * length), vector: given.map((value) => value / length) };
}

/** `unit` has length 1, the other may have any. */
export function cosine(unit: Float32Array, other: Float32Array): number {
  let product = 0;
  let squares = 0;
  for (let at = 0; at < unit.length; at++) {
    const value = other[at] ?? 0;
    product += (unit[at] ?? 0) * value;
    squares += value * value;
  }
  return squares > 0 ? product / Math.sqrt(squares) : 0;
}

interface Measures {
  readonly length: number;
  /** Of its numbers, without signs. */
  readonly largest: number;
  readonly total: number;
}

/** A bit for each number that is below the center's. */
export function toSigns(vector: Float32Array, center: Float32Array, { dimensions, words }: Shape): Uint8Array {
  const signs = new Uint8Array(words * 8);
  for (let at = 0; at < dimensions; at++) {
    if ((vector[at] ?? 0) < (center[at] ?? 0)) signs[at >> 3] = (signs[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return signs;
}

/** Refuses what cannot be compared with other vectors. */
function measureVector(vector: Float32Array, dimensions: number): Measures {
  if (vector.length !== dimensions) {
    throw refusal(`a vector has ${vector.length} numbers where ${dimensions} are expected`);
  }
  let squares = 0;
  let largest = 0;
  let total = 0;
  for (const value of vector) {
    const size = Math.abs(value);
    squares += size * size;
    total += size;
    if (size > largest) largest = size;
  }
  if (!Number.isFinite(squares)) throw refusal("a vector has a number that is not finite");
  if (squares === 0) throw refusal("a vector has no direction: all its numbers are 0");
  return { length: Math.sqrt(squares), largest, total };
}

function refusal(detail: string): GatewayError {
  return new GatewayError("MEMORY_EMBEDDING", detail);
}
