// Limits how many strangers are told a code: a hundred strangers must not have us write to all of them.
import type { Clock } from "@chela/sdk";

/** For each account of a channel. */
const MOST_PER_HOUR = 30;
const HOUR_MS = 60 * 60_000;

export class Introductions {
  readonly #clock: Clock;
  /** When each code was told, by account; a code is good for an hour, too. */
  readonly #told = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts it. A code that was told before is not counted again. */
  mayTell(channel: string, account: string, code: string): boolean {
    const key = JSON.stringify([channel, account]);
    const now = this.#clock.steady();
    const kept = [...(this.#told.get(key) ?? [])].filter(([, at]) => now - at < HOUR_MS);
    const told = new Map(kept);
    this.#told.set(key, told);
    if (told.has(code)) return true;
    if (told.size >= MOST_PER_HOUR) return false;
    told.set(code, now);
    return true;
  }
}
