// The host part of Host and Origin headers, read strictly: what is not plainly a host is none.
import { canonicalAddress, isLoopbackAddress } from "./addresses.ts";

/** Lowercase name or canonical address from a Host header; undefined when it is missing or malformed. */
export function hostOf(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec((header ?? "").trim());
  if (!match?.[1]) return undefined;
  const name = match[1].toLowerCase().replace(/\.$/, "");
  return name.startsWith("[") ? canonicalAddress(name) : (canonicalAddress(name) ?? name);
}

export interface ParsedOrigin {
  /** scheme://host[:port] in lower case. */
  readonly text: string;
  readonly host: string;
  /** host[:port] as a Host header would have it. */
  readonly hostWithPort: string;
}

/** Only http and https origins exist for us; "null" and anything with a path are none. */
export function parseOrigin(header: string | undefined): ParsedOrigin | undefined {
  const text = (header ?? "").trim().toLowerCase();
  if (!/^https?:\/\/[^/?#@\s]+$/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const host = hostOf(url.host);
  return host === undefined ? undefined : { text: url.origin, host, hostWithPort: url.host };
}

/** localhost and loopback addresses. Other spellings such as 127.1 or 0x7f000001 are not accepted. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || isLoopbackAddress(host);
}

export function isTailnetHost(host: string): boolean {
  return host.endsWith(".ts.net") && host.length > ".ts.net".length;
}
