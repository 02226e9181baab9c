// The model's files for tests that need the real ones.
import { findModelFiles, type ModelFiles } from "./model-files.ts";

export function realModelFiles(): ModelFiles {
  const files = findModelFiles();
  if (!files) throw new Error("packages/memory-model/assets is empty: npm run build fills it");
  return files;
}

export function cosine(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (!one || !other || one.length !== other.length) throw new Error("two vectors of one length are needed");
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}
