// One call of one model with one credential, held to its contract whatever the provider does: it always ends in time.
import type { Clock, Logger, ModelEvent, ModelFailure, ModelProvider, ModelRequest } from "@chela/sdk";
import { GREATEST_ANSWER, MOST_CALLS, tooManyCalls, words } from "../providers/answer-limits.ts";
import { abortedEvent, isEnd } from "../providers/endings.ts";
import { cutFailure, makeFailure } from "../providers/failure.ts";
import { waitWithin } from "./wait.ts";

export type OpenedProvider =
  | { readonly kind: "ready"; readonly provider: ModelProvider }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

export interface AttemptParts {
  readonly clock: Clock;
  readonly log: Logger;
  open(): Promise<OpenedProvider>;
  readonly request: ModelRequest;
  /** Without them a call may take as long as it likes. */
  readonly limits?: AttemptLimits;
}

/** By the steady clock. */
interface AttemptLimits {
  /** When this model should have begun to answer, so that others have their time too. */
  readonly shareEndsAt: number;
  readonly deadlineAt: number;
}

/** Large local models are loaded from disk before their first word, and some models think silently. */
const FIRST_EVENT_MS = 240_000;
const SILENCE_MS = 180_000;
/** An answer that is under way may go on beyond its share, as long as it does not stop. */
const SILENCE_BEYOND_SHARE_MS = 10_000;

/** Ends with exactly one finish or failure, and never later than the deadline. */
export async function* streamAttempt(parts: AttemptParts, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
  if (signal.aborted) return yield abortedEvent();
  const { clock, log, request } = parts;
  const { provider, id } = request.model;
  const stop = new AbortController();
  const forward = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", forward, { once: true });
  let events: AsyncIterator<ModelEvent> | undefined;
  let ended = false;
  try {
    const opened = await waitWithin(parts.open(), firstWait(parts), clock, signal);
    if (opened.kind === "aborted") return yield abortedEvent();
    if (opened.kind === "too-late") return yield silent(provider);
    if (opened.value.kind === "failed") return yield { kind: "failure", failure: opened.value.failure };
    events = opened.value.provider.stream(request, stop.signal)[Symbol.asyncIterator]();
    let characters = 0;
    let calls = 0;
    for (let isFirst = true; ; isFirst = false) {
      const limit = isFirst ? firstWait(parts) : laterWait(parts);
      const next = await waitWithin(events.next(), limit, clock, signal);
      if (next.kind === "aborted") return yield abortedEvent();
      if (next.kind === "too-late") return yield silent(provider);
      if (next.value.done) {
        ended = true;
        return yield { kind: "failure", failure: cutFailure(provider) };
      }
      characters += lengthOf(next.value.value);
      if (characters > GREATEST_ANSWER) return yield endless(`${provider} went on after ${words(GREATEST_ANSWER)}`);
      if (next.value.value.kind === "tool-call") calls += 1;
      if (calls > MOST_CALLS) return yield endless(`${provider} ${tooManyCalls()}`);
      ended = isEnd(next.value.value);
      yield next.value.value;
      if (ended) return;
    }
  } catch (error) {
    ended = true;
    log.error("A model provider broke its promise not to throw", { provider, model: id, error: String(error) });
    yield { kind: "failure", failure: makeFailure("unknown", `${provider} failed in a way it should not`) };
  } finally {
    signal.removeEventListener("abort", forward);
    if (!ended) stop.abort("given up");
    // Not awaited: a provider that hangs would hold us too.
    void events?.return?.()?.catch(() => {});
  }
}

function firstWait({ clock, limits }: AttemptParts): number {
  if (!limits) return Infinity;
  return Math.min(FIRST_EVENT_MS, Math.min(limits.shareEndsAt, limits.deadlineAt) - clock.steady());
}

function laterWait({ clock, limits }: AttemptParts): number {
  if (!limits) return Infinity;
  const now = clock.steady();
  const end = Math.min(limits.deadlineAt, Math.max(limits.shareEndsAt, now + SILENCE_BEYOND_SHARE_MS));
  return Math.min(SILENCE_MS, end - now);
}

function lengthOf(event: ModelEvent): number {
  return event.kind === "text" || event.kind === "thinking" ? event.delta.length : 0;
}

function endless(why: string): ModelEvent {
  return { kind: "failure", failure: makeFailure("endless", why) };
}

function silent(provider: string): ModelEvent {
  return { kind: "failure", failure: makeFailure("timeout", `${provider} did not answer in time`) };
}
