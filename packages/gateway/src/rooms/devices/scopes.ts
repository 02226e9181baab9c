// Containment of scopes: the one rule that pairing, tokens and approvals all ask.

const ADMIN = "operator.admin";

/** Does `granted` contain everything in `requested`? Only the operator role knows scopes that imply others. */
export function scopesCover(role: string, granted: readonly string[], requested: readonly string[]): boolean {
  return firstUncovered(role, granted, requested) === undefined;
}

/** The first requested scope that `granted` does not contain. */
export function firstUncovered(
  role: string,
  granted: readonly string[],
  requested: readonly string[],
): string | undefined {
  const held = new Set(granted);
  return requested.find((scope) => !covers(role, held, scope));
}

function covers(role: string, held: ReadonlySet<string>, scope: string): boolean {
  if (held.has(scope)) return true;
  if (role !== "operator" || !scope.startsWith("operator.")) return false;
  return held.has(ADMIN) || (scope === "operator.read" && held.has("operator.write"));
}

/** Trims, drops empty ones and repeats; keeps the order. */
export function cleanScopes(scopes: readonly string[]): string[] {
  return [...new Set(scopes.map((scope) => scope.trim()).filter((scope) => scope !== ""))];
}

export function mergeScopes(first: readonly string[], second: readonly string[]): string[] {
  return cleanScopes([...first, ...second]);
}
