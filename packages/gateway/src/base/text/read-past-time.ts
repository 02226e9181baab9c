// Reads a time that lies behind us, as people write it: how long ago (2d, 12h), or a date (2026-01-31).
import { readDuration } from "./read-duration.ts";

/** In milliseconds since the epoch; undefined for what is no time. */
export function readPastTime(written: string, now: number): number | undefined {
  const date = /^\d{4}-\d{2}-\d{2}/.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isFinite(date)) return date;
  const ago = /[a-z]/i.test(written) ? readDuration(written, "d") : undefined;
  return ago === undefined ? undefined : now - ago;
}
