// Outcome of a run: whether it was carried out, and whether its result arrived. These are two things.
import type { CronJob } from "@chela/sdk/cron";
import type { MethodAnswer } from "@chela/sdk/protocol";

export type JobRun = MethodAnswer<"cron.runs">["entries"][number];

export interface RunFacts {
  readonly executed: "ok" | "error" | "skipped" | "running" | "waiting" | "never";
  /** Missing while nothing can be said. */
  readonly delivered?: "delivered" | "not-delivered" | "unknown" | "not-requested" | "under-way";
  readonly error?: string;
  readonly deliveryError?: string;
}

/** Of the last run, or of the one that goes on. */
export function factsOfJob({ state }: Pick<CronJob, "state">): RunFacts {
  if (state.runningAtMs !== undefined) return { executed: "running" };
  const status = state.lastRunStatus ?? state.lastStatus;
  if (status === undefined) return { executed: "never" };
  // It was carried out; only nobody heard of it.
  const isUnheard = status === "error" && state.lastErrorReason === "delivery";
  const { lastDeliveryStatus: delivered, lastDeliveryError: deliveryError, lastError: error } = state;
  return {
    executed: isUnheard ? "ok" : status,
    ...(delivered && status !== "skipped" ? { delivered } : {}),
    ...(error && !isUnheard ? { error } : {}),
    ...(deliveryError || (isUnheard && error) ? { deliveryError: deliveryError ?? error ?? "" } : {}),
  };
}

export function factsOfRun(run: JobRun): RunFacts {
  if (run.state === "waiting" || run.state === "running") return { executed: run.state };
  const executed = run.executed ?? run.status ?? "error";
  const isUnheard = run.reason === "delivery";
  const delivered = run.state === "executed" ? "under-way" : run.deliveryStatus;
  return {
    executed,
    ...(delivered && !run.skipped ? { delivered } : {}),
    ...(run.error && !isUnheard ? { error: run.error } : {}),
    ...(run.deliveryError ? { deliveryError: run.deliveryError } : {}),
  };
}

export type Outcome = "good" | "bad" | "warn" | "busy" | "soft";

/** Of both together, for where there is room for one colour only. */
export function outcomeOf({ executed, delivered }: RunFacts): Outcome {
  if (executed === "error" || delivered === "not-delivered") return "bad";
  if (executed === "running" || executed === "waiting") return "busy";
  if (executed === "never") return "soft";
  return executed === "skipped" || delivered === "unknown" ? "warn" : "good";
}

/** A person should look: it failed, nothing has gone well since, and nobody has switched it off for that. */
export function jobNeedsSomebody({
  enabled,
  schedule,
  state,
}: Pick<CronJob, "enabled" | "schedule" | "state">): boolean {
  if ((state.lastRunStatus ?? state.lastStatus) !== "error") return false;
  // These are switched off by themselves when they fail.
  return enabled || schedule.kind === "at" || state.lastErrorReason === "schedule";
}

/** As everybody asks who counts them: one answer serves all. */
export const FAILED_JOBS = { includeDisabled: true, lastStatus: "error", limit: 100 } as const;
