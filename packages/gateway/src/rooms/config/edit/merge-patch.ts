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

/** Undefined for a list without ids, which replaces the old one. One with ids replaces it too, if that has none. */
function mergeById(target: unknown, patch: readonly unknown[]): unknown[] | undefined {
  if (patch.length === 0 || !allHaveIds(patch)) return undefined;
  const merged: WithId[] = allHaveIds(target) ? [...target] : [];
  for (const change of patch) {
    const at = merged.findIndex(({ id }) => id === change.id);
    const entry = applyMergePatch(merged[at] ?? {}, change) as WithId;
    if (at < 0) merged.push(entry);
    else merged[at] = entry;
  }
  return merged;
}
