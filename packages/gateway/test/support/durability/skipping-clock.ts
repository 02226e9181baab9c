// A clock that goes on by itself and can skip some time: what became due meanwhile is run at once.
import type { Clock } from "@chela/sdk";

export interface SkippingClock extends Clock {
  skip(ms: number): void;
}

export function createSkippingClock(): SkippingClock {
  const started = Date.now();
  // No midnight falls into a test by chance.
  let shift = new Date(started).setHours(9, 0, 0, 0) - started;
  let skipped = 0;
  const now = () => Date.now() + shift;
  const tasks = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now,
    steady: () => Math.floor(performance.now()) + skipped,
    after(ms, task) {
      const one = { at: now() + ms, run };
      const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
      timer.unref();
      tasks.add(one);
      function run(): void {
        clearTimeout(timer);
        if (tasks.delete(one)) task();
      }
      return () => {
        clearTimeout(timer);
        tasks.delete(one);
      };
    },
    skip(ms) {
      shift += ms;
      skipped += ms;
      const due = [...tasks].filter(({ at }) => at <= now()).toSorted((a, b) => a.at - b.at);
      for (const { run } of due) run();
    },
  };
}
