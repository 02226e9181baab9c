// What a turn notes of itself while it runs, so that it can be explained afterwards.
import type { ModelAttempt } from "@chela/sdk";

const MOST_ATTEMPTS = 50;

export class TurnTrace {
  #prompt: Readonly<Record<string, number>> = {};
  #policy: Readonly<Record<string, unknown>> = {};
  readonly #attempts: ModelAttempt[] = [];
  #compactions = 0;
  readonly #notes: string[] = [];

  promptSent(sizes: { systemChars: number; toolChars: number; messages: number }): void {
    this.#prompt = sizes;
  }

  toolsOffered(policy: { offered: readonly string[]; removed: readonly object[] }): void {
    this.#policy = policy;
  }

  attempted(attempt: ModelAttempt): void {
    if (this.#attempts.length < MOST_ATTEMPTS) this.#attempts.push(attempt);
  }

  compacted(): void {
    this.#compactions += 1;
  }

  note(sentence: string): void {
    this.#notes.push(sentence);
  }

  get compactions(): number {
    return this.#compactions;
  }

  toRecord(route: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return {
      route,
      prompt: this.#prompt,
      policy: this.#policy,
      attempts: this.#attempts,
      ...(this.#compactions > 0 ? { compactions: this.#compactions } : {}),
      ...(this.#notes.length > 0 ? { notes: this.#notes } : {}),
    };
  }
}
