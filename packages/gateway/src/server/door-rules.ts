// Reads from the configuration what the door needs to decide: credentials, origins, proxies, limits.
import { createHash } from "node:crypto";
import type { ChelaConfig } from "../rooms/config/room.ts";
import {
  parseAddressList,
  resolveAuthMode,
  type AddressList,
  type AuthParts,
  type GatewayAuth,
  type OriginRules,
  type RateLimiter,
  type Whois,
} from "./auth/index.ts";

export interface DoorRules {
  /** Changes when a secret or the way to prove oneself changes; tells nothing else. */
  readonly credentials: string;
  readonly auth: AuthParts;
  readonly origins: OriginRules;
  readonly proxies: AddressList;
  /** A proxy that names its client in X-Real-IP alone is believed, too. */
  readonly allowRealIpFallback: boolean;
  readonly isTailscaleOn: boolean;
  readonly allowPlaintext: boolean;
  readonly controlUi: { readonly allowInsecureAuth: boolean; readonly skipsDevice: boolean };
  readonly strictTransportSecurity?: string | undefined;
}

export interface DoorRulesParts {
  readonly limiter: RateLimiter;
  readonly whois: Whois;
  readonly listenHosts: readonly string[];
  readonly override: AuthOverride;
}

/** Set for one start: from a flag, or made because none was configured. */
export interface AuthOverride {
  readonly mode?: GatewayAuth["mode"];
  readonly token?: string;
  readonly password?: string;
}

export function readDoorRules(
  config: ChelaConfig,
  env: Readonly<Record<string, string | undefined>>,
  parts: DoorRulesParts,
): DoorRules {
  const gateway = config.gateway ?? {};
  const proxies = parseAddressList(gateway.trustedProxies ?? []);
  const isTailscaleOn = gateway.tailscale?.mode === "serve" || gateway.tailscale?.mode === "funnel";
  const hsts = gateway.http?.securityHeaders?.strictTransportSecurity;
  return {
    credentials: fingerprint(config, env, parts.override),
    auth: {
      auth: readAuth(config, env, parts.override),
      limiter: parts.limiter,
      whois: parts.whois,
      hasProxies: !proxies.isEmpty,
    },
    origins: {
      allowedOrigins: gateway.controlUi?.allowedOrigins ?? [],
      allowHostFallback: gateway.controlUi?.dangerouslyAllowHostHeaderOriginFallback ?? false,
      isTailscaleOn,
      listenHosts: parts.listenHosts,
    },
    proxies,
    allowRealIpFallback: gateway.allowRealIpFallback ?? false,
    isTailscaleOn,
    allowPlaintext: env["OPENCLAW_ALLOW_INSECURE_PRIVATE_WS"] === "1",
    controlUi: {
      allowInsecureAuth: gateway.controlUi?.allowInsecureAuth ?? false,
      skipsDevice: gateway.controlUi?.dangerouslyDisableDeviceAuth ?? false,
    },
    strictTransportSecurity: hsts || undefined,
  };
}

/** Each name that `resolveAuthMode` reads. */
const AUTH_ENVIRONMENT = [
  "OPENCLAW_GATEWAY_TOKEN",
  "OPENCLAW_GATEWAY_PASSWORD",
  "CLAWDBOT_GATEWAY_TOKEN",
  "CLAWDBOT_GATEWAY_PASSWORD",
];

function fingerprint(
  config: ChelaConfig,
  env: Readonly<Record<string, string | undefined>>,
  override: AuthOverride,
): string {
  const fromEnv = AUTH_ENVIRONMENT.map((name) => env[name]);
  return createHash("sha256")
    .update(JSON.stringify([config.gateway?.auth ?? null, fromEnv, override]))
    .digest("hex");
}

export function readAuth(
  config: ChelaConfig,
  env: Readonly<Record<string, string | undefined>>,
  override: AuthOverride,
): GatewayAuth {
  return resolveAuthMode({ ...config.gateway, auth: { ...config.gateway?.auth, ...override } }, env);
}
