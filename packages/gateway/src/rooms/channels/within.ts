// Waits for an answer of a platform, but not for ever.
import type { Clock } from "@chela/sdk";

/** Undefined when it takes longer. */
export function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const cancel = clock.after(ms, () => resolve(undefined));
  work.then(resolve, reject);
  return promise.finally(cancel);
}
