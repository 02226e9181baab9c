// Handles redirects of a request: whether they are followed, and what the new place gets to see.
import type { IncomingMessage } from "node:http";
import { GatewayError } from "@chela/sdk";
import type { CheckedRequest } from "./carry-over.ts";
import type { Target } from "./safe-fetch-target.ts";

const REDIRECTS = [301, 302, 303, 307, 308];
/** All that a new origin gets to see of what was meant for another. */
const FOR_EVERYBODY = ["accept", "accept-language", "user-agent", "accept-encoding"];

/** Where the answer points, read when it is asked for; undefined when it is an answer. */
export function redirectOf(incoming: IncomingMessage, from: Target): (() => URL) | undefined {
  const { location } = incoming.headers;
  if (location === undefined || !REDIRECTS.includes(incoming.statusCode ?? 0)) return undefined;
  return () => {
    const url = URL.parse(location, from.url.href);
    if (!url) throw new GatewayError("FETCH_FAILED", `${from.host} redirects to something that is no address`);
    return url;
  };
}

/** Another origin gets neither credentials nor the body; what it is asked then can only be a GET. */
export function requestAfter(status: number, before: CheckedRequest, isSameOrigin: boolean): CheckedRequest {
  const keepsMethod = status === 307 || status === 308 || before.method !== "POST";
  if (isSameOrigin && keepsMethod) return before;
  const method = before.method === "HEAD" ? "HEAD" : "GET";
  const headers = Object.entries(before.headers).filter(([name]) =>
    isSameOrigin ? !name.startsWith("content-") : FOR_EVERYBODY.includes(name),
  );
  return { method, headers: Object.fromEntries(headers) };
}

export function tooManyRedirects({ host }: Target, maxRedirects: number): GatewayError {
  const allowed = maxRedirects === 0 ? "none is followed" : `at most ${maxRedirects} are followed`;
  return new GatewayError("FETCH_REFUSED", `${host} redirects once more, but ${allowed}`);
}
