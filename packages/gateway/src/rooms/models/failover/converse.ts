// Talks to the first model that can answer: rotates credentials, falls back to other models, and always ends in time.
import { defined } from "@chela/sdk/base";
import {
  pause,
  type Clock,
  type Logger,
  type ModelAttempt,
  type ModelFailure,
  type ModelInfo,
  type ModelRequest,
  type Usage,
} from "@chela/sdk";
import { isRestReason } from "../profiles/cooldown.ts";
import type { Profile, ProfileSource } from "../profiles/profile.ts";
import { abortedEvent } from "../providers/endings.ts";
import { makeFailure } from "../providers/failure.ts";
import { streamAttempt, type OpenedProvider } from "./attempt.ts";
import { decide, FAILOVER_TABLE, type Action, type FailoverState } from "./decide.ts";
import { explainFailures, explainRest, type FailedTry } from "./explain-failures.ts";
import type { CallEvent, ModelCall } from "./model-call.ts";

export interface ConverseParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** From 0 to 1. */
  random(): number;
  readonly profiles: ProfileSource;
  open(model: ModelInfo, profile: Profile): Promise<OpenedProvider>;
}

/** Every model gets this much, where the deadline allows it. */
const LEAST_SHARE_MS = 10_000;
/** Somebody who asks again and again does not try a credential that rests more often than this. */
const BETWEEN_TRIES_MS = 10_000;

/** Never throws, and ends with exactly one finish or failure. */
export async function* converse(
  call: ModelCall,
  signal: AbortSignal,
  parts: ConverseParts,
): AsyncGenerator<CallEvent, void> {
  const [first, ...others] = call.candidates;
  if (!first) return yield { kind: "failure", failure: makeFailure("not-found", "no model was given to call") };
  try {
    yield* new Conversation(call, parts, first, others).run(signal);
  } catch (error) {
    parts.log.error("A model call broke", { agent: call.agentId, session: call.sessionId, error: String(error) });
    yield { kind: "failure", failure: makeFailure("unknown", "the call failed in a way it should not") };
  }
}

type Tried =
  | { readonly kind: "ended" }
  /** `attempt` is there when a model was really asked. */
  | { readonly kind: "failed"; readonly failure: ModelFailure; readonly attempt?: ModelAttempt };
type Picked = { readonly kind: "profile"; readonly profile: Profile } | Extract<Tried, { kind: "failed" }>;

/** One call while it goes on. It remembers nothing for the next: what lasts is known to the profiles. */
class Conversation {
  readonly #call: ModelCall;
  readonly #parts: ConverseParts;
  #model: ModelInfo;
  #pending: ModelInfo[];
  /** Models that were passed over because they failed a moment ago; tried when nothing else is left. */
  #shaky: ModelInfo[] = [];
  #isLastResort = false;
  #shareEndsAt = 0;
  /** Credentials that failed for this model in this call. */
  #spent = new Set<string>();
  #again: Profile | undefined;
  #retries = 0;
  #attempts = 0;
  #waits = 0;
  #refusals = 0;
  /** Credentials that were tried in this call although they rest. */
  readonly #woken = new Set<string>();
  readonly #tries: FailedTry[] = [];

  constructor(call: ModelCall, parts: ConverseParts, first: ModelInfo, others: readonly ModelInfo[]) {
    this.#call = call;
    this.#parts = parts;
    this.#model = first;
    this.#pending = [...others];
    this.#giveShare();
  }

  async *run(signal: AbortSignal): AsyncGenerator<CallEvent, void> {
    for (;;) {
      if (signal.aborted) return yield abortedEvent();
      if (this.#parts.clock.steady() >= this.#call.deadlineAt) return yield this.#surrender();
      const picked = this.#pick();
      const tried = picked.kind === "profile" ? yield* this.#attempt(picked.profile, signal) : picked;
      if (tried.kind === "ended") return;
      const profile = picked.kind === "profile" ? picked.profile : undefined;
      const action = this.#decide(tried.failure, profile);
      if (tried.attempt) this.#reportFailure(tried.attempt, tried.failure, action);
      if (action.kind === "give-up" || action.kind === "compact") {
        return yield this.#surrender();
      }
      await this.#follow(action, profile, signal);
    }
  }

  #surrender(): CallEvent {
    const last = this.#tries.at(-1)?.failure ?? makeFailure("timeout", "there was no time left for a model to answer");
    const failure = explainFailures(this.#tries, last);
    const retryAt = isRestReason(failure.reason) ? this.#soonestEnd() : undefined;
    return { kind: "failure", failure: { ...failure, ...defined({ retryAt }) } };
  }

  /** The credential to try now, or why there is none. */
  #pick(): Picked {
    const { agentId, profile: pinned } = this.#call;
    const { profiles, clock } = this.#parts;
    const { ready, shaky, resting, missing } = profiles.look(agentId, this.#model, pinned);
    const woken = resting.map(({ profile }) => profile);
    const again = this.#again && [...ready, ...shaky, ...woken].find(({ id }) => id === this.#again?.id);
    this.#again = undefined;
    const fresh = again ?? [...ready, ...(this.#isLastResort ? shaky : [])].find(({ id }) => !this.#spent.has(id));
    if (fresh) return { kind: "profile", profile: fresh };
    const { provider } = this.#model;
    if (shaky.length > 0 && !this.#isLastResort) {
      this.#shaky.push(this.#model);
      return failed("overloaded", `${provider} failed several times in a row a moment ago`);
    }
    const soonest = resting.toSorted((a, b) => a.until - b.until)[0];
    if (soonest) return { kind: "failed", failure: explainRest(provider, soonest, clock.now()) };
    return failed("auth", `${provider}: ${missing ?? "there is no credential"}`);
  }

  async *#attempt(profile: Profile, signal: AbortSignal): AsyncGenerator<CallEvent, Tried> {
    const { clock, log, profiles, open } = this.#parts;
    const model = this.#model;
    const wanted = this.#call.request(model);
    const reservation = this.#call.reserve?.(model, wanted);
    if (reservation?.kind === "denied") return failed("budget", reservation.why);
    const request = limited(wanted, reservation?.maxTokens);
    const startedAt = clock.now();
    let usage: Usage | undefined;
    let firstTokenAt: number | undefined;
    let isTold = false;
    profiles.begin(profile, model);
    try {
      yield { kind: "attempt", model, number: ++this.#attempts };
      const limits = { shareEndsAt: this.#shareEndsAt, deadlineAt: this.#call.deadlineAt };
      const events = streamAttempt({ clock, log, request, open: () => open(model, profile), limits }, signal);
      for await (const event of events) {
        if (event.kind === "failure") {
          isTold = true;
          profiles.fail(profile, model, event.failure);
          const attempt = this.#describe(profile, startedAt, { firstTokenAt });
          return { kind: "failed", failure: event.failure, attempt };
        }
        if (event.kind !== "finish") firstTokenAt ??= clock.now();
        else {
          ({ usage } = event);
          if (event.stopReason !== "aborted") {
            isTold = true;
            profiles.succeed(profile, model);
          }
          const attempt = this.#describe(profile, startedAt, { firstTokenAt, usage });
          this.#call.onAttempt?.(event.stopReason === "aborted" ? { ...attempt, wasStopped: true } : attempt);
        }
        yield event;
      }
      return { kind: "ended" };
    } finally {
      if (!isTold) profiles.release(profile, model);
      reservation?.settle(usage);
    }
  }

  #describe(
    profile: Profile,
    startedAt: number,
    { firstTokenAt, usage }: { readonly firstTokenAt: number | undefined; readonly usage?: Usage | undefined },
  ): ModelAttempt {
    const { provider, id } = this.#model;
    return {
      provider,
      model: id,
      profileId: profile.id,
      startedAt,
      ...defined({ firstTokenAt }),
      endedAt: this.#parts.clock.now(),
      ...(usage ? { usage } : {}),
    };
  }

  #reportFailure(attempt: ModelAttempt, failure: ModelFailure, action: Action): void {
    const next = action.kind === "retry-same" || action.kind === "try-resting" ? "retry" : action.kind;
    this.#call.onAttempt?.({ ...attempt, failure, next });
    const { provider, model, profileId } = attempt;
    const { agentId, sessionId } = this.#call;
    const where = { agent: agentId, session: sessionId, model: `${provider}/${model}`, profile: profileId };
    this.#parts.log.warn("A model call failed", { ...where, reason: failure.reason, message: failure.message });
  }

  #decide(failure: ModelFailure, profile: Profile | undefined): Action {
    this.#tries.push({ model: this.#model, profileId: profile?.id, failure });
    if (profile) this.#spent.add(profile.id);
    if (failure.reason === "refused") this.#refusals++;
    return decide(FAILOVER_TABLE, this.#state(profile !== undefined), failure);
  }

  #state(wasTried: boolean): FailoverState {
    const { agentId, profile, compactions, deadlineAt } = this.#call;
    const { clock, profiles, random } = this.#parts;
    const { ready } = profiles.look(agentId, this.#model, profile);
    const later = [...this.#pending, ...this.#shaky];
    const now = clock.steady();
    const pause = this.#soonestPause();
    return {
      attempts: this.#attempts,
      retries: wasTried && !this.#isLastResort ? this.#retries : undefined,
      profilesLeft: ready.filter(({ id }) => !this.#spent.has(id)).length,
      modelsLeft: later.length,
      largerModelsLeft: later.filter((model) => model.contextWindow > this.#model.contextWindow).length,
      refusals: this.#refusals,
      compactions,
      waits: this.#waits,
      restingLeft: this.#resting().length,
      pauseMs: pause ? pause.until - clock.now() : undefined,
      shareMs: this.#shareEndsAt - now,
      remainingMs: deadlineAt - now,
      jitter: random(),
    };
  }

  /** Which model's credential is free again first, of those that only have to pause. */
  #soonestPause(): { readonly model: ModelInfo; readonly until: number } | undefined {
    const { agentId, profile, candidates } = this.#call;
    const pauses = candidates.flatMap((model) =>
      this.#parts.profiles
        .look(agentId, model, profile)
        .resting.filter(({ reason }) => reason === "rate-limit")
        .map(({ until }) => ({ model, until })),
    );
    return pauses.toSorted((a, b) => a.until - b.until)[0];
  }

  /** Those that rest and were not tried a moment ago, soonest free first. */
  #resting(): { readonly model: ModelInfo; readonly profile: Profile; readonly until: number }[] {
    const { agentId, profile: pinned, candidates, isAsked } = this.#call;
    if (!isAsked) return [];
    const now = this.#parts.clock.now();
    return candidates
      .flatMap((model) =>
        this.#parts.profiles
          .look(agentId, model, pinned)
          .resting.filter(({ profile }) => !this.#woken.has(profile.id))
          .filter(({ lastUsed = 0 }) => Math.abs(now - lastUsed) >= BETWEEN_TRIES_MS)
          .map(({ profile, until }) => ({ model, profile, until })),
      )
      .toSorted((a, b) => a.until - b.until);
  }

  /** When the first of all credentials is free again. */
  #soonestEnd(): number | undefined {
    const { agentId, profile, candidates } = this.#call;
    const ends = candidates.flatMap((model) =>
      this.#parts.profiles.look(agentId, model, profile).resting.map(({ until }) => until),
    );
    return ends.length > 0 ? Math.min(...ends) : undefined;
  }

  async #follow(
    action: Exclude<Action, { kind: "give-up" | "compact" }>,
    profile: Profile | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.#parts;
    switch (action.kind) {
      case "next-model":
        return this.#moveOn(action.larger);
      case "next-profile":
        this.#retries = 0;
        return;
      case "retry-same":
        this.#retries++;
        this.#again = profile;
        return pause(clock, action.afterMs, signal);
      case "try-resting": {
        const [soonest] = this.#resting();
        if (!soonest) return;
        this.#start(soonest.model);
        this.#again = soonest.profile;
        this.#woken.add(soonest.profile.id);
        return;
      }
      case "wait":
        this.#waits++;
        this.#start(this.#soonestPause()?.model ?? this.#model);
        return pause(clock, action.afterMs, signal);
    }
  }

  /** To the next model, or, when only those are left, to the ones that were passed over. */
  #moveOn(larger: boolean): void {
    const fits = (model: ModelInfo): boolean => !larger || model.contextWindow > this.#model.contextWindow;
    this.#pending = this.#pending.filter(fits);
    this.#shaky = this.#shaky.filter(fits);
    if (this.#pending.length === 0 && this.#shaky.length > 0) {
      this.#isLastResort = true;
      this.#pending = this.#shaky;
      this.#shaky = [];
    }
    const next = this.#pending.shift();
    if (next) this.#start(next);
  }

  #start(model: ModelInfo): void {
    this.#model = model;
    this.#spent = new Set();
    this.#retries = 0;
    this.#giveShare();
  }

  /** A model that hangs must leave time for those after it. */
  #giveShare(): void {
    const now = this.#parts.clock.steady();
    const remaining = this.#call.deadlineAt - now;
    const share = remaining / (1 + this.#pending.length + this.#shaky.length);
    this.#shareEndsAt = now + Math.max(share, Math.min(LEAST_SHARE_MS, remaining));
  }
}

function failed(reason: ModelFailure["reason"], message: string): Extract<Tried, { kind: "failed" }> {
  return { kind: "failed", failure: makeFailure(reason, message) };
}

/** Only where the answer has to be shorter than it could be: requests stay the same otherwise. */
function limited(request: ModelRequest, maxTokens: number | undefined): ModelRequest {
  const usual = request.maxTokens ?? request.model.maxTokens;
  return maxTokens === undefined || maxTokens >= usual ? request : { ...request, maxTokens };
}
