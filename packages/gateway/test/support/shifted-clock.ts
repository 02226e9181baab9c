// A clock that begins at noon, so that no midnight falls into a test, goes on by itself, and can be put forward.
import type { Clock } from "@chela/sdk";

interface ShiftedClock extends Clock {
  advance(ms: number): void;
}

export function createShiftedClock(): ShiftedClock {
  const started = Date.now();
  let shift = new Date(started).setHours(12, 0, 0, 0) - started;
  return {
    now: () => Date.now() + shift,
    after(ms, task) {
      const timer = setTimeout(task, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
    advance: (ms) => void (shift += ms),
  };
}
