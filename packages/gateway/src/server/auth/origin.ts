// Checks web pages and host names that talk to us: the guard against cross-site requests and DNS rebinding.
import { isIP } from "node:net";
import { hostOf, isLoopbackHost, isTailnetHost, parseOrigin, type ParsedOrigin } from "./host-name.ts";
import type { ClientAddress } from "@chela/sdk";
import { headerOf, type Headers } from "./locality.ts";

export interface OriginRules {
  /** gateway.controlUi.allowedOrigins */
  readonly allowedOrigins: readonly string[];
  /** gateway.controlUi.dangerouslyAllowHostHeaderOriginFallback */
  readonly allowHostFallback: boolean;
  readonly isTailscaleOn: boolean;
  /** Addresses the server listens on; 0.0.0.0 and :: stand for every address of the machine. */
  readonly listenHosts: readonly string[];
}

export interface WebRequest {
  readonly headers: Headers;
  readonly client: ClientAddress;
}

export type OriginDecision =
  | { readonly kind: "ok" }
  | {
      readonly kind: "refused";
      readonly reason:
        | "host missing or invalid"
        | "host not allowed"
        | "origin missing or invalid"
        | "origin not allowed";
      readonly message: string;
      readonly detailCode: "CONTROL_UI_ORIGIN_NOT_ALLOWED";
    };

const OK: OriginDecision = { kind: "ok" };
const SAFE_METHODS = ["GET", "HEAD"];
const ORIGIN_MESSAGE =
  "origin not allowed (open the Control UI from the gateway host or allow it in gateway.controlUi.allowedOrigins)";
const HOST_MESSAGE =
  "host not allowed (use localhost or the gateway's address, or add the page's origin to gateway.controlUi.allowedOrigins)";

/** Asked before a WebSocket upgrade, when the client has not yet said what it is. */
export function decideUpgrade(request: WebRequest, rules: OriginRules): OriginDecision {
  const host = decideHost(request, rules);
  if (host.kind === "refused" || headerOf(request.headers, "origin") === undefined) return host;
  return decideOrigin(request, rules);
}

/** Asked in `connect`. Control UI and web chat are pages, so they must come with an Origin. */
export function decideConnectOrigin(
  request: WebRequest & { isBrowserUi: boolean },
  rules: OriginRules,
): OriginDecision {
  const hasOrigin = headerOf(request.headers, "origin") !== undefined;
  return hasOrigin || request.isBrowserUi ? decideOrigin(request, rules) : OK;
}

/**
 * Asked for every HTTP request. A browser that says a request comes from another site is believed: such a site may link
 * to the page, and neither change nor load anything.
 */
export function decideHttpRequest(request: WebRequest & { method: string }, rules: OriginRules): OriginDecision {
  const host = decideHost(request, rules);
  if (host.kind === "refused") return host;
  if (headerOf(request.headers, "origin") !== undefined) return decideOrigin(request, rules);
  const site = headerOf(request.headers, "sec-fetch-site");
  const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
  return isForeign && !isLink(request) ? refuse("origin missing or invalid") : OK;
}

/** Somebody follows a link, or types the address: the answer becomes the page in front of them. */
function isLink({ headers, method }: WebRequest & { method: string }): boolean {
  const isPage =
    headerOf(headers, "sec-fetch-mode") === "navigate" && headerOf(headers, "sec-fetch-dest") === "document";
  return isPage && SAFE_METHODS.includes(method.toUpperCase());
}

/** A name we never gave ourselves means that somebody else's DNS points at us. */
function decideHost({ headers }: WebRequest, rules: OriginRules): OriginDecision {
  const host = hostOf(headerOf(headers, "host"));
  if (host === undefined) return refuse("host missing or invalid");
  const isOurs =
    isLoopbackHost(host) ||
    isOwnAddress(host, rules.listenHosts) ||
    (rules.isTailscaleOn && isTailnetHost(host)) ||
    rules.allowedOrigins.some((allowed) => parseOrigin(allowed)?.host === host);
  return isOurs ? OK : refuse("host not allowed");
}

/** An address cannot be rebound like a name, so a server on every address accepts any address. */
function isOwnAddress(host: string, listenHosts: readonly string[]): boolean {
  if (isIP(host) === 0) return false;
  return listenHosts.some((listen) => listen === "0.0.0.0" || listen === "::" || listen === host);
}

function decideOrigin({ headers, client }: WebRequest, rules: OriginRules): OriginDecision {
  const origin = parseOrigin(headerOf(headers, "origin"));
  if (!origin) return refuse("origin missing or invalid");
  const host = headerOf(headers, "host");
  const isAllowed =
    rules.allowedOrigins.some((allowed) => parseOrigin(allowed)?.text === origin.text) ||
    (rules.allowHostFallback && isSameHost(origin, host)) ||
    (client.isLocal && isLoopbackHost(origin.host) && isLoopbackHost(hostOf(host) ?? ""));
  return isAllowed ? OK : refuse("origin not allowed");
}

/** The origin of a page that is not the one we serve under this name; undefined for that one, and for programs. */
export function foreignPageOf(headers: Headers): string | undefined {
  const written = headerOf(headers, "origin");
  if (written === undefined) return undefined;
  const origin = parseOrigin(written);
  return origin && isSameHost(origin, headerOf(headers, "host")) ? undefined : (origin?.text ?? "null");
}

function isSameHost(origin: ParsedOrigin, host: string | undefined): boolean {
  return host !== undefined && origin.hostWithPort === host.trim().toLowerCase();
}

function refuse(reason: Extract<OriginDecision, { kind: "refused" }>["reason"]): OriginDecision {
  const message = reason.startsWith("host") ? HOST_MESSAGE : ORIGIN_MESSAGE;
  return { kind: "refused", reason, message, detailCode: "CONTROL_UI_ORIGIN_NOT_ALLOWED" };
}
