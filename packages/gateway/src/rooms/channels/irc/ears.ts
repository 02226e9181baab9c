// Whoever waits for a line of the server listens here.
import type { Clock } from "@chela/sdk";
import type { Line } from "./line.ts";

export interface Ears {
  tell(line: Line): void;
  listen(hear: (line: Line) => void): () => void;
}

export function createEars(): Ears {
  const listeners = new Set<(line: Line) => void>();
  return {
    tell(line) {
      for (const hear of listeners) hear(line);
    },
    listen(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
  };
}

/** Resolves with the first answer that is not undefined, or with undefined when none comes in time. */
export function waitFor<T>(
  { ears, clock }: { readonly ears: Ears; readonly clock: Clock },
  timeoutMs: number,
  read: (line: Line) => T | undefined,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const cancel = clock.after(timeoutMs, () => resolve(undefined));
  const deafen = ears.listen((line) => {
    const answer = read(line);
    if (answer !== undefined) resolve(answer);
  });
  return promise.finally(() => {
    cancel();
    deafen();
  });
}
