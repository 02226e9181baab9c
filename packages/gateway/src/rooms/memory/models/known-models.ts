// Models that can be installed beside the one that comes along: where their files are, how long, and their hashes.
import { statSync } from "node:fs";
import { join } from "node:path";
import known from "./known-models.json" with { type: "json" };

export interface ModelFile {
  readonly name: string;
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface KnownModel {
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  readonly source: string;
  readonly files: readonly ModelFile[];
}

export const KNOWN_MODELS: readonly KnownModel[] = known;

export function folderOfModel(stateDir: string, id: string): string {
  return join(stateDir, "memory", "models", id);
}

/** Its files have their names only after their hashes were right. */
export function isInstalled(stateDir: string, { id, files }: KnownModel): boolean {
  const folder = folderOfModel(stateDir, id);
  return files.every(({ name, bytes }) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === bytes);
}

/** The folder of the model for all languages, where the owner installed it. */
export function installedModel(stateDir: string): string | undefined {
  const model = KNOWN_MODELS.find((one) => isInstalled(stateDir, one));
  return model && folderOfModel(stateDir, model.id);
}
