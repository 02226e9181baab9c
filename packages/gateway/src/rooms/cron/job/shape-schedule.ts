// Reads when a job shall run from whatever somebody wrote: texts, numbers, old names.
import { GatewayError } from "@chela/sdk";
import {
  checkReach,
  findDuration,
  openZone,
  readAt,
  readDuration,
  readInstant,
  readWritten,
  splitFields,
  writeAt,
} from "../schedule/index.ts";
import { asLoose, asText, pick, type Loose, type Notes } from "./loose.ts";

export interface ShapeOptions {
  readonly nowMs: number;
  /** Of times that name none; that of this machine when absent. */
  readonly zone?: string;
  /** Where jobs with `notify` report to: the old setting `cron.webhook`. */
  readonly webhook?: string;
  /** A job that was kept before: its instant may be past. */
  readonly isKept?: boolean;
}

/** The names under which a schedule may lie about in a job itself. */
export const SCHEDULE_NAMES = ["at", "atMs", "every", "everyMs", "cron", "expr"];
const KINDS: Readonly<Record<string, string>> = { interval: "every", once: "at", date: "at", expression: "cron" };
/** Later instants in milliseconds than anybody means; earlier ones were written in seconds. */
const SECONDS_BELOW = 100_000_000_000;

/** With canonical names; values that cannot be right are left for the schema to refuse. */
export function shapeSchedule(value: unknown, options: ShapeOptions, notes: Notes): Loose {
  if (typeof value === "number") return shapeAt({ atMs: value }, options, notes);
  if (typeof value === "string") return shapeText(value, options, notes);
  const loose = asLoose(value);
  if (!loose)
    throw new GatewayError("CRON_JOB", `schedule is missing. Allowed are "every 15m", "30 7 * * 1-5" or a date`);
  const kind = kindOf(loose);
  if (loose["kind"] !== kind && kind !== undefined) notes.push(`schedule.kind was read as "${kind}"`);
  if (kind === "at") return shapeAt(loose, options, notes);
  if (kind === "every") return shapeEvery(loose);
  if (kind === "cron") return shapeCron(loose);
  throw new GatewayError(
    "CRON_JOB",
    `schedule.kind is ${JSON.stringify(loose["kind"])}; allowed are at, every and cron`,
  );
}

function kindOf(loose: Loose): string | undefined {
  const said = asText(loose["kind"] ?? loose["type"])?.toLowerCase();
  if (said !== undefined) return KINDS[said] ?? said;
  if (pick(loose, "at", "atMs") !== undefined) return "at";
  if (pick(loose, "every", "everyMs", "interval", "intervalMs") !== undefined) return "every";
  return pick(loose, "expr", "cron", "expression") === undefined ? undefined : "cron";
}

function shapeText(text: string, options: ShapeOptions, notes: Notes): Loose {
  const plain = text.trim();
  const every = /^every (.+)$/i.exec(plain)?.[1];
  if (every !== undefined) return { kind: "every", everyMs: findDuration(every) ?? readDuration(`1 ${every}`) };
  if (/^[@*?\d]/.test(plain) && splitFields(plain)) return { kind: "cron", expr: plain };
  const interval = findDuration(plain);
  if (interval === undefined) return shapeAt({ at: text }, options, notes);
  notes.push(`"${plain}" was read as an interval; write "in ${plain}" for a single run`);
  return { kind: "every", everyMs: interval };
}

function shapeEvery(loose: Loose): Loose {
  const length = pick(loose, "every", "interval", "everyMs", "intervalMs");
  const anchorMs = typeof loose["anchorMs"] === "string" ? Date.parse(loose["anchorMs"]) : loose["anchorMs"];
  return { kind: "every", everyMs: milliseconds(length), anchorMs };
}

function shapeCron(loose: Loose): Loose {
  const tz = pick(loose, "timezone", "timeZone", "tz");
  return {
    kind: "cron",
    expr: pick(loose, "cron", "expression", "expr"),
    tz: tz === "" ? null : tz,
    staggerMs: milliseconds(pick(loose, "stagger", "staggerMs")),
  };
}

function milliseconds(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return /^\d+$/.test(value) ? Number(value) : readDuration(value);
}

function shapeAt(loose: Loose, options: ShapeOptions, notes: Notes): Loose {
  const at = pick(loose, "atMs", "at");
  if (typeof at === "number") return { kind: "at", at: textOfMoment(at, options, notes) };
  const text = asText(at);
  if (text === undefined) return { kind: "at", at };
  if (/^\d{10,13}$/.test(text)) return { kind: "at", at: textOfMoment(Number(text), options, notes) };
  const zone = asText(pick(loose, "tz", "timezone", "timeZone")) ?? options.zone;
  if (options.isKept && readWritten(text)) {
    const isFloating = readWritten(text)?.offset === undefined && zone !== options.zone;
    return { kind: "at", at: isFloating ? writeAt(readAt(text, openZone(zone)), openZone(zone)) : text };
  }
  const fixed = readWritten(text)?.offset !== undefined;
  const instant = readInstant(text, options.nowMs, zone);
  if (fixed) return { kind: "at", at: text.trim() };
  const written = writeAt(instant, openZone(zone));
  notes.push(`at "${text}" was read as ${written}`);
  return { kind: "at", at: written };
}

function textOfMoment(value: number, { nowMs, isKept }: ShapeOptions, notes: Notes): string {
  const isSeconds = Math.abs(value) < SECONDS_BELOW;
  if (isSeconds) notes.push(`${value} was read as seconds since 1970`);
  const instant = isSeconds ? value * 1000 : value;
  if (!isKept) checkReach(String(value), instant, nowMs);
  if (!Number.isFinite(new Date(instant).getTime())) {
    throw new GatewayError("CRON_SCHEDULE", `${value} is no instant in milliseconds since 1970`);
  }
  return new Date(instant).toISOString();
}
