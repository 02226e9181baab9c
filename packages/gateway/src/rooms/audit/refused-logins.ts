// Writes down who was turned away, and how often: whoever knocks without end must not fill the trail.
import type { Clock } from "@chela/sdk";
import type { NewAuditEvent } from "./events.ts";

const MOST_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

export interface RefusedLogins {
  add(event: NewAuditEvent): void;
  /** Writes down how many were left out so far. */
  flush(): void;
}

export function createRefusedLogins(clock: Clock, note: (event: NewAuditEvent) => void): RefusedLogins {
  let since = Number.NEGATIVE_INFINITY;
  let told = 0;
  let left: { count: number; last: NewAuditEvent } | undefined;
  let cancel: (() => void) | undefined;

  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (!left) return;
    const { count, last } = left;
    left = undefined;
    note({
      ...last,
      actor: "many",
      target: "login",
      detail: { ...last.detail, count, sinceMs: clock.steady() - since },
    });
  };

  return {
    add(event) {
      const now = clock.steady();
      if (now - since >= MINUTE_MS) {
        flush();
        [since, told] = [now, 0];
      }
      told += 1;
      if (told <= MOST_PER_MINUTE) return note(event);
      left = { count: (left?.count ?? 0) + 1, last: event };
      cancel ??= clock.after(since + MINUTE_MS - now, flush);
    },
    flush,
  };
}
