// Finds the files of the model that comes with Chela, if the package that brings it is installed.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { findPackage } from "./find-package.ts";

export interface ModelFiles {
  readonly model: string;
  readonly vocabulary: string;
  readonly wordTable: string;
  readonly runtime: string;
}

export const MODEL_PACKAGE = "@chela/memory-model";

export const NO_MODEL = `the package ${MODEL_PACKAGE} is not installed, or not all of it; install it beside chela to search by meaning`;

export function findModelFiles(): ModelFiles | undefined {
  const main = findPackage(MODEL_PACKAGE);
  if (main === undefined) return undefined;
  const { files } = createRequire(import.meta.url)(main) as { readonly files: ModelFiles };
  return Object.values(files).every((path) => existsSync(path)) ? files : undefined;
}
