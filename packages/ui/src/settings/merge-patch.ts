// Changes between two configurations: as a patch the gateway takes, and as a list people can read.
import { isObject, isSame, type JsonObject, type Path } from "./json-place.ts";

export interface Change {
  readonly path: Path;
  /** Undefined: it was not there, or is not there any more. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What has to be merged into `before` to get `after`; undefined when nothing has. */
export function patchBetween(before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return undefined;
  if (isObject(before) && isObject(after)) return patchObjects(before, after);
  if (keepsEntries(before, after)) return patchEntries(before, after);
  return after;
}

function patchObjects(before: JsonObject, after: JsonObject): JsonObject {
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) patch[key] = null;
  for (const [key, value] of Object.entries(after)) {
    const change = patchBetween(Object.hasOwn(before, key) ? before[key] : undefined, value);
    if (change !== undefined) patch[key] = change;
  }
  return patch;
}

type WithId = JsonObject & { readonly id: string };

function haveIds(list: unknown): list is readonly WithId[] {
  return Array.isArray(list) && list.length > 0 && list.every((one) => isObject(one) && typeof one["id"] === "string");
}

/** The gateway merges lists of things with ids by id, as long as none of them goes away or moves. */
function keepsEntries(before: unknown, after: unknown): before is readonly WithId[] {
  return haveIds(before) && haveIds(after) && before.every(({ id }, at) => after[at]?.id === id);
}

function patchEntries(before: readonly WithId[], after: unknown): readonly unknown[] {
  return (after as readonly WithId[]).flatMap((entry, at) => {
    const known = before[at];
    const change = known ? patchBetween(known, entry) : entry;
    return isObject(change) ? [{ id: entry.id, ...change }] : [];
  });
}

/** Lists whose entries the gateway would merge by id although one is gone or moved: a patch cannot say that. */
export function unpatchable(before: unknown, after: unknown, path: Path = []): Path[] {
  if (isSame(before, after)) return [];
  if (haveIds(before) && haveIds(after) && !keepsEntries(before, after)) return [path];
  if (Array.isArray(before) || !isObject(after)) return [];
  const known = isObject(before) ? before : {};
  return Object.keys(after).flatMap((key) => unpatchable(known[key], after[key], [...path, key]));
}

/** The same rules as the gateway's. */
export function applyPatch(target: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return mergeEntries(target, patch) ?? patch;
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyPatch(Object.hasOwn(result, key) ? result[key] : undefined, value);
  }
  return result;
}

function mergeEntries(target: unknown, patch: readonly unknown[]): unknown[] | undefined {
  if (!haveIds(patch) || !haveIds(target)) return undefined;
  const changes = new Map(patch.map((entry) => [entry.id, entry]));
  const merged = target.map((entry) => {
    const change = changes.get(entry.id);
    changes.delete(entry.id);
    return change ? applyPatch(entry, change) : entry;
  });
  return [...merged, ...changes.values()];
}

export function listChanges(before: unknown, after: unknown, path: Path = []): Change[] {
  if (isSame(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => listChanges(before[key], after[key], [...path, key]));
  }
  // A whole part that comes or goes is told key by key, as far as it is made of keys.
  if (isObject(after) && before === undefined && Object.keys(after).length > 0) return listChanges({}, after, path);
  if (isObject(before) && after === undefined && Object.keys(before).length > 0) return listChanges(before, {}, path);
  if (keepsEntries(before, after)) {
    return (after as unknown as readonly unknown[]).flatMap((entry, at) =>
      listChanges(before[at], entry, [...path, String(at)]),
    );
  }
  return [{ path, before, after }];
}
