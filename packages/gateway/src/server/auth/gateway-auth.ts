// Is this request allowed in, and as whom? The one decision for every door of the gateway.
import type { GatewayAuth } from "./auth-mode.ts";
import { deny, denyDeviceTokenScope, type ClientKind, type Denied } from "./denial.ts";
import type { ClientAddress } from "@chela/sdk";
import type { Headers } from "./locality.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { readTailscaleClaim, verifyTailscaleClaim, type Whois } from "./tailscale.ts";
import { readProxyIdentity } from "./trusted-proxy.ts";

export interface AuthRequest {
  readonly credentials: { readonly token?: string | undefined; readonly password?: string | undefined };
  readonly client: ClientAddress;
  readonly headers: Headers;
  readonly surface: "ws" | "http";
  readonly foreignPage: string | undefined;
  /** The id of a paired device that proved its key. */
  readonly device?: string | undefined;
  readonly clientKind: ClientKind;
  /** A device was proved but no auth.deviceToken was sent; only for the advice in a refusal. */
  readonly mayHoldDeviceToken?: boolean | undefined;
}

export interface AuthParts {
  readonly auth: GatewayAuth;
  readonly limiter: RateLimiter;
  readonly whois: Whois;
  /** gateway.trustedProxies has at least one valid entry. */
  readonly hasProxies: boolean;
}

export type AuthMethod = "token" | "password" | "none" | "trusted-proxy" | "tailscale" | "device-token" | "bootstrap";

interface Authorized {
  readonly kind: "ok";
  readonly method: AuthMethod;
  readonly user?: string;
}

export type AuthOutcome = Authorized | Denied;

/** Everything about secrets happens before the first await, so that parallel guesses cannot overtake the counter. */
export async function authorize(request: AuthRequest, parts: AuthParts): Promise<AuthOutcome> {
  switch (parts.auth.mode) {
    case "none":
      // Without a credential only this machine itself is trusted, and no proxy in front of it.
      return request.client.isLocal ? { kind: "ok", method: "none" } : deny("unauthorized", request);
    case "trusted-proxy":
      return authorizeByProxy(request, parts);
    case "token":
    case "password":
      return authorizeBySecret(parts.auth.mode, request, parts);
    default:
      return deny("unauthorized", request);
  }
}

function authorizeByProxy(request: AuthRequest, { auth, hasProxies }: AuthParts): AuthOutcome {
  const { client, headers } = request;
  const identity = readProxyIdentity(auth.trustedProxy, { client, headers, hasProxies });
  if (identity.kind === "none") return deny(identity.reason, request);
  return { kind: "ok", method: "trusted-proxy", user: identity.user };
}

async function authorizeBySecret(
  mode: "token" | "password",
  request: AuthRequest,
  parts: AuthParts,
): Promise<AuthOutcome> {
  const compared = compareSecret(mode, request, parts);
  if (compared.kind === "ok") return compared;
  const served = await authorizeByTailscale(request, parts);
  if (served?.kind === "ok") {
    if (isWrongGuess(compared)) parts.limiter.forgive("shared-secret", request);
    return served;
  }
  // Who sent a secret is told about the secret.
  return compared.reason === `${mode}_missing` ? (served ?? compared) : compared;
}

function isWrongGuess(denied: Denied): boolean {
  return denied.reason === "token_mismatch" || denied.reason === "password_mismatch";
}

function compareSecret(mode: "token" | "password", request: AuthRequest, { auth, limiter }: AuthParts): AuthOutcome {
  const expected = auth[mode];
  const given = request.credentials[mode];
  if (!expected) return deny(`${mode}_missing_config`, request);
  if (given === undefined || given === "") return deny(`${mode}_missing`, request);
  const attempt = limiter.begin("shared-secret", { ...request, isWeak: expected.isWeak });
  if (attempt.kind === "limited") return deny("rate_limited", { ...request, retryAfterMs: attempt.retryAfterMs });
  if (expected.matches(given)) {
    attempt.succeed();
    return { kind: "ok", method: mode };
  }
  attempt.fail();
  return deny(`${mode}_mismatch`, request);
}

/** Undefined when the request does not come through Tailscale Serve, so that the refusal speaks of the secret. */
async function authorizeByTailscale(request: AuthRequest, parts: AuthParts): Promise<AuthOutcome | undefined> {
  if (!parts.auth.allowTailscale || request.surface !== "ws" || request.client.isLocal) return undefined;
  const claim = readTailscaleClaim(request.headers, request.client);
  if (!claim) return undefined;
  // Everybody who comes through Serve has the same peer, so each is counted by the address that is being verified.
  const client = { ...request.client, ip: claim.ip ?? request.client.ip };
  const attempt = parts.limiter.begin("tailscale", { ...request, client });
  if (attempt.kind === "limited") return deny("rate_limited", { ...request, retryAfterMs: attempt.retryAfterMs });
  const identity = await verifyTailscaleClaim(claim, parts.whois);
  if (identity.kind === "user") {
    attempt.succeed();
    return { kind: "ok", method: "tailscale", user: identity.user };
  }
  attempt.fail();
  return deny(identity.reason, request);
}

export interface DeviceTokenQuestion {
  readonly request: AuthRequest;
  /** What `authorize` said before. */
  readonly denied: Denied;
  /** auth.deviceToken, when the client sent one. */
  readonly deviceToken: string | undefined;
  /** Looks the token up; the device's proof must have been verified before. */
  readonly verify: (
    candidate: string,
  ) => { readonly kind: "ok" } | { readonly kind: "refused"; readonly reason: string };
}

/** The second chance of a proved device: its own token, or the shared token field used for it. */
export function authorizeDeviceToken(question: DeviceTokenQuestion, limiter: RateLimiter): AuthOutcome {
  const { request, denied, deviceToken } = question;
  const candidate = deviceToken ?? request.credentials.token;
  if (candidate === undefined || candidate === "") return denied;
  const attempt = limiter.begin("device-token", request);
  if (attempt.kind === "limited") return deny("rate_limited", { ...request, retryAfterMs: attempt.retryAfterMs });
  const check = question.verify(candidate);
  if (check.kind === "ok" || check.reason === "scope") {
    // The token is right, so what looked like a wrong guess of the shared secret was none.
    attempt.succeed();
    if (isWrongGuess(denied)) limiter.forgive("shared-secret", request);
    return check.kind === "ok" ? { kind: "ok", method: "device-token" } : denyDeviceTokenScope(request);
  }
  attempt.fail();
  return deviceToken === undefined ? denied : deny("device_token_mismatch", request);
}

export interface CodeQuestion {
  readonly request: AuthRequest;
  readonly code: string;
  /** What was wrong with the other credentials of this request, if anything was. */
  readonly denied?: Denied | undefined;
  /** Uses the code up; the device's proof must have been verified before. */
  readonly redeem: (candidate: string) => boolean;
}

/** The last chance of a proved device: a one-time code, which an administrator asked for. */
export function authorizeByCode({ request, code, denied, redeem }: CodeQuestion, limiter: RateLimiter): AuthOutcome {
  const attempt = limiter.begin("access-code", request);
  if (attempt.kind === "limited") return deny("rate_limited", { ...request, retryAfterMs: attempt.retryAfterMs });
  if (!redeem(code)) {
    attempt.fail();
    return deny("bootstrap_token_invalid", request);
  }
  attempt.succeed();
  // An old token that came along was no guess.
  if (denied && isWrongGuess(denied)) limiter.forgive("shared-secret", request);
  if (denied?.reason === "token_mismatch" || denied?.reason === "device_token_mismatch")
    limiter.forgive("device-token", request);
  return { kind: "ok", method: "bootstrap" };
}
