// JSON with names in it that every object already has, put wherever an object stands.
import { expect } from "vitest";

export const RESERVED = ["__proto__", "constructor", "prototype"] as const;
/** What whoever is polluted by it would have. */
const SPOILS = { polluted: true, scopes: ["operator.admin"], isOwner: true, enabled: true, allowFrom: ["*"], ok: true };

/**
 * One text for each object in `value` and each reserved name: the same JSON, with that name in that object. An object
 * literal could not hold `__proto__`, so it is put into the text.
 */
export function poisonAll(value: unknown): string[] {
  return placesIn(value).flatMap((place) => RESERVED.map((name) => poisonAt(value, place, name)));
}

/** Every object of it at once. */
export function poisonEverywhere(value: unknown, name: string): string {
  return JSON.stringify(value, (_, part: unknown) => (isObject(part) ? { [MARK]: 1, ...part } : part)).replaceAll(
    `"${MARK}":1`,
    () => poisonOf(name),
  );
}

const MARK = "\u0001poison\u0001".replaceAll("\u0001", "@@");

const poisonOf = (name: string): string => {
  const spoils = JSON.stringify(SPOILS);
  return name === "constructor" ? `"constructor":{"prototype":${spoils}}` : `"${name}":${spoils}`;
};

type Place = ReadonlyArray<string | number>;

function placesIn(value: unknown, at: Place = []): Place[] {
  if (Array.isArray(value)) return value.flatMap((part, index) => placesIn(part, [...at, index]));
  if (!isObject(value)) return [];
  return [at, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...at, key]))];
}

function poisonAt(value: unknown, place: Place, name: string): string {
  return JSON.stringify(withMark(value, place)).replace(`"${MARK}":1`, () => poisonOf(name));
}

function withMark(value: unknown, [next, ...rest]: Place): unknown {
  if (next === undefined) return { [MARK]: 1, ...(value as object) };
  if (Array.isArray(value)) return value.map((part: unknown, index) => (index === next ? withMark(part, rest) : part));
  const object = value as Record<string, unknown>;
  return { ...object, [next]: withMark(object[next], rest) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const BASES: ReadonlyArray<readonly [string, object]> = [
  ["Object", Object.prototype],
  ["Array", Array.prototype],
  ["Function", Function.prototype],
  ["String", String.prototype],
  ["Map", Map.prototype],
  ["Promise", Promise.prototype],
];
const pictureOf = (): Record<string, string[]> =>
  Object.fromEntries(BASES.map(([name, base]) => [name, Reflect.ownKeys(base).map(String).toSorted()]));
const BEFORE = pictureOf();

/** What all objects have in common is as it was when this was loaded. */
export function expectNoPollution(): void {
  expect(pictureOf()).toEqual(BEFORE);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}
