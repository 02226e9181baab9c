// Reason why a message was answered, or was not: the one thing to know about its turn.
import { waitsForApproval, type Run } from "./steps.ts";

export type Verdict =
  | { readonly kind: "queued" | "running"; readonly sinceMs: number }
  | { readonly kind: "approval"; readonly tool: string }
  | { readonly kind: "answered"; readonly tookMs: number; readonly model?: string; readonly deliveredTo?: string }
  | { readonly kind: "command"; readonly tookMs: number }
  | { readonly kind: "pending"; readonly channel: string }
  | { readonly kind: "undelivered"; readonly channel: string; readonly error: string }
  | { readonly kind: "error"; readonly error: string }
  | { readonly kind: "silent" | "collected" | "steered" | "stopped" | "interrupted" | "shutdown" | "ended" };

/** Here answers are read where they are written: that they arrive goes without saying. */
const OWN_CHANNEL = "webchat";

export function verdictOf(run: Run, now: number): Verdict {
  const { state, status, admittedAt, startedAt = admittedAt, error = "" } = run;
  if (state === "queued") return { kind: "queued", sinceMs: Math.max(0, now - admittedAt) };
  if (state === "running") {
    const asking = run.tools.find(waitsForApproval);
    return asking
      ? { kind: "approval", tool: asking.name }
      : { kind: "running", sinceMs: Math.max(0, now - startedAt) };
  }
  if (status === "error") return { kind: "error", error };
  if (status === "aborted") return { kind: stopOf(run.stopReason) };
  return status === "ok" ? answerOf(run) : { kind: "ended" };
}

function stopOf(stopReason: string | undefined): "interrupted" | "shutdown" | "stopped" {
  if (stopReason === "interrupt") return "interrupted";
  return stopReason === "shutdown" ? "shutdown" : "stopped";
}

function answerOf(run: Run): Verdict {
  const { stopReason, delivery, channel, admittedAt, startedAt = admittedAt, endedAt = startedAt } = run;
  if (stopReason === "collected" || stopReason === "steered") return { kind: stopReason };
  const lost = delivery.find(({ state }) => state === "undeliverable");
  if (lost) return { kind: "undelivered", channel: lost.channel, error: lost.error ?? "" };
  const waiting = delivery.find(({ state }) => state === "pending");
  if (waiting) return { kind: "pending", channel: waiting.channel };
  const tookMs = Math.max(0, endedAt - startedAt);
  const answered = run.attempts.findLast((attempt) => attempt.status === "ok");
  if (run.attempts.length === 0 && run.usage.length === 0) return { kind: "command", tookMs };
  const deliveredTo = delivery.find((one) => one.channel !== OWN_CHANNEL)?.channel;
  if (delivery.length === 0 && channel !== OWN_CHANNEL && run.access?.kind === "sender") return { kind: "silent" };
  return {
    kind: "answered",
    tookMs,
    ...(answered ? { model: `${answered.provider}/${answered.model}` } : {}),
    ...(deliveredTo ? { deliveredTo } : {}),
  };
}

export function toneOf({ kind }: Verdict): "good" | "warn" | "bad" | "info" {
  if (kind === "answered" || kind === "command") return "good";
  if (kind === "error" || kind === "undelivered") return "bad";
  if (kind === "approval" || kind === "stopped" || kind === "interrupted" || kind === "shutdown") return "warn";
  return "info";
}
