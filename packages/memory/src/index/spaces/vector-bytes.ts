// Vectors as they lie in the file: four bytes for each number. Older files have them as JSON, which is read, too.

export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Undefined when it is neither. */
export function fromStored(stored: unknown): Float32Array | undefined {
  if (stored instanceof Uint8Array) return fromBytes(stored);
  if (typeof stored !== "string" || !stored.startsWith("[")) return undefined;
  try {
    const numbers: unknown = JSON.parse(stored);
    return Array.isArray(numbers) && numbers.length > 0 ? Float32Array.from(numbers, Number) : undefined;
  } catch {
    return undefined;
  }
}

/** Of length 1, as vectors are compared; undefined when it has no direction. */
export function toUnitLength(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const number of vector) squares += number * number;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return undefined;
  return Math.abs(length - 1) < 1e-6 ? vector : vector.map((number) => number / length);
}

function fromBytes(bytes: Uint8Array): Float32Array | undefined {
  if (bytes.byteLength === 0 || bytes.byteLength % 4 !== 0) return undefined;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
