// Dates and times as they are written: ISO 8601 with a zone, or without one.
import { GatewayError } from "@chela/sdk";
import { instantOf, type Zone } from "./zone.ts";

/** What was written: a wall time, and the offset of its zone where one was written, too. */
export interface WrittenTime {
  readonly wall: number;
  readonly offset?: number;
  /** The offset as it was written. */
  readonly zone?: string;
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i;

/** `undefined` when it is no such text, or no such day or time exists. */
export function readWritten(text: string): WrittenTime | undefined {
  const match = ISO.exec(text.trim());
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as Six;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second) + milliseconds(match[7]);
  const date = new Date(wall);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const zone = match[8];
  return zone === undefined ? { wall } : { wall, zone, offset: offsetOf(zone) };
}

type Six = [number, number, number, number, number, number];

function milliseconds(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
}

function offsetOf(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!match) return 0;
  const size = (Number(match[2]) * 60 + Number(match[3] ?? 0)) * 60_000;
  return match[1] === "-" ? -size : size;
}

/** The instant a job is set for. */
export function readAt(text: string, zone: Zone): number {
  const written = readWritten(text);
  if (!written) {
    const detail = `at is "${text}"; allowed are dates such as 2026-12-24T18:00:00+01:00, or without a zone for local time: 2026-12-24 18:00`;
    throw new GatewayError("CRON_SCHEDULE", detail);
  }
  return written.offset === undefined ? instantOf(zone, written.wall) : written.wall - written.offset;
}

/** `2026-12-24T18:00:00+01:00`: the instant, as the clocks of the zone show it. */
export function writeAt(instant: number, zone: Zone): string {
  const offset = zone.offsetAt(instant);
  const time = new Date(instant + offset).toISOString().replace(/(?:\.000)?Z$/, "");
  if (offset === 0) return `${time}Z`;
  const minutes = Math.abs(offset) / 60_000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${time}${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}
