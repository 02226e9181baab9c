// Picks standing sandboxes that nobody needs any more.
import type { StandingSandbox } from "@chela/sdk";

export interface PruneLimits {
  /** 0: however long nobody used it. */
  readonly idleHours: number;
  /** 0: however old it is. */
  readonly maxAgeDays: number;
}

const HOUR_MS = 3_600_000;
/** What was used a moment ago may be in use. */
const HOT_MS = 5 * 60_000;

export function pickIdle(standing: readonly StandingSandbox[], now: number, limits: PruneLimits): StandingSandbox[] {
  const { idleHours, maxAgeDays } = limits;
  return standing.filter(({ lastUsedAt, createdAt }) => {
    const idleMs = now - lastUsedAt;
    const isIdle = idleHours > 0 && idleMs > idleHours * HOUR_MS;
    const isOld = maxAgeDays > 0 && now - createdAt > maxAgeDays * 24 * HOUR_MS;
    return isIdle || (isOld && idleMs > HOT_MS);
  });
}
