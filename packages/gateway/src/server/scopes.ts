// What a scope covers: admin covers all, write covers read.
export function holdsScope(scopes: readonly string[], scope: string): boolean {
  if (scopes.includes("operator.admin") || scopes.includes(scope)) return true;
  return scope === "operator.read" && scopes.includes("operator.write");
}
