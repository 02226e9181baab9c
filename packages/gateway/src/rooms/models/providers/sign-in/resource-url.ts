// The address that a sign-in names for its token, in the one form that calls are made with.

/** Where a token is good: a host, or an address with or without the version. Undefined when it is none to send secrets to. */
export function readResourceUrl(text: string | null | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  const isHere = url !== null && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  if (url === null || url.username !== "" || (url.protocol !== "https:" && !isHere)) return undefined;
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path.endsWith("/v1") ? path : `${path}/v1`}`;
}
