// Reads a flag that says a time: how long ago, or a date.
import { type FlagValues, usageFailure } from "@chela/sdk/command-line";
import { readPastTime } from "../text/read-past-time.ts";

/** Undefined when it was not given. */
export function readTimeFlag(flags: FlagValues, name: string, now: number): number | undefined {
  const written = flags.text(name);
  if (written === undefined) return undefined;
  const time = readPastTime(written, now);
  if (time !== undefined) return time;
  throw usageFailure(`--${name} ${written} is no time: write how long ago (2d, 12h, 30m) or a date (2026-01-31).`);
}
