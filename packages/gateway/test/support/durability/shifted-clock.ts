// A clock that begins at noon, so that no midnight falls into a test, goes on by itself, and can be set.
import type { Clock } from "@chela/sdk";

interface ShiftedClock extends Clock {
  /** As if this time had passed; nobody who waits is woken earlier. */
  advance(ms: number): void;
  /** Somebody sets it, forward or back: no time passes. */
  jump(ms: number): void;
}

export function createShiftedClock(): ShiftedClock {
  const started = Date.now();
  let passed = 0;
  let shift = new Date(started).setHours(12, 0, 0, 0) - started;
  return {
    now: () => Date.now() + passed + shift,
    steady: () => Math.floor(performance.now()) + passed,
    after(ms, task) {
      const timer = setTimeout(task, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
    advance: (ms) => void (passed += ms),
    jump: (ms) => void (shift += ms),
  };
}
