// A figure is one line of the result: what was measured, how often, and what it should be.
import { summarize, type Summary } from "./statistics.ts";

export interface Limit {
  readonly of: "median" | "p95";
  readonly kind: "at-most" | "at-least";
  readonly value: number;
}

export interface Figure {
  readonly metric: string;
  readonly unit: string;
  /** Empty when it could not be measured; `note` says why. */
  readonly samples: readonly number[];
  /** What the gateway's own process computed for the whole of the samples. */
  readonly cpuMs?: number;
  readonly limits?: readonly Limit[];
  readonly note?: string;
}

export type Verdict = "ok" | "short" | "n/a" | "";

export const atMost = (value: number, of: Limit["of"] = "median"): Limit => ({ of, kind: "at-most", value });
export const atLeast = (value: number, of: Limit["of"] = "median"): Limit => ({ of, kind: "at-least", value });

export function summaryOf(figure: Figure): Summary | undefined {
  return figure.samples.length > 0 ? summarize(figure.samples) : undefined;
}

/** A figure that has limits but no measurement is neither met nor missed. */
export function judge(figure: Figure): Verdict {
  const summary = summaryOf(figure);
  if (!summary) return "n/a";
  const limits = figure.limits ?? [];
  if (limits.length === 0) return "";
  return limits.every((limit) => holds(limit, summary)) ? "ok" : "short";
}

function holds({ of, kind, value }: Limit, summary: Summary): boolean {
  return kind === "at-most" ? summary[of] <= value : summary[of] >= value;
}

export function describeLimits(limits: readonly Limit[] = []): string {
  return limits
    .map(({ of, kind, value }) => `${of === "p95" ? "p95 " : ""}${kind === "at-most" ? "≤" : "≥"} ${value}`)
    .join(", ");
}
