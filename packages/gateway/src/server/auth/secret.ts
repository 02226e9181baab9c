// A secret we can compare but not show: only its digest is kept, and it never prints.
import { createHash, timingSafeEqual } from "node:crypto";

export interface SecretDigest {
  /** Takes the same time whatever the candidate is. */
  matches(candidate: string): boolean;
  toJSON(): string;
  toString(): string;
}

export function digestSecret(secret: string): SecretDigest {
  const digest = sha256(secret);
  const hidden = (): string => "[redacted]";
  return {
    matches: (candidate) => timingSafeEqual(digest, sha256(candidate)),
    toJSON: hidden,
    toString: hidden,
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
