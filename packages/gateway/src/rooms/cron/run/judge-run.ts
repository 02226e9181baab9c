// Judges a finished run: carried out and, where that was promised, delivered. Pure.
import type { ErrandRecord } from "@chela/sdk";

export interface Verdict {
  readonly status: "ok" | "error" | "skipped";
  readonly error?: string;
  /** One word for programs. */
  readonly reason?: string;
}

export function judgeRun({ outcome, delivered, delivery }: ErrandRecord): Verdict {
  const status = outcome?.status ?? "error";
  const { error, reason } = outcome ?? { error: "Nothing is known of its end.", reason: undefined };
  if (status === "killed") return { status: "skipped", error: error ?? "It was stopped.", reason: reason ?? "stopped" };
  if (status !== "ok" || !isUndelivered(delivered?.status) || isBestEffort(delivery)) {
    return { status, ...(error ? { error } : {}), ...(reason ? { reason } : {}) };
  }
  const why = delivered?.error ?? "nobody knows why";
  return { status: "error", reason: "delivery", error: `It ran, but its result did not arrive: ${why}` };
}

function isUndelivered(status: string | undefined): boolean {
  return status === "not-delivered" || status === "unknown";
}

function isBestEffort(delivery: ErrandRecord["delivery"]): boolean {
  return delivery !== undefined && "bestEffort" in delivery && delivery.bestEffort === true;
}
