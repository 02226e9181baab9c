// Notices when nothing has moved for a while, without a timer for each piece.
import type { Clock } from "@chela/sdk";

export interface IdleWatch {
  touch(): void;
  stop(): void;
}

export function watchIdle(clock: Clock, idleMs: number, onIdle: () => void): IdleWatch {
  let movedAt = clock.steady();
  let cancel = (): void => {};
  const wait = (ms: number): void => {
    cancel = clock.after(ms, () => {
      const left = movedAt + idleMs - clock.steady();
      if (left > 0) wait(left);
      else onIdle();
    });
  };
  wait(idleMs);
  return {
    touch: () => void (movedAt = clock.steady()),
    stop: () => cancel(),
  };
}
