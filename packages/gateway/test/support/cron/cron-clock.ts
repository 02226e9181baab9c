// A clock that jumps: it stands still until it is told the time, then runs once whatever has become due, as after a machine's sleep.
import type { Clock } from "@chela/sdk";

/** A time, and how long before it somebody began to wait for it: others wait for the same time, but hardly as long. */
export interface Wait {
  readonly at: number;
  readonly ms: number;
}

export interface JumpingClock extends Clock {
  /** Never back. */
  jump(to: number): void;
  /** Runs what is due and says how much that was. */
  runDue(): number;
  /** How many tasks have waited this long when it is exactly this time. */
  count(wait: Wait): number;
  /** The process is killed when somebody has looked at the clock this often; never when undefined. */
  dieAfter(looks: number | undefined): void;
}

export function createJumpingClock(start: number): JumpingClock {
  let now = start;
  let nextId = 0;
  let left = Infinity;
  const tasks = new Map<number, Wait & { readonly run: () => void }>();
  return {
    now() {
      left -= 1;
      if (left < 0) process.kill(process.pid, "SIGKILL");
      return now;
    },
    steady: () => now - start,
    after(ms, run) {
      const id = nextId++;
      tasks.set(id, { at: now + ms, ms, run });
      return () => void tasks.delete(id);
    },
    jump: (to) => void (now = Math.max(now, to)),
    runDue() {
      const due = [...tasks]
        .filter(([, { at }]) => at <= now)
        .sort(([a, one], [b, other]) => one.at - other.at || a - b);
      // One that runs may take another back.
      for (const [id, { run }] of due) if (tasks.delete(id)) run();
      return due.length;
    },
    count: (wait) => [...tasks.values()].filter(({ at, ms }) => at === wait.at && ms === wait.ms).length,
    dieAfter: (looks = Infinity) => void (left = looks),
  };
}
