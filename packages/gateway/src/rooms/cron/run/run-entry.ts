// A run as others see it: in answers, in events, in the log of runs, and in what is posted. Pure.
import { defined } from "@chela/sdk/base";
import type { CronJob, ErrandRecord } from "@chela/sdk";
import { workOf } from "../parts.ts";

export type RunEntry = ReturnType<typeof toRunEntry>;

const SUMMARY_CHARS = 2_000;

/** `job` as it is now, where it is known. */
export function toRunEntry(run: ErrandRecord, job?: CronJob) {
  const work = workOf(run);
  const { outcome, delivered, delivery } = run;
  const details = outcome?.details ?? {};
  const status = outcome && (outcome.status === "killed" ? ("skipped" as const) : outcome.status);
  const startedAt = run.startedAt ?? run.dueAt;
  // What has nothing to deliver ends and is settled at once.
  const endedAt = work.kind === "run" ? (run.endedAt ?? run.settledAt) : undefined;
  return {
    ts: run.settledAt ?? run.endedAt ?? startedAt,
    jobId: run.owner,
    action: run.state === "settled" ? ("finished" as const) : ("started" as const),
    runId: run.runId,
    jobName: job?.name ?? work.name,
    state: run.state,
    dueAtMs: run.dueAt,
    runAtMs: startedAt,
    sessionKey: run.sessionKey,
    ...(status ? { status, executed: (details["executed"] as typeof status | undefined) ?? status } : {}),
    ...defined({
      error: outcome?.error,
      reason: outcome?.reason,
      summary: summaryOf(run),
      delivered: delivered && delivered.status === "delivered",
      deliveryStatus: delivered?.status,
      deliveryError: delivered?.error,
      receipts: delivered?.receipts?.map((receipt) => ({ ...receipt })),
      delivery: delivery && { ...delivery },
      durationMs: endedAt === undefined ? undefined : Math.max(0, endedAt - startedAt),
      nextRunAtMs: job?.state.nextRunAtMs,
      trigger: work.kind === "run" ? work.trigger : undefined,
      isAlert: work.kind === "alert" ? (true as const) : undefined,
      skipped: work.kind === "skipped" ? skippedOf(work) : undefined,
      sessionId: textAt(details, "sessionId"),
      model: textAt(details, "model"),
      provider: textAt(details, "provider"),
      usage: usageOf(details["usage"]),
    }),
  };
}

function skippedOf({
  count,
  isAtLeast,
  first,
  last,
}: {
  count: number;
  isAtLeast?: true;
  first: number;
  last: number;
}) {
  return { count, first, last, ...(isAtLeast ? { isAtLeast } : {}) };
}

function summaryOf({ outcome }: ErrandRecord): string | undefined {
  const text = outcome?.texts.join("\n\n") || textAt(outcome?.details ?? {}, "summary");
  if (!text) return undefined;
  return text.length > SUMMARY_CHARS ? `${text.slice(0, SUMMARY_CHARS - 1)}…` : text;
}

function usageOf(usage: unknown) {
  if (typeof usage !== "object" || usage === null) return undefined;
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, total = 0 } = usage as Record<string, number>;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: total,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
  };
}

function textAt(details: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = details[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
