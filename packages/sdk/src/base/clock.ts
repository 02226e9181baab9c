// The real clock. Tests use the one in @chela/sdk/testing, which they move by hand.
import type { Clock } from "../time.ts";

/** Timers take what is longer for no time at all. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => Math.floor(performance.now()),
  after(ms, task) {
    const timer = setTimeout(task, Math.min(ms, LONGEST_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
