// Allow-list of hosts and ports a sandbox may reach, as the operator wrote them down.
import { isIP } from "node:net";

export interface AllowEntry {
  /** In the spelling URLs have: lower case, no final dot, other scripts encoded. */
  readonly host: string;
  /** Every name below the host, but not the host itself. */
  readonly isForSubdomains: boolean;
  readonly port?: number;
}

export type AllowDecision =
  | { readonly kind: "allowed" }
  /** `isPort` when the host itself is in the list. */
  | { readonly kind: "refused"; readonly isPort: boolean };

const WEB_PORTS: readonly number[] = [80, 443];
const ENTRY = /^(\*\.)?([^\s/@?#\\%*:[\]]+)(?::(\d{1,5}))?$/;

/** Undefined for what is no host, for addresses, and for a star that stands for everything or for a whole top domain. */
export function readEntry(written: string): AllowEntry | undefined {
  const [, star, name = "", port] = ENTRY.exec(written.trim()) ?? [];
  const host = canonicalHost(name);
  if (host === undefined || isIP(host)) return undefined;
  if (star !== undefined && !host.includes(".")) return undefined;
  const number = Number(port);
  if (port !== undefined && (number < 1 || number > 65535)) return undefined;
  return { host, isForSubdomains: star !== undefined, ...(port === undefined ? {} : { port: number }) };
}

export function decideHost(host: string, port: number, entries: readonly AllowEntry[]): AllowDecision {
  const named = entries.filter((entry) =>
    entry.isForSubdomains ? host.endsWith(`.${entry.host}`) : host === entry.host,
  );
  const isAllowed = named.some((entry) => (entry.port === undefined ? WEB_PORTS.includes(port) : entry.port === port));
  return isAllowed ? { kind: "allowed" } : { kind: "refused", isPort: named.length > 0 };
}

/** As a URL would spell it, without brackets and final dot; undefined for what cannot be a host. */
export function canonicalHost(written: string): string | undefined {
  const url = URL.parse(`http://${written}/`);
  if (!url || url.port || url.username || url.pathname !== "/" || url.search || url.hash) return undefined;
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  return host === "" || host.split(".").includes("") ? undefined : host;
}
