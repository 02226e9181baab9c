// What a scope covers: admin covers all, write covers read.
export function holdsScope(scopes: readonly string[], scope: string): boolean {
  if (scopes.includes("operator.admin") || scopes.includes(scope)) return true;
  return scope === "operator.read" && scopes.includes("operator.write");
}

/** May they see what is said here, by whom, and where it lies? */
export function mayRead({ role, scopes }: { readonly role: string; readonly scopes: readonly string[] }): boolean {
  return role === "operator" && holdsScope(scopes, "operator.read");
}
