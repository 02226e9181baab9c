// The real clock. Tests use the one in @chela/sdk/testing, which they move by hand.
import type { Clock } from "@chela/sdk";

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
