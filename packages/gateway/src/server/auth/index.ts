// The decisions of the door: who a client is, where it comes from, how often it may try, and what we listen on.
export {
  createAccessCodes,
  type AccessCode,
  type AccessCodes,
  type CodeGrant,
  type CodeRole,
  type OutsideCodes,
} from "./access-codes.ts";
export { parseAddressList, type AddressList } from "./addresses.ts";
export {
  resolveAuthMode,
  type AuthConfig,
  type AuthMode,
  type GatewayAuth,
  type TailscaleMode,
  type TrustedProxyRules,
} from "./auth-mode.ts";
export {
  checkBindSafety,
  resolveBind,
  type Bind,
  type BindConfig,
  type BindMode,
  type BindSafetyQuestion,
  type Interfaces,
} from "./bind.ts";
export { deny, type ClientKind, type Denied, type DenialReason, type NextStep } from "./denial.ts";
export {
  authorize,
  authorizeByCode,
  authorizeDeviceToken,
  type AuthMethod,
  type AuthOutcome,
  type Authorized,
  type AuthParts,
  type AuthRequest,
  type CodeQuestion,
  type DeviceTokenQuestion,
} from "./gateway-auth.ts";
export { limitKeyOf } from "./addresses.ts";
export { resolveClient, type ClientAddress, type ClientQuestion, type Headers } from "./locality.ts";
export {
  decideConnectOrigin,
  decideHttpRequest,
  decideUpgrade,
  foreignPageOf,
  type OriginDecision,
  type OriginRules,
  type WebRequest,
} from "./origin.ts";
export {
  createWaitingRoom,
  readPreauthLimits,
  type PreauthEnd,
  type PreauthLimits,
  type Visitor,
  type WaitingRoom,
} from "./preauth.ts";
export {
  createRateLimiter,
  type Attempt,
  type Guesser,
  type LimitScope,
  type RateLimiter,
  type RateLimitSettings,
} from "./rate-limit.ts";
export { digestSecret, type SecretDigest } from "./secret.ts";
export { createTailscaleWhois, type TailscaleUser, type Whois } from "./tailscale.ts";
export { decideTransport, type TransportDecision, type TransportQuestion } from "./transport.ts";
