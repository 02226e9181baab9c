// The clock of commands that wait: unlike the gateway's own, its timers keep the process alive until they are due.
import type { Clock } from "@chela/sdk";

export const commandClock: Clock = {
  now: () => Date.now(),
  steady: () => Math.floor(performance.now()),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
