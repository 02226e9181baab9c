// Resolves how clients prove themselves: from the configuration, then the environment. A gap never opens the door.
import { digestSecret, type SecretDigest } from "./secret.ts";

type AuthMode = "none" | "token" | "password" | "trusted-proxy";
export type TailscaleMode = "off" | "serve" | "funnel";

export interface TrustedProxyRules {
  /** Required, but a configuration may lack it; then nobody is let in. */
  readonly userHeader?: string | undefined;
  readonly requiredHeaders?: readonly string[] | undefined;
  /** Absent: whoever the proxy vouches for. Empty: nobody. */
  readonly allowUsers?: readonly string[] | undefined;
}

/** The part of `gateway` this is read from. */
export interface AuthConfig {
  readonly auth?:
    | {
        readonly mode?: AuthMode | undefined;
        readonly token?: string | undefined;
        readonly password?: string | undefined;
        readonly allowTailscale?: boolean | undefined;
        readonly trustedProxy?: TrustedProxyRules | undefined;
      }
    | undefined;
  readonly tailscale?: { readonly mode?: TailscaleMode | undefined } | undefined;
}

export interface GatewayAuth {
  readonly mode: AuthMode;
  readonly token?: SecretDigest;
  readonly password?: SecretDigest;
  readonly allowTailscale: boolean;
  readonly trustedProxy?: TrustedProxyRules;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function resolveAuthMode(config: AuthConfig, env: Environment): GatewayAuth {
  const { auth, tailscale } = config;
  const token = firstSet(auth?.token, env["OPENCLAW_GATEWAY_TOKEN"], env["CLAWDBOT_GATEWAY_TOKEN"]);
  const password = firstSet(auth?.password, env["OPENCLAW_GATEWAY_PASSWORD"], env["CLAWDBOT_GATEWAY_PASSWORD"]);
  const mode = auth?.mode ?? (password !== undefined && token === undefined ? "password" : "token");
  return {
    mode,
    ...(token !== undefined ? { token: digestSecret(token) } : {}),
    ...(password !== undefined ? { password: digestSecret(password) } : {}),
    allowTailscale: auth?.allowTailscale ?? (tailscale?.mode === "serve" && mode === "token"),
    ...(auth?.trustedProxy ? { trustedProxy: auth.trustedProxy } : {}),
  };
}

/** An empty or blank value counts as not set, so it can never be matched by an empty credential. */
function firstSet(...values: (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value.trim() !== "");
}
