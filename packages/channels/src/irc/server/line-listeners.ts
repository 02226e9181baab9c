// Listeners for lines of the IRC server, and waiting for the line that answers.
import type { Clock } from "@chela/sdk";
import type { Line } from "./line.ts";

export interface LineListeners {
  tell(line: Line): void;
  listen(hear: (line: Line) => void): () => void;
}

export function createLineListeners(): LineListeners {
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
  { listeners, clock }: { readonly listeners: LineListeners; readonly clock: Clock },
  timeoutMs: number,
  read: (line: Line) => T | undefined,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const cancel = clock.after(timeoutMs, () => resolve(undefined));
  const deafen = listeners.listen((line) => {
    const answer = read(line);
    if (answer !== undefined) resolve(answer);
  });
  return promise.finally(() => {
    cancel();
    deafen();
  });
}
