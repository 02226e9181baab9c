// Carries what turns tell to those who listen: to all, or to one run.
import type { TurnEvent } from "./events.ts";

export type TurnListener = (event: TurnEvent) => void;

export class TurnBus {
  readonly #all = new Set<TurnListener>();
  readonly #byRun = new Map<string, Set<TurnListener>>();

  emit(event: TurnEvent): void {
    for (const listener of this.#all) listener(event);
    for (const listener of this.#byRun.get(event.runId) ?? []) listener(event);
  }

  onAny(listener: TurnListener): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  onRun(runId: string, listener: TurnListener): () => void {
    const listeners = this.#byRun.get(runId) ?? new Set();
    this.#byRun.set(runId, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#byRun.delete(runId);
    };
  }
}
