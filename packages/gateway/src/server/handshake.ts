// The handshake: from a client's `connect` to a grant, or to a refusal that says what to do. First failure wins.
import type { IncomingHttpHeaders } from "node:http";
import type { Clock, Logger } from "@chela/sdk";
import { PROTOCOL_VERSION, type ConnectParams, type ErrorShape } from "@chela/sdk/protocol";
import { scopesCover, verifyDeviceProof, type Devices, type PairingRequest } from "../rooms/devices/room.ts";
import { readSurface } from "../rooms/nodes/surface.ts";
import type { ClientAddress } from "@chela/sdk";
import {
  authorize,
  authorizeByCode,
  authorizeDeviceToken,
  decideConnectOrigin,
  decideTransport,
  foreignPageOf,
  type AccessCodes,
  type AuthMethod,
  type AuthOutcome,
  type AuthParts,
  type AuthRequest,
  type CodeGrant,
  type Denied,
  type OriginRules,
} from "./auth/index.ts";

/** What the socket itself tells of a connection. */
export interface Link {
  readonly headers: IncomingHttpHeaders;
  readonly client: ClientAddress;
  readonly isEncrypted: boolean;
  readonly localAddress: string | undefined;
  /** The nonce this connection was challenged with. */
  readonly nonce: string;
}

interface HandshakeRules {
  readonly auth: AuthParts;
  readonly origins: OriginRules;
  /** gateway.controlUi.allowInsecureAuth and dangerouslyDisableDeviceAuth */
  readonly controlUi: { readonly allowInsecureAuth: boolean; readonly skipsDevice: boolean };
  /** An operator decided that plain text is fine on a private network. */
  readonly allowPlaintext: boolean;
}

export interface HandshakeParts {
  readonly devices: Devices;
  readonly accessCodes: AccessCodes;
  readonly clock: Clock;
  readonly log: Logger;
  rules(): HandshakeRules;
}

export type HandshakeOutcome =
  | {
      readonly kind: "admitted";
      readonly role: "operator" | "node";
      readonly scopes: readonly string[];
      readonly method: AuthMethod;
      readonly device?: {
        readonly id: string;
        readonly token: string;
        readonly scopes: readonly string[];
        readonly issuedAtMs: number;
        /** It was let in just now, by a person or without a question; not only with more scopes. */
        readonly isPairedNow: boolean;
      };
    }
  | { readonly kind: "refused"; readonly error: ErrorShape; readonly closeCode: number };

type Refused = Extract<HandshakeOutcome, { kind: "refused" }>;

/** Looked at before anything else: clients of other versions say things that this one does not know. */
export function refuseProtocol(params: unknown): Refused | undefined {
  const { minProtocol, maxProtocol } = (params ?? {}) as { minProtocol?: unknown; maxProtocol?: unknown };
  if (!Number.isInteger(minProtocol) || !Number.isInteger(maxProtocol)) return undefined;
  const [from, to] = [Number(minProtocol), Number(maxProtocol)];
  if (from <= PROTOCOL_VERSION && to >= PROTOCOL_VERSION) return undefined;
  const wanted = from === to ? `${from}` : `${from} to ${to}`;
  const says = `this gateway speaks protocol ${PROTOCOL_VERSION}, as OpenClaw before 2026.5 does; the client wants ${wanted}`;
  return refuse(`protocol mismatch: ${says}`, { expectedProtocol: PROTOCOL_VERSION }, 1002);
}

export async function shakeHands(params: ConnectParams, link: Link, parts: HandshakeParts): Promise<HandshakeOutcome> {
  const rules = parts.rules();
  const role = params.role ?? "operator";
  if (role !== "operator" && role !== "node") return refuse("invalid role");
  const browser = checkBrowser(params, link, rules);
  if (browser) return browser;
  if (!params.device) {
    const shared = await authorize(authRequest(params, link), rules.auth);
    return admitWithoutDevice(params, role, link, rules, shared);
  }
  const proof = verifyDeviceProof({
    device: params.device,
    clientId: params.client.id,
    clientMode: params.client.mode,
    role,
    scopes: params.scopes ?? [],
    token: params.auth?.token ?? params.auth?.deviceToken ?? params.auth?.bootstrapToken ?? "",
    nonce: link.nonce,
    platform: params.client.platform,
    deviceFamily: params.client.deviceFamily,
    now: parts.clock.now(),
  });
  if (proof.kind === "rejected") return refuse(proof.message, { code: proof.detailCode, reason: proof.reason });
  const isKnown = parts.devices.isKnown(params.device.id, proof.publicKey);
  const request = authRequest(params, link, isKnown ? params.device.id : undefined);
  const shared = await authorize(request, rules.auth);
  const outcome = shared.kind === "ok" ? shared : tryDeviceToken(params, role, request, shared, rules, parts);
  const code = params.auth?.bootstrapToken;
  const claim = { deviceId: params.device.id, role } as const;
  let grant: CodeGrant | undefined;
  const redeem = (before?: Denied): AuthOutcome | undefined => {
    if (!code) return undefined;
    const use = (one: string): boolean => (grant = parts.accessCodes.redeem(one, claim)) !== undefined;
    return authorizeByCode({ request, code, denied: before, redeem: use }, rules.auth.limiter);
  };
  const entry = outcome.kind === "denied" ? (redeem(outcome) ?? outcome) : outcome;
  if (entry.kind === "denied") return denied(entry);
  const known = { publicKey: proof.publicKey, method: entry.method, redeem, grant: () => grant };
  return admitDevice(params, role, link, known, parts);
}

function checkBrowser(params: ConnectParams, link: Link, rules: HandshakeRules): Refused | undefined {
  const origin = decideConnectOrigin({ ...link, isBrowserUi: isBrowserUi(params) }, rules.origins);
  if (origin.kind === "refused") return refuse(origin.message, { code: origin.detailCode, reason: origin.reason });
  const transport = decideTransport(link);
  if (transport.kind === "plaintext" && !rules.allowPlaintext)
    return refuse(transport.message, { code: "PLAINTEXT_TRANSPORT" });
  return undefined;
}

function authRequest(params: ConnectParams, link: Link, device?: string): AuthRequest {
  const { id, mode } = params.client;
  return {
    credentials: { token: params.auth?.token, password: params.auth?.password },
    client: link.client,
    headers: link.headers,
    surface: "ws",
    foreignPage: foreignPageOf(link.headers),
    device,
    clientKind: mode === "cli" ? "cli" : isBrowserUi({ client: { id, mode } }) ? "ui" : "other",
    mayHoldDeviceToken: params.device !== undefined && params.auth?.deviceToken === undefined,
  };
}

/** A shared secret alone lets an operator in, but grants nothing: scopes belong to devices. */
function admitWithoutDevice(
  params: ConnectParams,
  role: "operator" | "node",
  link: Link,
  rules: HandshakeRules,
  shared: AuthOutcome,
): HandshakeOutcome {
  const hasSecret = Boolean(params.auth?.token || params.auth?.password);
  // Whom a proxy names is told about the proxy: a device would not help.
  if (shared.kind === "denied" && (hasSecret || shared.reason.startsWith("trusted_proxy_"))) return denied(shared);
  const isControlUi = params.client.id === "openclaw-control-ui";
  const { allowInsecureAuth, skipsDevice } = rules.controlUi;
  const isExcused =
    shared.kind === "ok" &&
    (shared.method === "trusted-proxy" || (isControlUi && (skipsDevice || (allowInsecureAuth && link.client.isLocal))));
  if (role === "node" || shared.kind === "denied") return needsDevice(isControlUi);
  if (isControlUi && !isExcused) return needsDevice(true);
  return { kind: "admitted", role, scopes: isExcused ? (params.scopes ?? []) : [], method: shared.method };
}

function needsDevice(isControlUi: boolean): Refused {
  if (!isControlUi) {
    return refuse("device identity required", { code: "DEVICE_IDENTITY_REQUIRED" }, 1008, "NOT_PAIRED");
  }
  return refuse("control ui requires device identity (open it over https or on localhost)", {
    code: "CONTROL_UI_DEVICE_IDENTITY_REQUIRED",
  });
}

function tryDeviceToken(
  params: ConnectParams,
  role: string,
  request: AuthRequest,
  shared: Denied,
  rules: HandshakeRules,
  parts: HandshakeParts,
): AuthOutcome {
  const deviceId = params.device?.id ?? "";
  const verify = (token: string) => parts.devices.verifyToken({ deviceId, role, scopes: params.scopes ?? [], token });
  const question = { request, denied: shared, deviceToken: params.auth?.deviceToken, verify };
  return authorizeDeviceToken(question, rules.auth.limiter);
}

function admitDevice(
  params: ConnectParams,
  role: "operator" | "node",
  link: Link,
  known: {
    readonly publicKey: string;
    readonly method: AuthMethod;
    /** Undefined when the client sent no one-time code. */
    readonly redeem: () => AuthOutcome | undefined;
    /** What the code was good for, once it is used. */
    readonly grant: () => CodeGrant | undefined;
  },
  parts: HandshakeParts,
): HandshakeOutcome {
  const { client } = params;
  const scopes = params.scopes ?? [];
  const asked: PairingRequest = {
    deviceId: params.device?.id ?? "",
    publicKey: known.publicKey,
    role,
    scopes,
    ...(client.displayName ? { displayName: client.displayName } : {}),
    platform: client.platform,
    ...(client.deviceFamily ? { deviceFamily: client.deviceFamily } : {}),
    clientId: client.id,
    clientMode: client.mode,
    remoteIp: link.client.ip,
    ...(role === "node" ? readSurface(params) : {}),
  };
  const reach = {
    isLocal: link.client.isLocal,
    isOwner: link.client.isLocal && OWNERS_METHODS.includes(known.method),
    hasBrowserOrigin: link.headers.origin !== undefined,
    isControlUi: isBrowserUi(params),
    isApproved: known.method === "bootstrap",
  };
  // A code is used up only where something would be missing without it.
  const isMissing = !reach.isApproved && parts.devices.needsApproval(asked, reach);
  const approval = isMissing ? known.redeem() : undefined;
  if (approval?.kind === "denied") return denied(approval);
  const isApproved = reach.isApproved || approval?.kind === "ok";
  const admission = parts.devices.admit(withinGrant(asked, known.grant()), { ...reach, isApproved });
  if (admission.kind === "needs-approval") {
    const details = { code: "PAIRING_REQUIRED", requestId: admission.request.requestId, reason: admission.reason };
    const { requestId } = admission.request;
    const advice = `pairing required: on the gateway's machine, type: chela devices approve ${requestId}`;
    return refuse(advice, details, 1008, "NOT_PAIRED");
  }
  const { token } = admission;
  const device = {
    id: admission.device.deviceId,
    token: token.token,
    scopes: token.scopes,
    issuedAtMs: token.rotatedAtMs ?? token.createdAtMs,
    isPairedNow: admission.approvedFor !== undefined && admission.approvedFor !== "scope-upgrade",
  };
  return { kind: "admitted", role, scopes: admission.scopes, method: known.method, device };
}

/** What only the owner has, or nobody needs on a gateway that asks for nothing. */
const OWNERS_METHODS: readonly AuthMethod[] = ["token", "password", "none"];

/** No setup code makes administrators, or lets its device let in others. */
const NEVER_BY_SETUP = ["operator.admin", "operator.pairing"];

function withinGrant(asked: PairingRequest, grant: CodeGrant | undefined): PairingRequest {
  if (grant?.kind !== "setup") return asked;
  const { issuerScopes, name } = grant;
  const mayGive = (scope: string): boolean =>
    asked.role === "operator" && !NEVER_BY_SETUP.includes(scope) && scopesCover("operator", issuerScopes, [scope]);
  return { ...asked, scopes: asked.scopes.filter(mayGive), ...(name ? { displayName: name } : {}) };
}

function isBrowserUi({ client }: { client: { id: string; mode: string } }): boolean {
  return client.id === "openclaw-control-ui" || client.id === "webchat-ui" || client.mode === "webchat";
}

function denied(outcome: Denied): Refused {
  return refuse(outcome.message, { code: outcome.detailCode, authReason: outcome.reason, ...outcome.advice });
}

function refuse(
  message: string,
  details?: object,
  closeCode = 1008,
  code: ErrorShape["code"] = "INVALID_REQUEST",
): Refused {
  return { kind: "refused", error: { code, message, ...(details ? { details } : {}) }, closeCode };
}
