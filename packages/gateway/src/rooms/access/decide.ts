// Decides who may start a turn. Pure; whatever is not allowed here is denied.

export interface Sender {
  readonly kind: "operator";
  /** Scopes the server granted to this connection. */
  readonly scopes: readonly string[];
}

export type AccessDecision = { readonly kind: "allowed" } | { readonly kind: "denied"; readonly why: string };

export function decideAccess(sender: Sender, session: { readonly sendPolicy?: "allow" | "deny" }): AccessDecision {
  if (!sender.scopes.includes("operator.write") && !sender.scopes.includes("operator.admin")) {
    return { kind: "denied", why: "missing scope: operator.write" };
  }
  if (session.sendPolicy === "deny") return { kind: "denied", why: "send blocked by session policy" };
  return { kind: "allowed" };
}
