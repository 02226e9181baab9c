// Computes when a schedule is due. Pure: the same schedule and instant give the same answer, everywhere and after every restart.
//
// What happens when clocks change:
// - An expression that names hours means times of the day, and each happens exactly once a day. A time that is skipped
//   happens at the first instant after the gap (several in one gap: once together). A time that comes twice happens the
//   first time.
// - An expression whose hours are all hours means a rhythm, and follows the clock: the times of a repeated hour happen in
//   both passes, those of a skipped hour not at all, so that `*/15 * * * *` comes every 15 minutes that really pass.
import { createHash } from "node:crypto";
import type { CronSchedule } from "@chela/sdk";
import { readExpression, type Expression } from "./expression.ts";
import { findChange, findWall, instantOf, openZone, wallAt, type Zone } from "./zone.ts";
import { readAt } from "./written-time.ts";

export interface JobTimes {
  /** Gives a job its place within the time its instants are spread over. */
  readonly jobId: string;
  /** The zone of schedules that name none; that of this machine when absent. */
  readonly zone?: string;
  /** What `every` counts from without an anchor of its own. */
  readonly createdAtMs?: number;
}

/** Throws CRON_SCHEDULE for a schedule that cannot be read. */
export interface Timetable {
  /** The first instant strictly behind `afterMs`; `undefined` when there is none any more. */
  nextRunAfter(schedule: CronSchedule, afterMs: number, job: JobTimes): number | undefined;
  /** The instants in (fromMs, toMs], oldest first, at most `limit`. */
  runsBetween(
    schedule: CronSchedule,
    fromMs: number,
    toMs: number,
    job: JobTimes & { readonly limit: number },
  ): number[];
  /** The newest instant in (fromMs, toMs], found without counting all before it. */
  lastRunBetween(schedule: CronSchedule, fromMs: number, toMs: number, job: JobTimes): number | undefined;
}

const DAY = 86_400_000;
/** Reading costs more than asking, and jobs share zones and often expressions. */
const KEPT = 200;

/** Loads the reader of expressions: who has no jobs never opens one. */
export async function openTimetable(): Promise<Timetable> {
  const { Cron } = await import("croner");
  const zoneOf = keepRead((name: string) => openZone(name || undefined));
  const expressionOf = keepRead((text: string) => readExpression(Cron, text));

  const nextRunAfter: Timetable["nextRunAfter"] = (schedule, afterMs, job) => {
    switch (schedule.kind) {
      case "at":
        return later(readAt(schedule.at, zoneOf(job.zone ?? "")), afterMs);
      case "every":
        return nextEvery(schedule.everyMs, schedule.anchorMs ?? job.createdAtMs ?? 0, afterMs);
      case "cron": {
        const zone = zoneOf(schedule.tz ?? job.zone ?? "");
        const place = placeWithin(schedule.staggerMs ?? 0, job.jobId);
        const due = nextDue(expressionOf(schedule.expr), zone, afterMs - place);
        return due === undefined ? undefined : due + place;
      }
    }
  };
  const runsBetween: Timetable["runsBetween"] = (schedule, fromMs, toMs, job) => {
    const runs: number[] = [];
    let run = nextRunAfter(schedule, fromMs, job);
    while (run !== undefined && run <= toMs && runs.length < job.limit) {
      runs.push(run);
      run = nextRunAfter(schedule, run, job);
    }
    return runs;
  };
  return {
    nextRunAfter,
    runsBetween,
    lastRunBetween(schedule, fromMs, toMs, job) {
      const firstAfter = (ms: number): number | undefined => {
        const run = nextRunAfter(schedule, ms, job);
        return run !== undefined && run <= toMs ? run : undefined;
      };
      let newest = firstAfter(fromMs);
      // Halves the time in which a newer one may be, so that a year of seconds costs as much as a day of hours.
      for (let until = toMs; newest !== undefined && newest < until;) {
        const middle = Math.floor((newest + until) / 2);
        const newer = firstAfter(middle);
        if (newer === undefined) until = middle;
        else newest = newer;
      }
      return newest;
    },
  };
}

function later(instant: number, afterMs: number): number | undefined {
  return instant > afterMs ? instant : undefined;
}

function nextEvery(everyMs: number, anchorMs: number, afterMs: number): number {
  if (afterMs < anchorMs) return anchorMs;
  return anchorMs + (Math.floor((afterMs - anchorMs) / everyMs) + 1) * everyMs;
}

/** Nothing is spread unless it was asked for: a job fires when it says, and one gateway can start all its jobs at once. */
function placeWithin(staggerMs: number, jobId: string): number {
  if (staggerMs === 0) return 0;
  return createHash("sha256").update(jobId).digest().readUIntBE(0, 6) % staggerMs;
}

function nextDue(expression: Expression, zone: Zone, afterMs: number): number | undefined {
  return expression.namesHours ? nextTime(expression, zone, afterMs) : nextBeat(expression, zone, afterMs);
}

function nextTime(expression: Expression, zone: Zone, afterMs: number): number | undefined {
  let wall = expression.nextWall(wallAt(zone, afterMs));
  while (wall !== undefined) {
    const instant = instantOf(zone, wall);
    if (instant > afterMs) return instant;
    // It is the second pass, and this time has been in the first. So have all others up to the change between them.
    const change = findChange(zone, instant, wall - zone.offsetAt(afterMs));
    const repeatedUntil = change === undefined ? wall : change + zone.offsetAt(instant);
    wall = expression.nextWall(Math.max(wall, repeatedUntil - 1));
  }
  return undefined;
}

function nextBeat(expression: Expression, zone: Zone, afterMs: number): number | undefined {
  let from = afterMs;
  let wall = expression.nextWall(wallAt(zone, from));
  while (wall !== undefined) {
    const repeat = nextRepeat(zone, from);
    if (repeat !== undefined && wall >= repeat + zone.offsetAt(from)) {
      from = repeat;
      wall = expression.nextWall(wallAt(zone, from) - 1);
      continue;
    }
    const showing = findWall(zone, wall);
    if (showing.kind === "once") return showing.at;
    if (showing.kind === "twice") return showing.at > afterMs && showing.at >= from ? showing.at : showing.again;
    from = showing.change;
    wall = expression.nextWall(Math.max(wall, wallAt(zone, from) - 1));
  }
  return undefined;
}

/** When clocks are put back within the next day, which shows them times again that are already behind them. */
function nextRepeat(zone: Zone, from: number): number | undefined {
  const change = findChange(zone, from, from + DAY);
  return change !== undefined && zone.offsetAt(change) < zone.offsetAt(from) ? change : undefined;
}

function keepRead<Value>(read: (text: string) => Value): (text: string) => Value {
  const kept = new Map<string, Value>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const value = read(text);
    if (kept.size >= KEPT) kept.clear();
    kept.set(text, value);
    return value;
  };
}
