// Tells whether an embedder can be asked now: after a failure it is left alone for a while, longer each time.
import { GatewayError, type Clock } from "@chela/sdk";

const SHORTEST_REST_MS = 1_000;
const LONGEST_REST_MS = 300_000;

export class EmbedderHealth {
  readonly #clock: Clock;
  #failures = 0;
  #restsUntil = 0;
  #why: string | undefined;
  /** A question is still unanswered after the time somebody waited for it. */
  isLate = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** In a few words, since the last success. */
  get why(): string | undefined {
    return this.#why;
  }

  get restMs(): number {
    return Math.max(0, this.#restsUntil - this.#clock.steady());
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restsUntil = 0;
    this.#why = undefined;
  }

  failed(error: unknown): void {
    const asked = retryAfterMs(error);
    const rest = asked ?? SHORTEST_REST_MS * 2 ** Math.min(this.#failures, 20);
    this.#failures++;
    this.#restsUntil = this.#clock.steady() + Math.min(LONGEST_REST_MS, Math.max(SHORTEST_REST_MS, rest));
    this.#why = GatewayError.is(error) ? error.detail : error instanceof Error ? error.message : String(error);
  }
}

/** Who says when to come back is not asked earlier. */
export function retryAfterMs(error: unknown): number | undefined {
  for (const place of [error, (error as { cause?: unknown } | undefined)?.cause]) {
    const ms = typeof place === "object" && place && "retryAfterMs" in place ? place.retryAfterMs : undefined;
    if (typeof ms === "number" && Number.isFinite(ms) && ms >= 0) return ms;
  }
  return undefined;
}
