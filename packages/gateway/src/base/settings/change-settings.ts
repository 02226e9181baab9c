// Says what changes a setting: as a command to paste, and as a repair that keeps whoever is named.
import type { SecurityRepair } from "@chela/sdk";
import { writtenWithoutEverybody } from "./read-settings.ts";

/** Safe to paste into a shell. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function setCommand(place: string, value: string): string {
  return `chela config set ${quoteWord(place)} ${value}`;
}

export function unsetCommand(place: string): string {
  return `chela config unset ${quoteWord(place)}`;
}

/** Only where the people who are named stay in. */
export function withoutWildcard(path: string, list: unknown): { readonly repair?: SecurityRepair } {
  const named = writtenWithoutEverybody(list);
  return named.length > 0 ? { repair: { kind: "config", path, value: named } } : {};
}
