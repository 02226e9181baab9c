// Identity that a reverse proxy vouches for. Pure.
import type { TrustedProxyRules } from "./auth-mode.ts";
import type { DenialReason } from "./denial.ts";
import type { ClientAddress } from "@chela/sdk";
import { headerOf, type Headers } from "./locality.ts";

export type ProxyIdentity =
  | { readonly kind: "user"; readonly user: string }
  | { readonly kind: "none"; readonly reason: DenialReason };

export function readProxyIdentity(
  rules: TrustedProxyRules | undefined,
  request: { readonly client: ClientAddress; readonly headers: Headers; readonly hasProxies: boolean },
): ProxyIdentity {
  const userHeader = (rules?.userHeader ?? "").trim();
  if (!rules || userHeader === "") return none("trusted_proxy_config_missing");
  if (!request.hasProxies) return none("trusted_proxy_no_proxies_configured");
  if (!request.client.isTrustedProxy) return none("trusted_proxy_untrusted_source");
  const absent = rules.requiredHeaders?.find((name) => valueOf(request.headers, name) === "");
  if (absent !== undefined) return none(`trusted_proxy_missing_header_${absent}`);
  const user = valueOf(request.headers, userHeader);
  if (user === "") return none("trusted_proxy_user_missing");
  if (rules.allowUsers && !rules.allowUsers.includes(user)) return none("trusted_proxy_user_not_allowed");
  return { kind: "user", user };
}

function valueOf(headers: Headers, name: string): string {
  return (headerOf(headers, name.trim().toLowerCase()) ?? "").trim();
}

function none(reason: DenialReason): ProxyIdentity {
  return { kind: "none", reason };
}
