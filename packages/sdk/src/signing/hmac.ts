// Keyed digests over bytes as they are, compared in constant time.
import { createHmac, timingSafeEqual } from "node:crypto";

type Key = string | Uint8Array;

export function hmacSha256(key: Key, ...parts: ReadonlyArray<string | Uint8Array>): Buffer {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Takes the same time wherever the first difference is. */
export function isSameText(given: string | undefined, expected: string): boolean {
  const [left, right] = [Buffer.from(given ?? ""), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
