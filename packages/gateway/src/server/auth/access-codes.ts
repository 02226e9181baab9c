// One-time codes that let somebody in: a browser, or one device that is being set up. Good once and for a few minutes.
import type { Clock, Ids } from "@chela/sdk";
import { digestSecret, type SecretDigest } from "./secret.ts";

type CodeRole = "operator" | "node";

/** What a code is good for. */
export type CodeGrant =
  /** A browser of whoever may do everything: it gets what it asks for. */
  | { readonly kind: "page" }
  /** One device, once in each of these roles. */
  | {
      readonly kind: "setup";
      readonly roles: readonly CodeRole[];
      /** What the device will be called. */
      readonly name?: string;
      /** Nobody gives away more than they hold. */
      readonly issuerScopes: readonly string[];
    };

interface AccessCode {
  readonly code: string;
  readonly expiresAtMs: number;
}

/** Who brings a code: the device has proved its id. */
interface CodeClaim {
  readonly deviceId: string;
  readonly role: CodeRole;
}

export interface AccessCodes {
  /** `issuer` is the device it was made for; without one it was made by the gateway itself. */
  issue(issuer?: string, grant?: CodeGrant): AccessCode;
  /** What the code grants to this device in this role, once, while it is valid; undefined when nothing. */
  redeem(candidate: string, claim: CodeClaim): CodeGrant | undefined;
  /** What was made for this device is worth nothing any more; without one, every code. */
  forget(issuer?: string): void;
}

/** Codes that another program made for this gateway, and left where it finds them. */
export interface OutsideCodes {
  all(): ReadonlyArray<{
    readonly code: string;
    readonly expiresAtMs: number;
    readonly roles: readonly string[];
    readonly scopes: readonly string[];
  }>;
  drop(code: string): void;
}

interface Outstanding {
  readonly digest: SecretDigest;
  readonly issuer: string | undefined;
  readonly expiresAtMs: number;
  /** The same by the steady clock: putting the other one back makes no code good again. */
  readonly until: number;
  readonly grant: CodeGrant;
  /** In which roles it has not been used yet. */
  readonly left: readonly CodeRole[];
  /** Whoever used it first is the only one who may use it again. */
  readonly boundTo?: string;
}

/**
 * Whoever can write the file of the other program writes codes, and nobody can tell who it was: none of them makes somebody
 * who says yes to commands. That takes a code of ours, or an approval.
 */
const NEVER_FROM_OUTSIDE: ReadonlySet<string> = new Set(["operator.admin", "operator.pairing", "operator.approvals"]);
const KNOWN_ROLES: readonly CodeRole[] = ["node", "operator"];
const VALID_MS = 10 * 60_000;
const MAX_OUTSTANDING = 20;
const CODE_BYTES = 24;

/** Lives in memory only: a gateway that starts anew knows of no code. */
export function createAccessCodes(parts: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outside?: OutsideCodes;
}): AccessCodes {
  const { clock, ids, outside } = parts;
  let outstanding: Outstanding[] = [];
  const valid = (): Outstanding[] => {
    const [now, steady] = [clock.now(), clock.steady()];
    return outstanding.filter(({ expiresAtMs, until }) => expiresAtMs > now && until > steady);
  };
  /** Takes a code of the other program over, when it is the one that is shown: from then on it is one of ours. */
  const takeOver = (candidate: string): void => {
    const given = digestSecret(candidate);
    for (const { code, expiresAtMs, roles, scopes } of outside?.all() ?? []) {
      if (!given.matches(code)) continue;
      outside?.drop(code);
      const left = KNOWN_ROLES.filter((role) => roles.includes(role));
      const issuerScopes = scopes.filter((scope) => !NEVER_FROM_OUTSIDE.has(scope));
      const grant = { kind: "setup" as const, roles: left, issuerScopes };
      const until = clock.steady() + expiresAtMs - clock.now();
      outstanding = [...valid(), { digest: digestSecret(code), issuer: undefined, expiresAtMs, until, grant, left }];
    }
  };
  return {
    issue(issuer, grant = { kind: "page" }) {
      const code = Buffer.from(ids.secretHex(CODE_BYTES), "hex").toString("base64url");
      const expiresAtMs = clock.now() + VALID_MS;
      const left: readonly CodeRole[] = grant.kind === "page" ? ["operator"] : grant.roles;
      // The oldest goes when there are too many: it was forgotten, the newest is about to be used.
      const until = clock.steady() + VALID_MS;
      const made = { digest: digestSecret(code), issuer, expiresAtMs, until, grant, left };
      outstanding = [...valid(), made].slice(-MAX_OUTSTANDING);
      return { code, expiresAtMs };
    },
    redeem(candidate, claim) {
      takeOver(candidate);
      // Each is compared, so that the time does not tell which of them was nearly right.
      const kept = valid();
      const [match] = kept.filter(({ digest }) => digest.matches(candidate));
      outstanding = kept;
      if (!match || !isFor(match, claim)) return undefined;
      const left = match.left.filter((role) => role !== claim.role);
      const rest = left.length > 0 ? [{ ...match, left, boundTo: claim.deviceId }] : [];
      outstanding = kept.flatMap((one) => (one === match ? rest : [one]));
      return match.grant;
    },
    forget(issuer) {
      outstanding = issuer === undefined ? [] : outstanding.filter((one) => one.issuer !== issuer);
    },
  };
}

function isFor({ left, boundTo }: Outstanding, { deviceId, role }: CodeClaim): boolean {
  return left.includes(role) && (boundTo === undefined || boundTo === deviceId);
}
