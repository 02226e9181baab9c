// Slows a command down that prints faster than anybody could read, so that the gateway has time for others.
import type { Clock } from "@chela/sdk";

const WINDOW_MS = 50;
const WINDOW_CHARS = 1_000_000;

interface Pausable {
  pause(): void;
  resume(): void;
}

export interface FlowLimit {
  count(chars: number): void;
  end(): void;
}

/** A million characters per window; then the sources are paused, and the command waits until the next one opens. */
export function limitFlow(clock: Clock, sources: () => readonly Pausable[]): FlowLimit {
  let used = 0;
  let windowEnd = 0;
  let cancel: (() => void) | undefined;
  const reopen = (): void => {
    cancel = undefined;
    used = 0;
    for (const source of sources()) source.resume();
  };
  return {
    count(chars) {
      const now = clock.steady();
      if (now >= windowEnd) {
        windowEnd = now + WINDOW_MS;
        used = 0;
      }
      used += chars;
      if (used < WINDOW_CHARS || cancel) return;
      for (const source of sources()) source.pause();
      cancel = clock.after(Math.max(1, windowEnd - now), reopen);
    },
    end: () => cancel?.(),
  };
}
