// Checks that a request is Twilio's: it signs the address it calls and all fields, with the account's token.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** One letter of the address or of a field more or less, and it does not fit. */
export function isSigned(given: string | undefined, url: string, fields: URLSearchParams, authToken: string): boolean {
  const sorted = [...fields].toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  const text = sorted.map(([name, value]) => `${name}${value}`).join("");
  // All are tried in any case, so that the time tells nothing.
  return waysToWrite(url)
    .map((way) => isSame(given ?? "", createHmac("sha1", authToken).update(`${way}${text}`).digest("base64")))
    .includes(true);
}

/** Twilio signs some addresses with their port and some without, and may leave out what follows a #. */
function waysToWrite(url: string): string[] {
  const [, origin = "", port = "", rest = ""] = /^(https?:\/\/[^/:?#]+)(:\d+)?(.*)$/i.exec(url) ?? [];
  const usual = /^https/i.test(origin) ? ":443" : ":80";
  const ways = [url, `${origin}${port || usual}${rest}`, `${origin}${rest}`];
  return [...new Set(ways.flatMap((way) => [way, way.replace(/#.*$/, "")]))];
}

/** Digests have one length, whatever was sent, and are compared in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
