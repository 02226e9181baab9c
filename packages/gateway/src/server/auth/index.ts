// The decisions of the door: who a client is, where it comes from, how often it may try, and what we listen on.
export { createAccessCodes, type AccessCodes, type CodeGrant } from "./access-codes.ts";
export { parseAddressList, type AddressList } from "./addresses.ts";
export { resolveAuthMode, type AuthConfig, type GatewayAuth } from "./auth-mode.ts";
export { checkBindSafety, resolveBind, type BindConfig, type BindMode, type BindSafetyQuestion } from "./bind.ts";
export { deny, type Denied } from "./denial.ts";
export {
  authorize,
  authorizeByCode,
  authorizeDeviceToken,
  type AuthMethod,
  type AuthOutcome,
  type AuthParts,
  type AuthRequest,
} from "./gateway-auth.ts";
export { limitKeyOf } from "./addresses.ts";
export { resolveClient, type ClientQuestion, type Headers } from "./locality.ts";
export {
  decideConnectOrigin,
  decideHttpRequest,
  decideUpgrade,
  foreignPageOf,
  type OriginRules,
  type WebRequest,
} from "./origin.ts";
export { createWaitingRoom, readPreauthLimits, type PreauthEnd, type Visitor } from "./preauth.ts";
export { createRateLimiter, type Guesser, type RateLimiter, type RateLimitSettings } from "./rate-limit.ts";
export { digestSecret, type SecretDigest } from "./secret.ts";
export { createTailscaleWhois, type Whois } from "./tailscale.ts";
export { decideTransport } from "./transport.ts";
