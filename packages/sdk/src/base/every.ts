// Repeats a task on a clock; the next time is counted from the end of the last.
import type { Clock } from "../time.ts";

/** The returned function ends it. A task must not reject. */
export function every(clock: Clock, ms: number, task: () => void | Promise<void>): () => void {
  let isOver = false;
  let cancel = (): void => {};
  const again = (): void => {
    if (isOver) return;
    cancel = clock.after(ms, () => void Promise.resolve(task()).then(again));
  };
  again();
  return () => {
    isOver = true;
    cancel();
  };
}
