// Trace of a turn, noted while it runs, so that it can be explained afterwards.
import type { ModelAttempt } from "@chela/sdk";
import type { RequestSizes } from "../../rooms/agent/room.ts";

const MOST_ATTEMPTS = 50;
const MOST_TOOL_CALLS = 200;

/** One call of a tool as it really ran: the ledger only knows when the model asked for it. */
interface CallTimes {
  readonly toolCallId: string;
  readonly startedAt: number;
  endedAt?: number;
  /** When a person was asked whether it may run, and when that was settled. */
  askedAt?: number;
  settledAt?: number;
}

export class TurnTrace {
  #prompt: Readonly<Record<string, number>> = {};
  #policy: Readonly<Record<string, unknown>> = {};
  #tokens: RequestSizes | undefined;
  readonly #attempts: object[] = [];
  readonly #calls: CallTimes[] = [];
  #cost: number | undefined;
  #compactions = 0;
  readonly #notes: string[] = [];

  promptSent(sizes: { systemChars: number; fileChars?: number; toolChars: number; messages: number }): void {
    this.#prompt = sizes;
  }

  toolsOffered(policy: { offered: readonly string[]; removed: readonly object[] }): void {
    this.#policy = policy;
  }

  /** What the parts of the first request are estimated to be; counted once a turn. */
  promptParts(count: () => RequestSizes): void {
    this.#tokens ??= count();
  }

  attempted({ usage, ...attempt }: ModelAttempt, isPriced: boolean): void {
    if (usage && isPriced) this.#cost = (this.#cost ?? 0) + usage.cost.total;
    if (this.#attempts.length >= MOST_ATTEMPTS) return;
    const { input, output, cacheRead, cacheWrite, cost } = usage ?? {};
    const counted = { input, output, cacheRead, cacheWrite, ...(isPriced ? { cost: cost?.total } : {}) };
    this.#attempts.push(usage ? { ...attempt, usage: counted } : attempt);
  }

  /** Follows one call of a tool; what is returned is told of its progress and its end. */
  called(toolCallId: string, now: () => number): { progressed(details: unknown): void; ended(): void } {
    const call: CallTimes = { toolCallId, startedAt: now() };
    if (this.#calls.length < MOST_TOOL_CALLS) this.#calls.push(call);
    return {
      progressed(details) {
        const status = (details as { readonly status?: unknown } | null | undefined)?.status;
        if (status === "approval-pending") call.askedAt ??= now();
        else if (call.askedAt !== undefined) call.settledAt ??= now();
      },
      ended() {
        call.endedAt = now();
        if (call.askedAt !== undefined) call.settledAt ??= call.endedAt;
      },
    };
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
      prompt: { ...this.#prompt, ...(this.#tokens ? { tokens: this.#tokens } : {}) },
      policy: this.#policy,
      attempts: this.#attempts,
      ...(this.#calls.length > 0 ? { calls: this.#calls } : {}),
      ...(this.#cost === undefined ? {} : { cost: this.#cost }),
      ...(this.#compactions > 0 ? { compactions: this.#compactions } : {}),
      ...(this.#notes.length > 0 ? { notes: this.#notes } : {}),
    };
  }
}
