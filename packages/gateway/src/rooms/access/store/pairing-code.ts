// The codes by which strangers are approved: made from secure randomness, compared without telling how much was right.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Clock, Ids } from "@chela/sdk";

/** 32 signs nobody takes for one another, so that five random bits are one sign. */
const SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 8;

export function makeCode(ids: Pick<Ids, "secretHex">): string {
  const bytes = Buffer.from(ids.secretHex(LENGTH), "hex");
  return [...bytes].map((byte) => SIGNS[byte % SIGNS.length]).join("");
}

/** Codes are read aloud and typed by people: case and spaces do not matter. */
export function isSameCode(given: string, code: string): boolean {
  return timingSafeEqual(digest(given.replace(/\s+/g, "").toUpperCase()), digest(code));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const GUESSES = 10;
const WINDOW_MS = 60_000;

/** Wrong codes in the last minute. A guess counts before it is looked at. */
export class Guesses {
  readonly #clock: Clock;
  #times: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** 0 when another guess may be made, which is counted at once; otherwise how long to wait. */
  take(): number {
    const now = this.#clock.steady();
    this.#times = this.#times.filter((time) => now - time < WINDOW_MS);
    const [oldest = now] = this.#times;
    if (this.#times.length >= GUESSES) return Math.max(1, oldest + WINDOW_MS - now);
    this.#times.push(now);
    return 0;
  }

  /** The last one was right. */
  giveBack(): void {
    this.#times.pop();
  }
}
