// Waits a while, or until a signal says that nobody wants to wait any more.
import type { Clock } from "./time.ts";

/** Whoever pauses often leaves nothing behind on a signal that lives long. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener("abort", end, { once: true });
  });
}
