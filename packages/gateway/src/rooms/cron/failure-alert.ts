// Decides whether a failure is told to somebody, and words it. Pure.
import type { CronJob } from "@chela/sdk";
import type { Verdict } from "./run/judge-run.ts";
import { describeNext } from "./schedule/index.ts";

const USUAL_COOLDOWN_MS = 3_600_000;

/** A job that promised nobody anything fails quietly: its page and its log show it. */
export function shouldAlert(job: CronJob, verdict: Verdict, now: number): boolean {
  const { failureAlert, delivery, state } = job;
  if (verdict.status !== "error" || failureAlert === false) return false;
  const isPromised = delivery !== undefined && (delivery.mode !== "none" || delivery.failureDestination !== undefined);
  if (!failureAlert && !isPromised) return false;
  if ((state.consecutiveErrors ?? 0) < (failureAlert?.after ?? 1)) return false;
  const cooldownMs = failureAlert?.cooldownMs ?? USUAL_COOLDOWN_MS;
  return now - (state.lastFailureAlertAtMs ?? -Infinity) >= cooldownMs;
}

export function alertText(job: CronJob, now: number): string {
  const { name, enabled, state } = job;
  const failures = state.consecutiveErrors ?? 1;
  const often = failures > 1 ? ` It failed ${failures} times in a row.` : "";
  const error = (state.lastError ?? "unknown error").trim();
  const stop = /[.!?…]$/.test(error) ? "" : ".";
  const zone = job.schedule.kind === "cron" ? job.schedule.tz : undefined;
  const next =
    enabled && state.nextRunAtMs !== undefined
      ? `Next attempt: ${describeNext(state.nextRunAtMs, now, zone)}.`
      : "It will not run again by itself.";
  return `The job "${name}" failed: ${error}${stop}${often} ${next}`;
}
