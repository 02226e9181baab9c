// The time a message was written, put before it for the model, and taken off again for people.
import { dayWriter } from "@chela/sdk/base";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const PREFIX = /^\[(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d{4}-\d\d-\d\d \d\d:\d\d [^\]\n]{1,12}\] /;

/** `[Thu 2026-01-15 12:00 UTC] `, in the time zone of this machine or in `timeZone`. */
export function timePrefix(at: number, timeZone?: string): string {
  return timeZone ? prefixInZone(at, timeZone) : localPrefix(new Date(at));
}

/** The name of this machine's time zone, as far as it can be had without loading calendars. */
export function localZone(now: number): string {
  return process.env["TZ"] || offsetName(-new Date(now).getTimezoneOffset());
}

export function withTimePrefix(text: string, at: number, timeZone?: string): string {
  return PREFIX.test(text) ? text : timePrefix(at, timeZone) + text;
}

export function withoutTimePrefix(text: string): string {
  return text.replace(PREFIX, "");
}

function localPrefix(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${DAYS[date.getDay()]} ${dayWriter()(date.getTime())}`;
  return `[${day} ${two(date.getHours())}:${two(date.getMinutes())} ${offsetName(-date.getTimezoneOffset())}] `;
}

function offsetName(minutes: number): string {
  if (minutes === 0) return "UTC";
  const size = Math.abs(minutes);
  const rest = size % 60 ? `:${String(size % 60).padStart(2, "0")}` : "";
  return `GMT${minutes < 0 ? "-" : "+"}${Math.floor(size / 60)}${rest}`;
}

/** Intl costs a few milliseconds at first use, so only those who configured a zone pay for it. */
function prefixInZone(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `[${part["weekday"]} ${part["year"]}-${part["month"]}-${part["day"]} ${part["hour"]}:${part["minute"]} ${part["timeZoneName"]}] `;
}
