// Decides, without any model, whether a beat has something to ask one. Pure.
import { isActive, msUntilActive } from "./active-hours.ts";
import type { BeatSettings } from "./settings.ts";

/** "interval": the timer. Others name what happened: "wake", "hook:…", "cron:<id>", "exec". */
export const BY_TIMER = "interval";

/** No failure is followed by a longer rest. One that seems to last longer is of a clock that was set back since. */
export const LONGEST_REST_MS = 12 * 3_600_000;

export interface BeatFacts {
  readonly now: number;
  readonly isSwitchedOn: boolean;
  readonly causes: readonly string[];
  readonly settings: BeatSettings;
  readonly isBusy: boolean;
  readonly file: "missing" | "empty" | "tasks";
  /** Events that wait to be told. */
  readonly notes: number;
  /** The file, what the person last said, or a job that failed: something of it is new. */
  readonly hasChanged: boolean;
  readonly isTaskDue: boolean;
  /** Whether the channel's settings let anything of it be seen. */
  readonly canBeSeen: boolean;
  readonly restsUntil: number | undefined;
}

export type SkipReason =
  | "disabled"
  | "quiet-hours"
  | "resting"
  | "alerts-disabled"
  | "requests-in-flight"
  | "no-heartbeat-file"
  | "empty-heartbeat-file"
  | "nothing-changed"
  | "no-target";

export type BeatDecision =
  | { readonly kind: "ask" }
  | {
      readonly kind: "skip";
      readonly reason: SkipReason;
      /** What waits is looked at again: after this time, or as soon as the conversation is free. */
      readonly again?: { readonly afterMs: number } | "when-free";
    };

export function decideBeat(facts: BeatFacts): BeatDecision {
  const { now, settings, notes, causes, restsUntil } = facts;
  const waits = notes > 0;
  if (!facts.isSwitchedOn) return skip("disabled");
  if (!waits && !settings.enabled) return skip("disabled");
  const { hours } = settings;
  if (hours && !isActive(hours, now) && !causes.some(isChosenTime)) {
    return skip("quiet-hours", waits ? { afterMs: msUntilActive(hours, now) } : undefined);
  }
  if (restsUntil !== undefined && restsUntil > now && restsUntil - now <= LONGEST_REST_MS) {
    return skip("resting", waits ? { afterMs: restsUntil - now } : undefined);
  }
  if (!facts.canBeSeen) return skip("alerts-disabled");
  if (waits) return facts.isBusy ? skip("requests-in-flight", "when-free") : { kind: "ask" };
  if (facts.file === "missing") return skip("no-heartbeat-file");
  if (facts.file === "empty") return skip("empty-heartbeat-file");
  if (!facts.hasChanged && !facts.isTaskDue && !settings.always) return skip("nothing-changed");
  return facts.isBusy ? skip("requests-in-flight", "when-free") : { kind: "ask" };
}

/** A person chose the moment: a reminder at night is meant for the night. */
function isChosenTime(cause: string): boolean {
  return cause === "wake" || cause.startsWith("cron:");
}

type Again = NonNullable<Extract<BeatDecision, { kind: "skip" }>["again"]>;

function skip(reason: SkipReason, again?: Again): BeatDecision {
  return { kind: "skip", reason, ...(again ? { again } : {}) };
}
