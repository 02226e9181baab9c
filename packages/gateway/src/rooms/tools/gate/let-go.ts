// Waits for work no longer than the turn lasts: once it is stopped, the work has a moment to let go and is then left behind.
import type { Clock } from "@chela/sdk";

export type LetGo<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown }
  /** It did not let go in time. It may still be running, but nobody waits for it. */
  | { readonly kind: "abandoned" };

export interface Patience {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** How long work may take to let go after the signal. */
  readonly letGoMs: number;
}

/** Never rejects, and `work` may settle at any time later without harm. */
export function letGo<T>(work: Promise<T>, { signal, clock, letGoMs }: Patience): Promise<LetGo<T>> {
  return new Promise((resolve) => {
    let cancel: (() => void) | undefined;
    const onAbort = (): void => {
      cancel = clock.after(letGoMs, () => resolve({ kind: "abandoned" }));
    };
    const settle = (outcome: LetGo<T>): void => {
      signal.removeEventListener("abort", onAbort);
      cancel?.();
      resolve(outcome);
    };
    work.then(
      (value) => settle({ kind: "done", value }),
      (error: unknown) => settle({ kind: "failed", error }),
    );
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
