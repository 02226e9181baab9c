// Waits for work that may never end, but only so long; the work itself goes on.
import type { Clock } from "../time.ts";

export async function waitAtMost<T>(ms: number, work: Promise<T>, clock: Clock): Promise<T | "late"> {
  const { promise, resolve } = Promise.withResolvers<"late">();
  const cancel = clock.after(ms, () => resolve("late"));
  try {
    return await Promise.race([work, promise]);
  } finally {
    cancel();
  }
}
