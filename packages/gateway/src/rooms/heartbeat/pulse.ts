// The one timer of all heartbeats. Light: it runs in every gateway, and loads nothing until a beat is due.
import type { Clock } from "@chela/sdk";

export interface PulseParts {
  readonly clock: Clock;
  /** Something of this installation, so that not all of them ask the same provider at the same moment. */
  readonly seed: string;
  agents(): ReadonlyArray<{ readonly id: string; readonly everyMs: number | null }>;
  beat(agentId: string): void;
}

export interface Pulse {
  /** Looks anew when the next beat is: at the start, and when the configuration changed. */
  plan(): void;
  nextAt(agentId: string): number | undefined;
  stop(): void;
}

/** Timers cannot wait for weeks. */
const LONGEST_WAIT_MS = 86_400_000;

export function createPulse({ clock, seed, agents, beat }: PulseParts): Pulse {
  const next = new Map<string, number>();
  let cancel = (): void => {};
  let isStopped = false;

  function plan(): void {
    cancel();
    next.clear();
    const now = clock.now();
    for (const { id, everyMs } of agents()) if (everyMs !== null) next.set(id, nextBeat(everyMs, seed + id, now));
    if (isStopped || next.size === 0) return;
    cancel = clock.after(Math.min(Math.min(...next.values()) - now, LONGEST_WAIT_MS), fire);
  }

  function fire(): void {
    const now = clock.now();
    const due = [...next].filter(([, at]) => at <= now).map(([id]) => id);
    plan();
    for (const agentId of due) beat(agentId);
  }

  return {
    plan,
    nextAt: (agentId) => next.get(agentId),
    stop() {
      isStopped = true;
      cancel();
      next.clear();
    },
  };
}

/** Each agent has its own place within the interval, the same after every start. */
function nextBeat(everyMs: number, name: string, now: number): number {
  const offset = hash(name) % everyMs;
  const since = (((now - offset) % everyMs) + everyMs) % everyMs;
  return now - since + everyMs;
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value;
}
