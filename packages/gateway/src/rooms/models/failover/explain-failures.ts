// The one sentence a person reads when everything that could be tried has failed, or nothing could be. Pure.
import type { ModelFailure, ModelFailureReason, ModelInfo } from "@chela/sdk";
import type { RestingProfile } from "../profiles/profile.ts";
import { makeFailure } from "../providers/failure.ts";

export interface FailedTry {
  readonly model: ModelInfo;
  /** Undefined when there was no credential to try it with. */
  readonly profileId?: string | undefined;
  readonly failure: ModelFailure;
}

const VERBS: Readonly<Record<ModelFailureReason, string>> = {
  auth: "refused the credential",
  billing: "has no credit left",
  "rate-limit": "asks for a pause",
  overloaded: "is overloaded",
  "server-error": "had a fault of its own",
  "context-overflow": "has no room for this conversation",
  refused: "declined to answer",
  "bad-request": "rejected the request",
  "not-found": "is not known there",
  network: "cannot be reached",
  timeout: "did not answer in time",
  malformed: "sent an answer that cannot be understood",
  endless: "did not come to an end",
  unknown: "failed",
  budget: "is beyond the spending limit",
};
const LONGEST_DETAIL = 120;

/** The first choice decides what kind of failure it is: that is what the person asked for. */
export function explainFailures(tries: readonly FailedTry[], last: ModelFailure): ModelFailure {
  const [first] = tries;
  if (!first || isDecidedByLast(last)) return last;
  const models = [...new Set(tries.map(({ model }) => nameOf(model)))];
  const credentials = new Set(tries.map(({ model, profileId }) => `${model.provider} ${profileId ?? ""}`));
  if (models.length === 1 && credentials.size === 1) return last;
  const failures = models.map((name) => tries.findLast(({ model }) => nameOf(model) === name)?.failure ?? last);
  const parts = models.map((name, index) => describe(name, tries, failures[index] ?? last));
  const main = failures[0] ?? last;
  return { ...main, message: parts.join("; ") };
}

/** The caller acts on these; what was tried before does not matter to it. */
function isDecidedByLast({ reason }: ModelFailure): boolean {
  return reason === "context-overflow" || reason === "budget";
}

function describe(name: string, tries: readonly FailedTry[], failure: ModelFailure): string {
  const credentials = new Set(
    tries.flatMap(({ model, profileId }) => (nameOf(model) === name && profileId ? [profileId] : [])),
  );
  const count = credentials.size > 1 ? `, with each of ${credentials.size} credentials` : "";
  const detail =
    failure.message.length > LONGEST_DETAIL ? `${failure.message.slice(0, LONGEST_DETAIL - 1)}…` : failure.message;
  return `${name} ${VERBS[failure.reason]} (${detail})${count}`;
}

function nameOf({ provider, id }: ModelInfo): string {
  return `${provider}/${id}`;
}

const RESTS: Readonly<Record<RestingProfile["reason"], string>> = {
  auth: "the key was refused",
  billing: "the account had no credit left",
  "rate-limit": "a pause was asked for",
};

/** Why a credential is not even tried, and for how long. */
export function explainRest(provider: string, { until, reason }: RestingProfile, now: number): ModelFailure {
  const message = `${provider}: ${RESTS[reason]} at the last try, so it was not tried again yet`;
  return { ...makeFailure(reason, message), retryAfterMs: until - now };
}
