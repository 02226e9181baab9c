// Schedules in words: "at 07:30 on weekdays (Europe/Stockholm)", "next: Mon 07:30 Europe/Stockholm, in 14 h".
import type { CronSchedule } from "@chela/sdk";
import { describeInterval, roughLength } from "./duration.ts";
import { splitFields } from "./expression.ts";
import { readWritten } from "./written-time.ts";
import { nameZone, openZone, wallAt } from "./zone.ts";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const FULL_DAYS = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const FULL_MONTHS = "January February March April May June July August September October November December".split(" ");
const MOST_TIMES = 6;
const WEEK = 7 * 86_400_000;

/** What is too special for words is told as it is written. */
export function describeSchedule(schedule: CronSchedule): string {
  switch (schedule.kind) {
    case "at":
      return describeAt(schedule.at);
    case "every":
      return `every ${describeInterval(schedule.everyMs)}`;
    case "cron": {
      const words = describeExpression(schedule.expr) ?? `cron ${schedule.expr.trim()}`;
      return schedule.tz ? `${words} (${schedule.tz})` : words;
    }
  }
}

/** "Mon 07:30 Europe/Stockholm, in 14 h"; without a zone it is that of this machine. */
export function describeNext(atMs: number, nowMs: number, zoneName?: string): string {
  const zone = openZone(zoneName);
  const wall = wallAt(zone, atMs);
  const isNear = Math.abs(atMs - nowMs) < WEEK - 86_400_000;
  const isThisYear = new Date(wall).getUTCFullYear() === new Date(wallAt(zone, nowMs)).getUTCFullYear();
  const day = isNear ? weekdayOf(wall) : isThisYear ? dateOf(wall).replace(/ \d+$/, "") : dateOf(wall);
  return `${day} ${timeOf(wall)} ${nameZone(zoneName)}, ${describeDistance(atMs - nowMs)}`;
}

function describeDistance(ms: number): string {
  if (Math.abs(ms) < 1000) return "now";
  return ms > 0 ? `in ${roughLength(ms)}` : `${roughLength(-ms)} ago`;
}

function describeAt(text: string): string {
  const written = readWritten(text);
  if (!written) return `once, at ${text}`;
  const zone = written.zone === undefined ? "" : ` (${/^z$/i.test(written.zone) ? "UTC" : written.zone})`;
  return `once, on ${dateOf(written.wall)} at ${timeOf(written.wall)}${zone}`;
}

function weekdayOf(wall: number): string {
  return DAYS[new Date(wall).getUTCDay()] ?? "";
}

function dateOf(wall: number): string {
  const date = new Date(wall);
  return `${weekdayOf(wall)} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function timeOf(wall: number): string {
  const [, time = "", seconds] = /T(\d\d:\d\d):(\d\d)/.exec(new Date(wall).toISOString()) ?? [];
  return seconds === "00" ? time : `${time}:${seconds}`;
}

function describeExpression(text: string): string | undefined {
  const [second = "", minute = "", hour = "", day = "", month = "", weekday = ""] = splitFields(text) ?? [];
  const when = describeDays(day, month, weekday);
  if (when === undefined) return undefined;
  const rhythm = describeRhythm(second, minute, hour);
  if (rhythm !== undefined) return when === "every day" ? rhythm : `${rhythm}, ${when}`;
  const times = second === "0" ? describeTimes(minute, hour) : undefined;
  return times === undefined ? undefined : `at ${times} ${when}`;
}

function describeRhythm(second: string, minute: string, hour: string): string | undefined {
  if (minute === "*" && hour === "*" && second !== "0") return stepOf(second, "second", 60);
  if (second !== "0") return undefined;
  if (hour === "*" && stepOf(minute, "minute", 60) !== undefined) return stepOf(minute, "minute", 60);
  const hours = stepOf(hour, "hour", 24);
  const [only, ...others] = numbersOf(minute, 59) ?? [];
  if (hours === undefined || only === undefined || others.length > 0) return undefined;
  return only === 0 ? hours : `${hours} at minute ${only}`;
}

/** Only a step that fits into the whole comes at even distances. */
function stepOf(field: string, unit: string, whole: number): string | undefined {
  const step = field === "*" ? 1 : Number(/^\*\/(\d+)$/.exec(field)?.[1] ?? Number.NaN);
  if (!(whole % step === 0)) return undefined;
  return step === 1 ? `every ${unit}` : `every ${step} ${unit}s`;
}

function describeTimes(minute: string, hour: string): string | undefined {
  const [minutes, hours] = [numbersOf(minute, 59), numbersOf(hour, 23)];
  if (!minutes || !hours || minutes.length * hours.length > MOST_TIMES) return undefined;
  const two = (value: number) => String(value).padStart(2, "0");
  return listOf(hours.flatMap((each) => minutes.map((at) => `${two(each)}:${two(at)}`)));
}

function describeDays(day: string, month: string, weekday: string): string | undefined {
  const isOpen = (field: string) => field === "*" || field === "?";
  const months = isOpen(month) ? [] : numbersOf(withNumbers(month, MONTHS, 1), 12);
  if (!months || (!isOpen(day) && !isOpen(weekday))) return undefined;
  const names = listOf(months.map((each) => FULL_MONTHS[each - 1] ?? ""));
  if (isOpen(day)) {
    const words = isOpen(weekday) ? "every day" : describeWeekdays(weekday);
    return names === "" || words === undefined ? words : `${words} in ${names}`;
  }
  if (day === "L") return `on the last day of ${names || "every month"}`;
  const days = numbersOf(day, 31);
  if (!days || days.length > MOST_TIMES) return undefined;
  const ordinals = listOf(days.map(ordinal));
  return `on the ${ordinals} of ${names || "every month"}`;
}

function describeWeekdays(field: string): string | undefined {
  const numbers = numbersOf(withNumbers(field, DAYS, 0), 7);
  if (!numbers) return undefined;
  const days = [...new Set(numbers.map((each) => each % 7))].sort((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
  if (days.length === 7) return "every day";
  if (days.join() === "1,2,3,4,5") return "on weekdays";
  if (days.join() === "6,0") return "on weekends";
  return `on ${listOf(days.map((each) => FULL_DAYS[each] ?? ""))}`;
}

function withNumbers(field: string, names: readonly string[], first: number): string {
  return names.reduce((text, name, index) => text.replaceAll(new RegExp(name, "gi"), String(index + first)), field);
}

/** The numbers of a list with ranges; `undefined` for anything else. */
function numbersOf(field: string, highest: number): number[] | undefined {
  const numbers: number[] = [];
  for (const item of field.split(",")) {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(item) ?? [];
    if (from === undefined || Number(to) > highest) return undefined;
    for (let value = Number(from); value <= Number(to); value += 1) numbers.push(value);
  }
  return [...new Set(numbers)].sort((one, other) => one - other);
}

function ordinal(day: number): string {
  const suffix = ["th", "st", "nd", "rd"][day > 10 && day < 14 ? 0 : day % 10] ?? "th";
  return `${day}${suffix}`;
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
