// Cron expressions: which wall times they mean. Zones and changes of the clock are not known here.
import { GatewayError } from "@chela/sdk";
import type { Cron, CronOptions } from "croner";

export interface Expression {
  /** The first wall time it means behind `wall`, in whole seconds. */
  nextWall(wall: number): number | undefined;
  /** It names hours of the day; otherwise it means a rhythm that goes on through every hour. */
  readonly namesHours: boolean;
}

type Croner = typeof Cron;

interface Field {
  readonly name: string;
  readonly allowed: string;
}

const DAYS = ", L for the last day, 15W for the weekday nearest to the 15th";
const WEEKDAYS = ", 5#2 for the second Friday, 5L for the last one";
const FIELDS: readonly Field[] = [
  { name: "second", allowed: "0-59" },
  { name: "minute", allowed: "0-59" },
  { name: "hour", allowed: "0-23" },
  { name: "day of month", allowed: `1-31${DAYS}` },
  { name: "month", allowed: "1-12 or JAN-DEC" },
  { name: "day of week", allowed: `0-7 (0 and 7 are Sunday) or SUN-SAT${WEEKDAYS}` },
];
const HOUR = 2;
const HIGHEST = [59, 59, 23, 31, 12, 7];
const NICKNAMES = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

/** The wall times are computed as if they were UTC, where no hour is skipped or repeated. Croner writes into what it is given. */
const options = (): CronOptions => ({ utcOffset: 0, mode: "6-part", sloppyRanges: true });

/** The six fields of an expression, seconds first. */
export function splitFields(text: string): string[] | undefined {
  const trimmed = text.trim();
  const fields = (NICKNAMES.get(trimmed.toLowerCase()) ?? trimmed).split(/\s+/);
  if (fields.length === 5) return ["0", ...fields];
  return fields.length === 6 ? fields : undefined;
}

export function readExpression(Croner: Croner, text: string): Expression {
  const fields = splitFields(text);
  if (!fields) throw unreadable(text, explainCount(text));
  const cron = readFields(Croner, fields, text);
  return {
    nextWall: (wall) => findNext(cron, wall),
    namesHours: !meansEveryHour(fields[HOUR] ?? "*"),
  };
}

function readFields(Croner: Croner, fields: readonly string[], text: string): Cron {
  if (!fields.every(isWritten)) throw unreadable(text, explainFields(Croner, fields));
  try {
    return new Croner(fields.join(" "), options());
  } catch (error) {
    throw unreadable(text, explainFields(Croner, fields), error);
  }
}

/**
 * Croner looks for the 30th of February in March, and passes over the first days of March on its way. So nothing it finds
 * behind a February counts: it is asked again from the first of March on.
 */
function findNext(cron: Cron, wall: number): number | undefined {
  let from = wall;
  let march = firstMarchBehind(wall);
  for (;;) {
    const found = cron.nextRun(new Date(from))?.getTime();
    if (found === undefined || found < march) return found;
    from = march - 1;
    march = firstMarchBehind(march);
  }
}

function firstMarchBehind(wall: number): number {
  const year = new Date(wall).getUTCFullYear();
  const march = Date.UTC(year, 2);
  return march > wall ? march : Date.UTC(year + 1, 2);
}

function unreadable(text: string, why: string, cause?: unknown): GatewayError {
  return new GatewayError("CRON_SCHEDULE", `the expression "${text}" cannot be read. ${why}`, { cause });
}

function explainCount(text: string): string {
  const count = text.trim().split(/\s+/).filter(Boolean).length;
  return `It has ${count} ${count === 1 ? "field" : "fields"}; allowed are five (minute, hour, day of month, month, day of week) or six (second first). Example: 30 7 * * 1-5`;
}

/** Tries each field by itself to find the one that is wrong. */
function explainFields(Croner: Croner, fields: readonly string[]): string {
  const place = fields.findIndex((field, index) => !isReadable(Croner, field, index));
  const field = FIELDS[place];
  if (!field) return "Its fields do not go together. Example: 30 7 * * 1-5";
  return `The ${field.name} is "${fields[place]}"; allowed are *, ${field.allowed}, lists (1,3), ranges (1-5) and steps (*/2)`;
}

/**
 * Croner takes a star among other signs, and steps that begin behind the last number, for no time at all, and then looks
 * for it until the year 10000.
 */
function isWritten(field: string, place: number): boolean {
  return field.split(",").every((item) => {
    if (item.includes("*")) return /^\*(?:\/\d+)?$/.test(item);
    return Number(/^\d+/.exec(item)?.[0] ?? 0) <= (HIGHEST[place] ?? 0);
  });
}

function isReadable(Croner: Croner, field: string, place: number): boolean {
  if (!isWritten(field, place)) return false;
  try {
    return Boolean(new Croner(FIELDS.map((_, index) => (index === place ? field : "*")).join(" "), options()));
  } catch {
    return false;
  }
}

function meansEveryHour(field: string): boolean {
  const hours = new Set<number>();
  for (const item of field.split(",")) for (const hour of hoursOf(item)) hours.add(hour);
  return hours.size === 24;
}

function hoursOf(item: string): number[] {
  const [range = "*", step = "1"] = item.split("/");
  const [from = "*", to = item.includes("/") ? "23" : from] = range.split("-");
  const isAll = from === "*" || from === "?" || from === "";
  const [low, high] = isAll ? [0, 23] : [Number(from), Number(to)];
  const hours: number[] = [];
  for (let hour = low; hour <= high; hour += Number(step)) hours.push(hour);
  return hours;
}
