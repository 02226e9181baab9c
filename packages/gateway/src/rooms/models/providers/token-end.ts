// Computes when the token of a sign-in counts as ended.
import type { Clock } from "@chela/sdk";

/** When nobody says. */
const USUAL_SECONDS = 3_600;
/** A token that ends during a long answer is of no use, so it counts as ended a little early. */
const EARLY_MS = 5 * 60_000;

/** The instant from which on a token is renewed. */
export function endOfToken(seconds: number | null | undefined, clock: Clock): number {
  return clock.now() + Math.max(60_000, (seconds ?? USUAL_SECONDS) * 1000 - EARLY_MS);
}
