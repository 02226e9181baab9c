// Waiting that ends early: by a signal, or because time is up.
import type { Clock } from "@chela/sdk";

export type Waited<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "too-late" }
  | { readonly kind: "aborted" };

/** For ever when `ms` is Infinity. A promise that is not awaited to its end must not bring the process down when it rejects. */
export function waitWithin<T>(promise: Promise<T>, ms: number, clock: Clock, signal: AbortSignal): Promise<Waited<T>> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      promise.catch(() => {});
      return resolve({ kind: "aborted" });
    }
    const leave = (): void => {
      cancel();
      signal.removeEventListener("abort", abort);
    };
    const abort = (): void => {
      leave();
      resolve({ kind: "aborted" });
    };
    const giveUp = (): void => {
      leave();
      resolve({ kind: "too-late" });
    };
    const cancel = ms === Infinity ? () => {} : clock.after(Math.max(0, ms), giveUp);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(
      (value) => {
        leave();
        resolve({ kind: "value", value });
      },
      (error: unknown) => {
        leave();
        reject(error);
      },
    );
  });
}
