// The instants of schedules within a year, as the oracle sees them: found by watching clocks, not by computing.
import { expectRuns, watchClock, type Moment } from "../../../src/rooms/cron/schedule/oracle.test-support.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Clocks are changed at quarters of an hour only, so between two of them they simply go on. */
const QUARTER = 15 * MINUTE;
/** And never twice within this time, so that where nothing has changed after it nothing has changed in it. */
const LONG = 6 * HOUR;
const AROUND = 2 * HOUR;

export interface Almanac {
  readonly from: number;
  /** Six fields. Its minutes are quarters of an hour; or it has seconds, 0 and 30, and names one hour of the day. */
  ofExpression(expression: string, zone: string): readonly number[];
  ofInterval(everyMs: number, anchorMs: number): readonly number[];
}

/** For instants in (from, to]. */
export function createAlmanac(from: number, to: number): Almanac {
  const quarters = remember((zone) => watchQuarters(zone, from, to));
  const instantsOf = remember((name) => {
    const [expression = "", zone = ""] = name.split(" in ");
    const [seconds, , ...others] = expression.split(" ");
    if (seconds === "0") return expectRuns(expression, quarters(zone), QUARTER);
    // Looking at every half minute of a year takes long: those around the hour are enough.
    return expectRuns(["0", "0", ...others].join(" "), quarters(zone), QUARTER).flatMap((hour) =>
      expectRuns(expression, watchClock(zone, hour - AROUND, hour + AROUND, 30 * SECOND), 30 * SECOND),
    );
  });
  return {
    from,
    ofExpression: (expression, zone) =>
      instantsOf(`${expression} in ${zone}`).filter((instant) => instant > from && instant <= to),
    ofInterval(everyMs, anchorMs) {
      const instants: number[] = [];
      for (let instant = anchorMs; instant <= to; instant += everyMs) if (instant > from) instants.push(instant);
      return instants;
    },
  };
}

/** Every quarter of an hour in [from, to]. */
function watchQuarters(zone: string, from: number, to: number): Moment[] {
  const rare = watchClock(zone, from - LONG, to, LONG);
  return rare.flatMap((moment, index) => {
    const { instant, wall } = moment;
    const next = rare[index + 1];
    const isChanged = next !== undefined && next.wall - next.instant !== wall - instant;
    if (isChanged) return [moment, ...watchClock(zone, instant, next.instant - QUARTER, QUARTER)];
    const offsets = Array.from({ length: LONG / QUARTER }, (_, count) => count * QUARTER);
    return offsets.map((offset) => ({ instant: instant + offset, wall: wall + offset }));
  });
}

function remember<T>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const value = known.get(name) ?? make(name);
    known.set(name, value);
    return value;
  };
}
