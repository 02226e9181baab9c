// One line of the log, read: when, how bad, of what part, what it says, and the rest.
import { readLogRecord } from "@chela/sdk/protocol";

export const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
export type Level = (typeof LEVELS)[number];

export interface LogLine {
  /** Counts up: a line keeps its number while others come and go. */
  readonly id: number;
  readonly raw: string;
  /** Milliseconds; undefined where the line has no time. */
  readonly at: number | undefined;
  readonly level: Level;
  /** The part of the gateway or the channel that wrote it. */
  readonly of: string;
  readonly text: string;
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Keys that name who wrote a line, the most telling first. */
const WRITERS = ["subsystem", "name", "room", "channel"] as const;

export function readLine(id: number, raw: string): LogLine {
  const fields = readLogRecord(raw);
  if (!fields) return { id, raw, at: undefined, level: "info", of: "", text: raw, rest: {} };
  const { time, level, msg, message, ...rest } = fields;
  const at = typeof time === "number" ? time : Date.parse(String(time));
  const writer = WRITERS.find((key) => typeof rest[key] === "string");
  return {
    id,
    raw,
    at: Number.isNaN(at) ? undefined : at,
    level: LEVELS.find((one) => one === level) ?? "info",
    of: writer ? String(rest[writer]) : "",
    text: String(msg ?? message ?? ""),
    rest,
  };
}

/** The rest of a line in one row: `account=main conn=4f`. */
export function restText({ rest }: LogLine): string {
  return Object.entries(rest)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
