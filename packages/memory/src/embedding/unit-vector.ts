// Gives a vector the length 1, in place.

/**
 * What has no direction gets one, the same for all: a text of nothing is like other texts of nothing. Throws a RangeError
 * for what is not made of numbers.
 */
export function toUnitLength(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  if (!Number.isFinite(square)) throw new RangeError("the vector is not made of numbers");
  if (square === 0) vector[0] = square = 1;
  const length = Math.sqrt(square);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}
