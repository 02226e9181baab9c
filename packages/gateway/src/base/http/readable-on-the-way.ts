// Tells whether others on the way to an address can read what is sent there.
import { isIP } from "node:net";

/** Undefined when nobody on the way can read along. */
export function readableOnTheWay(
  address: string,
): { readonly host: string; readonly severity: "info" | "warning" } | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== "http:") return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (host === "localhost" || host.endsWith(".localhost") || host === "::1" || host.startsWith("127."))
    return undefined;
  const isPrivate =
    (isIP(host) === 4 &&
      /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(host)) ||
    (isIP(host) === 6 && /^f[cd]/.test(host)) ||
    /\.(?:local|lan|internal|home\.arpa)$/.test(host) ||
    !host.includes(".");
  return { host, severity: isPrivate ? "info" : "warning" };
}
