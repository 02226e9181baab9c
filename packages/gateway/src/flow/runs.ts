// Runs that are under way in this process, so that several askers can wait for one answer.
import type { RunOutcome } from "@chela/sdk";

interface LiveRun {
  readonly sessionKey: string;
  readonly done: Promise<RunOutcome>;
  readonly end: (outcome: RunOutcome) => void;
}

export class Runs {
  readonly #live = new Map<string, LiveRun>();

  begin(runId: string, sessionKey: string): Promise<RunOutcome> {
    const { promise, resolve } = Promise.withResolvers<RunOutcome>();
    this.#live.set(runId, { sessionKey, done: promise, end: resolve });
    return promise;
  }

  end(runId: string, outcome: RunOutcome): void {
    this.#live.get(runId)?.end(outcome);
    this.#live.delete(runId);
  }

  /** The answer to come, or undefined when the run is not under way here. */
  waitFor(runId: string): Promise<RunOutcome> | undefined {
    return this.#live.get(runId)?.done;
  }

  sessionOf(runId: string): string | undefined {
    return this.#live.get(runId)?.sessionKey;
  }
}
