// Lengths of time as people write them: 15m, 1h30m, 2 days, PT15M.
import { GatewayError } from "@chela/sdk";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const UNITS: ReadonlyArray<readonly [name: string, ms: number, pattern: RegExp]> = [
  ["week", WEEK, /^(?:w|wks?|weeks?)$/],
  ["day", DAY, /^(?:d|days?)$/],
  ["hour", HOUR, /^(?:h|hrs?|hours?)$/],
  ["minute", MINUTE, /^(?:m|mins?|minutes?)$/],
  ["second", SECOND, /^(?:s|secs?|seconds?)$/],
];
const PART = /(\d+(?:\.\d+)?)\s*([a-z]+)/g;
const ISO = /^p(?:(\d+)w)?(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)?$/;

/** `undefined` when it is no length of time. */
export function findDuration(text: string): number | undefined {
  const plain = text.trim().toLowerCase();
  const iso = ISO.exec(plain);
  if (iso) return sum(iso.slice(1).map((count, index) => Number(count ?? 0) * (UNITS[index]?.[1] ?? 0)));
  if (
    plain
      .replace(PART, "")
      .replace(/,|\band\b/g, "")
      .trim() !== ""
  )
    return undefined;
  const parts = [...plain.matchAll(PART)].map(([, count, unit]) => Number(count) * unitMs(unit ?? ""));
  return sum(parts);
}

/** Milliseconds, more than none. */
export function readDuration(text: string): number {
  const found = findDuration(text);
  if (found !== undefined) return found;
  const detail = `"${text}" is no length of time. Allowed are forms such as 90s, 15m, 1h30m, 2d, 1w or PT15M`;
  throw new GatewayError("CRON_SCHEDULE", detail);
}

function unitMs(unit: string): number {
  return UNITS.find(([, , pattern]) => pattern.test(unit))?.[1] ?? Number.NaN;
}

function sum(parts: readonly number[]): number | undefined {
  const total = Math.round(parts.reduce((before, part) => before + part, 0));
  return Number.isSafeInteger(total) && total > 0 ? total : undefined;
}

/** "15 minutes", "1 hour 30 minutes"; "day" instead of "1 day" where "every" stands before it. */
export function describeInterval(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? "" : "s"}`);
  }
  if (rest > 0 || parts.length === 0) parts.push(`${rest} ms`);
  return parts.length === 1 ? (parts[0] ?? "").replace(/^1 (?!ms)/, "") : parts.join(" ");
}

/** "14 h", "3 days", "45 s": near enough. */
export function roughLength(ms: number): string {
  if (ms < 90 * SECOND) return `${Math.round(ms / SECOND)} s`;
  if (ms < 90 * MINUTE) return `${Math.round(ms / MINUTE)} min`;
  if (ms < 48 * HOUR) return `${Math.round(ms / HOUR)} h`;
  if (ms < 60 * DAY) return `${Math.round(ms / DAY)} days`;
  return ms < 730 * DAY ? `${Math.round(ms / (30.4 * DAY))} months` : `${Math.round(ms / (365.25 * DAY))} years`;
}
