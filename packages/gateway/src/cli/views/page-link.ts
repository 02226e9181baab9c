// The address that opens the control page with a one-time code. It stands in the fragment, which is sent to no server.

/** `gateway` is its address, as a socket or a page. */
export function pageLink(
  gateway: string,
  { basePath, code }: { readonly basePath: string; readonly code: string },
): string {
  const { origin } = new URL(gateway.replace(/^ws/, "http"));
  return `${origin}${basePath}/#code=${code}`;
}
