// Rate limit of guesses at a secret. A guess is paid for before it is looked at, so parallel guesses gain nothing.
import type { Clock } from "@chela/sdk";
import { limitKeyOf } from "./addresses.ts";
import type { ClientAddress } from "@chela/sdk";

type LimitScope = "shared-secret" | "cli-secret" | "device-token" | "access-code" | "hook-auth" | "tailscale";

export interface RateLimitSettings {
  readonly maxAttempts?: number | undefined;
  readonly windowMs?: number | undefined;
  readonly lockoutMs?: number | undefined;
  readonly exemptLoopback?: boolean | undefined;
}

export interface Guesser {
  readonly client: ClientAddress;
  /** Origin of a page in somebody's browser that is not our own, which loopback does not excuse. */
  readonly foreignPage: string | undefined;
  /** What is guessed at can be found by trying. On this machine, where nobody is locked out, such guesses are slowed down. */
  readonly isWeak?: boolean | undefined;
  /** A paired device that proved its key: what others guess, even from the same address, is not held against it. */
  readonly device?: string | undefined;
}

type Attempt =
  | { readonly kind: "allowed"; succeed(): void; fail(): void }
  | { readonly kind: "limited"; readonly retryAfterMs: number };

export interface RateLimiter {
  /** Takes one attempt out of the budget. Call succeed or fail when its outcome is known. */
  begin(scope: LimitScope, guesser: Guesser): Attempt;
  /** Takes back the newest failure, when another credential of the same request turned out good. */
  forgive(scope: LimitScope, guesser: Guesser): void;
  readonly size: number;
}

interface Mark {
  readonly at: number;
  hasFailed: boolean;
}

interface Bucket {
  marks: Mark[];
  lockedUntil: number;
}

/** How wrong guesses on this machine were spread, and when the next one is looked at. */
interface Pace {
  failedAt: number[];
  nextAt: number;
}

const FREE: Attempt = { kind: "allowed", succeed: () => undefined, fail: () => undefined };
/** Between two guesses at a weak secret: doubled with each, up to one a second, which whoever mistyped hardly notices. */
const FIRST_PAUSE_MS = 50;
const SLOWEST_MS = 1_000;
const MAX_KEYS = 10_000;
/** All strangers together, as a multiple of what one of them may do in a window. */
const EVERYBODY = 100;

export function createRateLimiter(clock: Clock, settings: RateLimitSettings = {}): RateLimiter {
  const max = atLeastOne(settings.maxAttempts, 10);
  const windowMs = atLeastOne(settings.windowMs, 60_000);
  const lockoutMs = atLeastOne(settings.lockoutMs, 300_000);
  const isLoopbackExempt = settings.exemptLoopback ?? true;
  const buckets = new Map<string, Bucket>();
  const total = { since: clock.steady(), count: 0 };

  const paces = new Map<LimitScope, Pace>();
  const keyOf = (scope: LimitScope, { client, foreignPage, device }: Guesser): string | undefined => {
    if (device !== undefined) return `${scope} device ${device}`;
    // A page cannot lie about its origin, and other programs here need none to guess; so each page is counted by itself.
    if (client.isDirectLoopback && foreignPage !== undefined) return `${scope} page ${foreignPage}`;
    if (client.isDirectLoopback && isLoopbackExempt) return undefined;
    return `${scope} ${limitKeyOf(client.ip)}`;
  };

  /** The key's bucket, moved to the young end; the oldest key is forgotten when there are too many. */
  const bucketOf = (key: string): Bucket => {
    const bucket = buckets.get(key) ?? { marks: [], lockedUntil: 0 };
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > MAX_KEYS)
      for (const oldest of buckets.keys()) {
        buckets.delete(oldest);
        break;
      }
    return bucket;
  };

  const waitOf = (bucket: Bucket, now: number, isKnown: boolean): number => {
    if (bucket.lockedUntil > now) return bucket.lockedUntil - now;
    bucket.marks = bucket.marks.filter((mark) => mark.at > now - windowMs);
    const [oldest] = bucket.marks;
    if (oldest && bucket.marks.length >= max) return oldest.at + windowMs - now;
    if (isKnown) return 0;
    if (now - total.since >= windowMs) Object.assign(total, { since: now, count: 0 });
    return total.count >= max * EVERYBODY ? total.since + windowMs - now : 0;
  };

  /** All of this machine together, since nobody here can be told from anybody else. */
  const beginPaced = (scope: LimitScope): Attempt => {
    const now = clock.steady();
    const pace = paces.get(scope) ?? { failedAt: [], nextAt: now };
    paces.set(scope, pace);
    pace.failedAt = pace.failedAt.filter((at) => at > now - windowMs);
    if (pace.failedAt.length >= max && now < pace.nextAt) return { kind: "limited", retryAfterMs: pace.nextAt - now };
    return {
      kind: "allowed",
      succeed: () => undefined,
      fail() {
        pace.failedAt.push(now);
        const beyond = Math.max(0, pace.failedAt.length - max);
        pace.nextAt = now + Math.min(SLOWEST_MS, FIRST_PAUSE_MS * 2 ** beyond);
      },
    };
  };

  return {
    begin(scope, guesser) {
      const key = keyOf(scope, guesser);
      if (key === undefined) return guesser.isWeak === true ? beginPaced(scope) : FREE;
      const now = clock.steady();
      const bucket = bucketOf(key);
      const wait = waitOf(bucket, now, guesser.device !== undefined);
      if (wait > 0) return { kind: "limited", retryAfterMs: wait };
      const mark: Mark = { at: now, hasFailed: false };
      bucket.marks.push(mark);
      total.count += 1;
      return {
        kind: "allowed",
        succeed() {
          total.count = Math.max(0, total.count - 1);
          bucket.marks = bucket.marks.filter((other) => !other.hasFailed && other !== mark);
          bucket.lockedUntil = 0;
        },
        fail() {
          mark.hasFailed = true;
          const failed = bucket.marks.filter((other) => other.hasFailed).length;
          if (failed >= max) bucket.lockedUntil = clock.steady() + lockoutMs;
        },
      };
    },
    forgive(scope, guesser) {
      const bucket = buckets.get(keyOf(scope, guesser) ?? "");
      const newest = bucket?.marks.findLastIndex((mark) => mark.hasFailed) ?? -1;
      if (!bucket || newest < 0) return;
      bucket.marks.splice(newest, 1);
      total.count = Math.max(0, total.count - 1);
      bucket.lockedUntil = 0;
    },
    get size() {
      return buckets.size;
    },
  };
}

/** A limit of zero or less is a mistake, not a way to switch the limit off. */
function atLeastOne(value: number | undefined, fallback: number): number {
  return value === undefined || !Number.isFinite(value) ? fallback : Math.max(1, value);
}
