// A partial config laid over the current one: null deletes, objects merge, lists of things with ids merge by id.
import { isObject, type JsonObject } from "./path.ts";

export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return mergeById(target, patch) ?? patch;
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyMergePatch(Object.hasOwn(result, key) ? result[key] : undefined, value);
  }
  return result;
}

type WithId = JsonObject & { readonly id: string };

function allHaveIds(list: unknown): list is WithId[] {
  return Array.isArray(list) && list.every((entry) => isObject(entry) && typeof entry["id"] === "string");
}

/** Undefined when the lists cannot be merged, so that the new one replaces the old. */
function mergeById(target: unknown, patch: readonly unknown[]): unknown[] | undefined {
  if (patch.length === 0 || !allHaveIds(patch) || !allHaveIds(target)) return undefined;
  const changes = new Map(patch.map((entry) => [entry.id, entry]));
  const merged = target.map((entry) => {
    const change = changes.get(entry.id);
    changes.delete(entry.id);
    return change ? applyMergePatch(entry, change) : entry;
  });
  return [...merged, ...[...changes.values()].map((entry) => applyMergePatch({}, entry))];
}
