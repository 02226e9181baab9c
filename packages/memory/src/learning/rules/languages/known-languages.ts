// Rules of every language there are rules for: English comes along, others with the package of the model.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { findPackage } from "../../../embedding/find-package.ts";
import { MODEL_PACKAGE } from "../../../embedding/model-files.ts";
import type { Language } from "../pattern.ts";
import english from "./english.json" with { type: "json" };
import { readLanguage, type LanguageData } from "./read-language.ts";

export const LANGUAGES: readonly Language[] = [english as unknown as LanguageData, ...furtherLanguages()].map(
  readLanguage,
);

function furtherLanguages(): LanguageData[] {
  const main = findPackage(MODEL_PACKAGE);
  if (main === undefined) return [];
  const { rules } = createRequire(import.meta.url)(main) as { readonly rules?: readonly string[] };
  return (rules ?? []).map((path) => JSON.parse(readFileSync(path, "utf8")) as LanguageData);
}
