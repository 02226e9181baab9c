// Whether two values are the same as JSON, told without writing them.

/** What is undefined is not there; the order of names does not matter. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  let more = 0;
  for (const name in one) {
    if (one[name] === undefined) continue;
    if (!Object.hasOwn(other, name) || !sameJson(one[name], other[name])) return false;
    more += 1;
  }
  for (const name in other) if (other[name] !== undefined) more -= 1;
  return more === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
