// A clock that stands still until a test moves it.
import type { Clock } from "../time.ts";

export interface FakeClock extends Clock {
  /** Moves time forward, running due tasks in order; tasks may plan further ones. */
  advance(ms: number): Promise<void>;
  /** How many tasks are waiting. */
  readonly waiting: number;
}

export function createFakeClock(start = Date.UTC(2026, 0, 15, 12)): FakeClock {
  let now = start;
  let nextId = 0;
  const tasks = new Map<number, { at: number; run: () => void }>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    after(ms, run) {
      const id = nextId++;
      tasks.set(id, { at: now + ms, run });
      return () => void tasks.delete(id);
    },
    get waiting() {
      return tasks.size;
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...tasks].filter(([, task]) => task.at <= end).sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
        if (!due) break;
        now = Math.max(now, due[1].at);
        tasks.delete(due[0]);
        due[1].run();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
