// Tells whether a host name means the machine one is on.

/** Nobody elsewhere reaches it. */
export function isThisMachine(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host.startsWith("127.");
}
