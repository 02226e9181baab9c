// Limits how fast we write: servers throw out whoever writes too many lines at once.
import type { Clock } from "@chela/sdk";

export interface Pace {
  /** Resolves when the next line may be written: true; or false when there is nobody to write to any more. */
  turn(): Promise<boolean>;
  /** The server has worked off everything that was written: it can take more. */
  confirmed(): void;
  /** How many are waiting for their turn. */
  readonly waiting: number;
  stop(): void;
}

const BURST = 5;
const EVERY_MS = 1500;
const EVERY_MS_WHEN_CONFIRMED = 600;

export function createPace(clock: Clock): Pace {
  const queue: Array<(mayWrite: boolean) => void> = [];
  let tokens = BURST;
  let countedAt = clock.steady();
  let isConfirmed = true;
  let cancel: (() => void) | undefined;
  let isStopped = false;

  const every = (): number => (isConfirmed ? EVERY_MS_WHEN_CONFIRMED : EVERY_MS);
  const refill = (): void => {
    const now = clock.steady();
    tokens = Math.min(BURST, tokens + Math.max(0, now - countedAt) / every());
    countedAt = now;
  };
  const serve = (): void => {
    cancel?.();
    cancel = undefined;
    refill();
    while (tokens >= 1 && queue.length > 0) {
      tokens -= 1;
      isConfirmed = false;
      queue.shift()?.(true);
    }
    if (queue.length > 0) cancel = clock.after(Math.ceil((1 - tokens) * every()), serve);
  };
  return {
    turn() {
      if (isStopped) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      queue.push(resolve);
      if (queue.length === 1) serve();
      return promise;
    },
    confirmed() {
      refill();
      isConfirmed = true;
      if (queue.length > 0) serve();
    },
    get waiting() {
      return queue.length;
    },
    stop() {
      isStopped = true;
      cancel?.();
      for (const resolve of queue.splice(0)) resolve(false);
    },
  };
}
