// Reads a configuration of which nothing is taken for granted: own keys only, and what does not fit is not there.
import type { Settings } from "@chela/sdk";

export type SettingPath = ReadonlyArray<string | number>;

const MAX_DEPTH = 40;

export function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at `a.b.c`; undefined when there is none. */
export function read(root: unknown, path: string): unknown {
  let value = root;
  for (const key of path.split(".")) {
    if (!isSettings(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

export function readBlock(root: unknown, path: string): Settings {
  const value = read(root, path);
  return isSettings(value) ? value : {};
}

export function readText(root: unknown, path: string): string | undefined {
  const value = read(root, path);
  return typeof value === "string" ? value : undefined;
}

/** Ids are written as texts and as numbers. */
export function readList(root: unknown, path: string): string[] {
  const value = read(root, path);
  return Array.isArray(value) ? value.flatMap((entry) => textOf(entry) ?? []) : [];
}

export function readItems(root: unknown, path: string): Settings[] {
  const value = read(root, path);
  return Array.isArray(value) ? value.map((entry) => (isSettings(entry) ? entry : {})) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : undefined;
}

export const EVERYBODY = "*";

export function isForEverybody(list: readonly string[]): boolean {
  return list.includes(EVERYBODY);
}

export function withoutEverybody(list: readonly string[]): string[] {
  return list.filter((entry) => entry !== EVERYBODY);
}

/** The same for a list as it is written: what is left stays as it was. */
export function writtenWithoutEverybody(list: unknown): unknown[] {
  return Array.isArray(list) ? list.filter((entry) => textOf(entry) !== EVERYBODY) : [];
}

/** As places are written for `chela config set`. */
export function formatPlace(place: SettingPath): string {
  let text = "";
  for (const key of place) {
    if (typeof key === "number") text += `[${key}]`;
    else if (/^[^.[\]"'\s]+$/.test(key)) text += text ? `.${key}` : key;
    else text += `[${JSON.stringify(key)}]`;
  }
  return text;
}

/** Calls back for every key at any depth; a configuration that is nested without end is left at some point. */
export function eachKey(
  value: unknown,
  found: (key: string, value: unknown, place: SettingPath) => void,
  at: SettingPath = [],
): void {
  if (at.length > MAX_DEPTH) return;
  if (Array.isArray(value)) value.forEach((entry, index) => eachKey(entry, found, [...at, index]));
  else if (isSettings(value)) {
    for (const [key, entry] of Object.entries(value)) {
      found(key, entry, [...at, key]);
      eachKey(entry, found, [...at, key]);
    }
  }
}
