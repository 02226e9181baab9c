// Places in a config: `agents.list[0].name`, written, read and compared.
import { GatewayError } from "@chela/sdk/errors";

export type Path = ReadonlyArray<string | number>;
export type JsonObject = Record<string, unknown>;

/** Names that would reach into JavaScript itself. They are refused wherever they appear. */
const RESERVED = new Set(["__proto__", "constructor", "prototype"]);

export function isReservedKey(key: string): boolean {
  return RESERVED.has(key);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Dots separate keys, `[0]` is a place in a list, `["a.b"]` or `['a.b']` is a key with any characters in it. */
export function parsePath(text: string): Path {
  const path: Array<string | number> = [];
  const token = /(?:^|\.)([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\[('(?:[^'\\]|\\.)*')\]/y;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const found = token.exec(text);
    if (!found) throw new GatewayError("CONFIG_INVALID", `"${text}" is not a path: character ${at + 1} does not fit`);
    path.push(keyOf(found));
  }
  if (path.length === 0) throw new GatewayError("CONFIG_INVALID", "the path is empty");
  const reserved = path.find((key) => typeof key === "string" && isReservedKey(key));
  if (reserved !== undefined) throw new GatewayError("CONFIG_INVALID", `"${reserved}" cannot be a key`);
  return path;
}

function keyOf(found: RegExpExecArray): string | number {
  if (found[1] !== undefined) return found[1];
  if (found[2] !== undefined) return Number(found[2]);
  return (found[3] && readQuoted(found[3])) ?? unescape(found[3] ?? found[4] ?? "");
}

/** As `formatPath` writes it. */
function readQuoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** As people write it: a backslash takes the next character as it is. */
function unescape(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

export function formatPath(path: Path): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else if (/^[^.[\]"'\s]+$/.test(key)) text += text ? `.${key}` : key;
    else text += `[${JSON.stringify(key)}]`;
  }
  return text;
}

/** The value at a place, or undefined. Only own keys count. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/** Puts a value at a place, making the objects on the way. Lists are extended by one at most. */
export function putAt(root: JsonObject, path: Path, value: unknown): void {
  let holder: unknown = root;
  path.slice(0, -1).forEach((key, index) => {
    const next = childOf(holder, key);
    const child = typeof next === "object" && next !== null ? next : typeof path[index + 1] === "number" ? [] : {};
    putChild(holder, key, child, path);
    holder = child;
  });
  const last = path.at(-1);
  if (last !== undefined) putChild(holder, last, value, path);
}

function childOf(holder: unknown, key: string | number): unknown {
  if (Array.isArray(holder)) return holder[Number(key)];
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function putChild(holder: unknown, key: string | number, value: unknown, path: Path): void {
  if (Array.isArray(holder)) {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index > holder.length) {
      throw new GatewayError("CONFIG_INVALID", `${formatPath(path)}: the list has ${holder.length} entries`);
    }
    holder[index] = value;
  } else if (isObject(holder)) holder[key] = value;
}

/** Takes away the value at a place; false when there was none. */
export function dropAt(root: unknown, path: Path): boolean {
  const holder = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined || valueAt(root, path) === undefined) return false;
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (isObject(holder)) delete holder[last];
  return true;
}

export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((entry, index) => deepEqual(entry, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]))
  );
}

/** The places where two configs differ. Objects are compared key by key, an absent one as an empty one; lists as a whole. */
export function diffPaths(before: unknown, after: unknown, at: Path = []): Path[] {
  if (deepEqual(before, after)) return [];
  const [left, right] = [before === undefined ? {} : before, after === undefined ? {} : after];
  if (!isObject(left) || !isObject(right)) return [at];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => diffPaths(left[key], right[key], [...at, key]));
}
