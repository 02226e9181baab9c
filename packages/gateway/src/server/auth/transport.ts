// May a credential travel on this connection? Off this machine only inside TLS or a tailnet.
import { canonicalAddress, isTailnetAddress } from "./addresses.ts";
import type { ClientAddress } from "@chela/sdk";
import { headerOf, type Headers } from "./locality.ts";

export interface TransportQuestion {
  readonly client: ClientAddress;
  readonly headers: Headers;
  /** The socket itself is TLS. */
  readonly isEncrypted: boolean;
  /** Our own end of the socket. */
  readonly localAddress: string | undefined;
}

export type TransportDecision = { readonly kind: "ok" } | { readonly kind: "plaintext"; readonly message: string };

export function decideTransport(question: TransportQuestion): TransportDecision {
  const { client } = question;
  const isOk =
    question.isEncrypted ||
    client.isLoopbackPeer ||
    isInsideTailnet(client.peerIp, question.localAddress) ||
    (client.isTrustedProxy && isHttpsProxied(question.headers));
  if (isOk) return { kind: "ok" };
  return {
    kind: "plaintext",
    message:
      "unencrypted connection from another machine refused (use wss:// with gateway.tls.enabled, Tailscale, or an SSH tunnel to loopback)",
  };
}

function isInsideTailnet(peerIp: string, localAddress: string | undefined): boolean {
  const own = canonicalAddress(localAddress);
  return own !== undefined && isTailnetAddress(own) && isTailnetAddress(peerIp);
}

function isHttpsProxied(headers: Headers): boolean {
  const hops = (headerOf(headers, "x-forwarded-proto") ?? "").split(",").map((hop) => hop.trim().toLowerCase());
  return hops.every((hop) => hop === "https" || hop === "wss");
}
