// A secret we can compare but not show: only its digest is kept, and it never prints.
import { createHash, timingSafeEqual } from "node:crypto";
import { judgeSecret } from "../../base/secret-strength.ts";

export interface SecretDigest {
  /** Whoever tries for long enough finds it. */
  readonly isWeak: boolean;
  /** Takes the same time whatever the candidate is. */
  matches(candidate: string): boolean;
  toJSON(): string;
  toString(): string;
}

export function digestSecret(secret: string): SecretDigest {
  const digest = sha256(secret);
  const hidden = (): string => "[redacted]";
  const { isGuessable, isShort } = judgeSecret(secret);
  return {
    isWeak: isGuessable || isShort,
    matches: (candidate) => timingSafeEqual(digest, sha256(candidate)),
    toJSON: hidden,
    toString: hidden,
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
