// A short pause for a model that fails again and again for reasons that pass by themselves: an outage, a bad line.
import type { Clock } from "@chela/sdk";

const FAILURES_TO_OPEN = 3;
const OPEN_MS = 15_000;

export type CircuitState = "closed" | "open" | "half-open";

interface Circuit {
  failures: number;
  openUntil: number;
  isProbed: boolean;
}

/** One circuit per key. Keys without recent failures take no memory. */
export class Circuits {
  readonly #clock: Clock;
  readonly #circuits = new Map<string, Circuit>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Half-open: the pause is over, and one call may try whether things are well again. */
  state(key: string): CircuitState {
    const circuit = this.#circuits.get(key);
    if (!circuit || circuit.failures < FAILURES_TO_OPEN) return "closed";
    return circuit.isProbed || circuit.openUntil > this.#clock.steady() ? "open" : "half-open";
  }

  begin(key: string): void {
    const circuit = this.#circuits.get(key);
    if (circuit && circuit.failures >= FAILURES_TO_OPEN) circuit.isProbed = true;
  }

  /** The server answered, in whatever way. */
  close(key: string): void {
    this.#circuits.delete(key);
  }

  fail(key: string): void {
    const failures = (this.#circuits.get(key)?.failures ?? 0) + 1;
    this.#circuits.set(key, { failures, openUntil: this.#clock.steady() + OPEN_MS, isProbed: false });
  }

  /** The call ended without telling anything, because somebody stopped it. */
  release(key: string): void {
    const circuit = this.#circuits.get(key);
    if (circuit) circuit.isProbed = false;
  }
}
