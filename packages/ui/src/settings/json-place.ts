// Places in a configuration: read, changed in a copy, and written as people write them.

export type JsonObject = Readonly<Record<string, unknown>>;
/** Numbers of list entries are texts as well, as they stand in an address. */
export type Path = readonly string[];

/** What the gateway gives instead of a secret. Sent back, it means "as it is". */
export const REDACTED = "__OPENCLAW_REDACTED__";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/** A copy with another value there; what is missing on the way is made. */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(root)) return root.with(Number(key), withValue(root[Number(key)], rest, value));
  const before = isObject(root) ? root : {};
  return { ...before, [key]: withValue(Object.hasOwn(before, key) ? before[key] : undefined, rest, value) };
}

/** A copy without the value there, and without objects that hold nothing any more because of that. */
export function withoutValue(root: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return undefined;
  if (Array.isArray(root)) {
    const at = Number(key);
    if (rest.length === 0) return root.toSpliced(at, 1);
    return root.with(at, withoutValue(root[at], rest) ?? {});
  }
  if (!isObject(root) || !Object.hasOwn(root, key)) return root;
  const { [key]: before, ...others } = root;
  const after = withoutValue(before, rest);
  if (after === undefined || (isObject(after) && Object.keys(after).length === 0)) return others;
  return { ...root, [key]: after };
}

/** `agents.list[0].name`, as the gateway writes it. */
export function formatPath(path: Path): string {
  let text = "";
  for (const key of path) {
    if (/^\d+$/.test(key)) text += `[${key}]`;
    else if (/^[^.[\]"'\s]+$/.test(key)) text += text ? `.${key}` : key;
    else text += `[${JSON.stringify(key)}]`;
  }
  return text;
}

export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, at) => isSame(entry, other[at]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}
