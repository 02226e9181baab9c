// Resolves a request's real origin. The socket decides; headers count only from proxies the operator listed.
import type { ClientAddress } from "@chela/sdk";
import { canonicalAddress, isLoopbackAddress, type AddressList } from "./addresses.ts";
import { hostOf, isLoopbackHost, isTailnetHost } from "./host-name.ts";

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ClientQuestion {
  readonly peerAddress: string | undefined;
  readonly headers: Headers;
  readonly trustedProxies: AddressList;
  readonly allowRealIpFallback?: boolean | undefined;
  /** gateway.tailscale.mode is serve or funnel. */
  readonly isTailscaleOn?: boolean | undefined;
}

/** What proxies, tunnels and content networks add. One that is missing here would make its visitors look local. */
const PROXY_HEADERS: ReadonlySet<string> = new Set([
  "forwarded",
  "forwarded-for",
  "via",
  "cdn-loop",
  "client-ip",
  "do-connecting-ip",
  "fastly-client-ip",
  "fly-client-ip",
  "http-client-ip",
  "incap-client-ip",
  "proxy-client-ip",
  "remote-addr",
  "true-client-ip",
  "wl-proxy-client-ip",
  "x-appengine-user-ip",
  "x-arr-ssl",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-coming-from",
  "x-host",
  "x-http-host-override",
  "x-nf-client-connection-ip",
  "x-original-forwarded-for",
  "x-original-host",
  "x-original-url",
  "x-originating-ip",
  "x-proxyuser-ip",
  "x-real-ip",
  "x-remote-addr",
  "x-remote-ip",
  "x-rewrite-url",
  "x-source-ip",
  "x-true-client-ip",
]);
const PROXY_PREFIXES = [
  "x-forwarded",
  "tailscale-",
  "cf-",
  "cloudfront-",
  "x-amz-cf-",
  "x-azure-",
  "x-envoy-",
  "x-vercel-",
];

export function resolveClient(question: ClientQuestion): ClientAddress {
  const { headers, trustedProxies } = question;
  const peerIp = canonicalAddress(question.peerAddress) ?? "";
  const isLoopbackPeer = isLoopbackAddress(peerIp);
  const isTrustedProxy = trustedProxies.has(peerIp);
  const isForwarded = hasProxyHeaders(headers);
  // A listed proxy that forgot its headers speaks for somebody unknown, so it is not local either.
  const isDirectLoopback = isLoopbackPeer && !isTrustedProxy && !isForwarded;
  const host = hostOf(headerOf(headers, "host"));
  const isLocalName =
    host !== undefined && (isLoopbackHost(host) || (question.isTailscaleOn === true && isTailnetHost(host)));
  return {
    ip: (isTrustedProxy ? forwardedClient(question) : undefined) ?? peerIp,
    peerIp,
    isLoopbackPeer,
    isTrustedProxy,
    isForwarded,
    isDirectLoopback,
    isLocal: isDirectLoopback && isLocalName,
  };
}

function hasProxyHeaders(headers: Headers): boolean {
  return Object.keys(headers).some((key) => {
    const name = key.toLowerCase();
    return (
      headers[key] !== undefined &&
      (PROXY_HEADERS.has(name) || PROXY_PREFIXES.some((prefix) => name.startsWith(prefix)))
    );
  });
}

/** The nearest hop that is not one of our proxies: everything further left may be invented by the client. */
function forwardedClient({ headers, trustedProxies, allowRealIpFallback }: ClientQuestion): string | undefined {
  const chain = headerOf(headers, "x-forwarded-for");
  if (chain === undefined) {
    return allowRealIpFallback ? canonicalAddress(withoutPort(headerOf(headers, "x-real-ip") ?? "")) : undefined;
  }
  for (const hop of chain.split(",").toReversed()) {
    const address = canonicalAddress(withoutPort(hop));
    if (address === undefined) return undefined;
    if (!trustedProxies.has(address)) return address;
  }
  return undefined;
}

function withoutPort(hop: string): string {
  const text = hop.trim();
  const match = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text);
  return match?.[1] ?? text;
}

/** A header's value; repeated headers are joined as HTTP allows. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" || value === undefined ? value : value.join(", ");
}
