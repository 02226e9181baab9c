// Instants as people type them: tomorrow 9:00, next friday 9am, in 20 minutes, 2026-12-24 18:00.
import { GatewayError } from "@chela/sdk";
import { findDuration } from "./duration.ts";
import { readWritten } from "./written-time.ts";
import { instantOf, openZone, wallAt, type Zone } from "./zone.ts";

const DAY = 86_400_000;
/** A moment ago is still meant as now: typing and sending take their time. */
const GRACE = 60_000;
const YEARS_AHEAD = 10;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const TIME = /^(?:at )?(?:(\d{1,2})(?::(\d{2}))?(?::(\d{2}))? ?(am|pm)?|(noon|midnight))$/;
const EXAMPLES = "tomorrow 9:00, today 18:30, next friday 9am, in 20 minutes, +20m, noon or 2026-12-24 18:00";

/** Refuses what is past and what is more than ten years ahead. Without a zone it is that of this machine. */
export function readInstant(text: string, nowMs: number, zoneName?: string): number {
  const found = findInstant(text, nowMs, openZone(zoneName));
  if (found === undefined) {
    throw new GatewayError("CRON_SCHEDULE", `"${text}" is no time I can read. Allowed are forms such as ${EXAMPLES}`);
  }
  checkReach(text, found, nowMs);
  return found;
}

/** One run in the past would never come, and one far ahead is a slip of the keyboard. */
export function checkReach(text: string, atMs: number, nowMs: number): void {
  if (atMs < nowMs - GRACE) {
    const detail = `"${text}" is past (${new Date(atMs).toISOString()}; now it is ${new Date(nowMs).toISOString()}). Name a time ahead`;
    throw new GatewayError("CRON_SCHEDULE", detail);
  }
  const latest = new Date(nowMs);
  latest.setUTCFullYear(latest.getUTCFullYear() + YEARS_AHEAD);
  if (atMs > latest.getTime()) {
    throw new GatewayError("CRON_SCHEDULE", `"${text}" is more than ${YEARS_AHEAD} years ahead. Name an earlier time`);
  }
}

function findInstant(text: string, nowMs: number, zone: Zone): number | undefined {
  const written = readWritten(text);
  if (written) return written.offset === undefined ? instantOf(zone, written.wall) : written.wall - written.offset;
  const plain = text.trim().toLowerCase().replace(/\s+/g, " ");
  if (plain === "now") return nowMs;
  const relative = /^(?:in |\+ ?)(.+)$/.exec(plain)?.[1];
  if (relative !== undefined) {
    const duration = findDuration(relative.replace(/^an? /, "1 "));
    return duration === undefined ? undefined : nowMs + duration;
  }
  return findOnDay(plain, nowMs, zone);
}

function findOnDay(plain: string, nowMs: number, zone: Zone): number | undefined {
  const wall = wallAt(zone, nowMs);
  const today = Math.floor(wall / DAY) * DAY;
  const bare = findTime(plain);
  if (bare !== undefined) return firstAhead(zone, nowMs, [today + bare, today + DAY + bare]);
  const named = /^(?:on )?(today|tonight|tomorrow|(?:next |this )?[a-z]+)(?:,? (.+))?$/.exec(plain);
  const time = named ? findTime(named[2] ?? defaultTime(named[1] ?? "")) : undefined;
  if (!named || time === undefined) return undefined;
  const [, day = ""] = named;
  if (day === "today" || day === "tonight") return instantOf(zone, today + time);
  if (day === "tomorrow") return instantOf(zone, today + DAY + time);
  const ahead = daysUntil(day, new Date(today).getUTCDay());
  if (ahead === undefined) return undefined;
  return firstAhead(zone, nowMs, [today + ahead * DAY + time, today + (ahead + 7) * DAY + time]);
}

/** A day alone means its morning; an evening is later. */
function defaultTime(day: string): string {
  return day === "tonight" ? "20:00" : "9:00";
}

function firstAhead(zone: Zone, nowMs: number, walls: readonly number[]): number | undefined {
  return walls.map((wall) => instantOf(zone, wall)).find((instant) => instant > nowMs);
}

/** "friday" is the next one, today if it is still ahead; "next friday" is never today. */
function daysUntil(day: string, today: number): number | undefined {
  const [, next, name = ""] = /^(next |this )?([a-z]{3,})$/.exec(day) ?? [];
  const wanted = WEEKDAYS.findIndex((weekday) => weekday.startsWith(name));
  if (name === "" || wanted < 0) return undefined;
  const ahead = (wanted - today + 7) % 7;
  return next === "next " && ahead === 0 ? 7 : ahead;
}

/** Milliseconds since midnight. */
function findTime(text: string): number | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [, hours, minutes, seconds, half, word] = match;
  if (word) return word === "noon" ? DAY / 2 : DAY;
  if (minutes === undefined && half === undefined) return undefined;
  const hour = Number(hours);
  const isFit = half === undefined ? hour <= 23 : hour >= 1 && hour <= 12;
  if (!isFit || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 59) return undefined;
  const inDay = half === undefined ? hour : (hour % 12) + (half === "pm" ? 12 : 0);
  return (inDay * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000;
}
