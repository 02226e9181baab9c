// Time zones: what clocks show at an instant, and at which instant they show something.
//
// A wall time is what a clock on the wall shows, written as milliseconds as if it were UTC.
import { GatewayError } from "@chela/sdk";

export interface Zone {
  /** How far its clocks are ahead of UTC at an instant. */
  offsetAt(instant: number): number;
}

/** When clocks show a wall time. `change` is the instant at which they were put forward past it. */
export type Showing =
  | { readonly kind: "once"; readonly at: number }
  | { readonly kind: "twice"; readonly at: number; readonly again: number }
  | { readonly kind: "skipped"; readonly change: number };

const SECOND = 1000;
const HOUR = 3_600_000;
/** No clock is further from UTC. */
const FARTHEST = 16 * HOUR;
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** Without a name it is the zone of this machine, which is to be had without loading calendars. */
export function openZone(name?: string): Zone {
  if (name === undefined) return { offsetAt: (instant) => -new Date(instant).getTimezoneOffset() * 60_000 };
  const format = offsetFormat(name);
  return { offsetAt: (instant) => parseOffset(format.format(instant)) };
}

function offsetFormat(name: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch (error) {
    const detail = `tz is "${name}", which is no time zone. Allowed are names such as Europe/Stockholm, America/New_York or UTC`;
    throw new GatewayError("CRON_SCHEDULE", detail, { cause: error });
  }
}

function parseOffset(text: string): number {
  const [, sign, hours, minutes, seconds] = OFFSET.exec(text) ?? [];
  const size = Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * 60_000 + Number(seconds ?? 0) * SECOND;
  return sign === "-" ? -size : size;
}

export function wallAt(zone: Zone, instant: number): number {
  return instant + zone.offsetAt(instant);
}

/** Relies on clocks being changed at most once within a day and a half, as has been so since there are zones. */
export function findWall(zone: Zone, wall: number): Showing {
  const [early, late] = [wall - FARTHEST, wall + FARTHEST];
  const [before, after] = [zone.offsetAt(early), zone.offsetAt(late)];
  const first = wall - before;
  if (before === after) return { kind: "once", at: first };
  const second = wall - after;
  const isFirst = zone.offsetAt(first) === before;
  const isSecond = zone.offsetAt(second) === after;
  if (isFirst && isSecond) return { kind: "twice", at: first, again: second };
  if (isFirst || isSecond) return { kind: "once", at: isFirst ? first : second };
  return { kind: "skipped", change: searchChange(zone, early, late) };
}

/** The instant a wall time means: the first of two, or where clocks go on when they skip it. */
export function instantOf(zone: Zone, wall: number): number {
  const showing = findWall(zone, wall);
  return showing.kind === "skipped" ? showing.change : showing.at;
}

/** The instant within (from, until] from which on another offset is in force than at `from`. */
export function findChange(zone: Zone, from: number, until: number): number | undefined {
  return zone.offsetAt(from) === zone.offsetAt(until) ? undefined : searchChange(zone, from, until);
}

function searchChange(zone: Zone, from: number, until: number): number {
  const offset = zone.offsetAt(from);
  let [low, high] = [Math.floor(from / SECOND), Math.ceil(until / SECOND)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle * SECOND) === offset) low = middle;
    else high = middle;
  }
  return high * SECOND;
}

/** The name of a zone for people. */
export function nameZone(name?: string): string {
  return name ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
