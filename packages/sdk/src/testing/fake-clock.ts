// A clock that stands still until a test moves it.
import type { Clock } from "../time.ts";

export interface FakeClock extends Clock {
  /** Moves time forward, running due tasks in order; tasks may plan further ones. */
  advance(ms: number): Promise<void>;
  /** Somebody sets the clock, forward or back: no time passes. */
  jump(ms: number): void;
  /** How many tasks are waiting. */
  readonly waiting: number;
}

export function createFakeClock(start = Date.UTC(2026, 0, 15, 12)): FakeClock {
  /** How much time has passed; not zero, so that whoever takes zero for "never" is found out. */
  let passed = 1000;
  let shift = start - passed;
  let nextId = 0;
  const tasks = new Map<number, { id: number; at: number; run: () => void }>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  /** Of several at the same time, the one that was planned first. */
  const findFirst = () => {
    let [first] = tasks.values();
    for (const task of tasks.values()) if (first && task.at < first.at) first = task;
    return first;
  };
  return {
    now: () => passed + shift,
    steady: () => passed,
    after(ms, run) {
      const id = nextId++;
      tasks.set(id, { id, at: passed + ms, run });
      return () => void tasks.delete(id);
    },
    get waiting() {
      return tasks.size;
    },
    async advance(ms) {
      const end = passed + ms;
      for (;;) {
        const due = findFirst();
        if (!due || due.at > end) break;
        passed = Math.max(passed, due.at);
        tasks.delete(due.id);
        due.run();
        await settle();
      }
      passed = end;
      await settle();
    },
    jump: (ms) => void (shift += ms),
  };
}
