// One-time codes that let a browser in: made for whoever may do everything, good once and for a few minutes.
import type { Clock, Ids } from "@chela/sdk";
import { digestSecret, type SecretDigest } from "./secret.ts";

export interface AccessCode {
  readonly code: string;
  readonly expiresAtMs: number;
}

export interface AccessCodes {
  /** `issuer` is the device it was made for; without one it was made by the gateway itself. */
  issue(issuer?: string): AccessCode;
  /** True once for each code, while it is valid. */
  redeem(candidate: string): boolean;
  /** What was made for this device is worth nothing any more; without one, every code. */
  forget(issuer?: string): void;
}

interface Outstanding {
  readonly digest: SecretDigest;
  readonly issuer: string | undefined;
  readonly expiresAtMs: number;
}

const VALID_MS = 10 * 60_000;
const MAX_OUTSTANDING = 20;
const CODE_BYTES = 24;

/** Lives in memory only: a gateway that starts anew knows of no code. */
export function createAccessCodes({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): AccessCodes {
  let outstanding: Outstanding[] = [];
  const valid = (): Outstanding[] => {
    const now = clock.now();
    return outstanding.filter(({ expiresAtMs }) => expiresAtMs > now);
  };
  return {
    issue(issuer) {
      const code = Buffer.from(ids.secretHex(CODE_BYTES), "hex").toString("base64url");
      const expiresAtMs = clock.now() + VALID_MS;
      // The oldest goes when there are too many: it was forgotten, the newest is about to be used.
      outstanding = [...valid(), { digest: digestSecret(code), issuer, expiresAtMs }].slice(-MAX_OUTSTANDING);
      return { code, expiresAtMs };
    },
    redeem(candidate) {
      // Each is compared, so that the time does not tell which of them was nearly right.
      const kept = valid();
      const used = kept.filter(({ digest }) => digest.matches(candidate));
      outstanding = kept.filter((one) => !used.includes(one));
      return used.length > 0;
    },
    forget(issuer) {
      outstanding = issuer === undefined ? [] : outstanding.filter((one) => one.issuer !== issuer);
    },
  };
}
