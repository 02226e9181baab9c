// Finds the days a sentence speaks of: written ones, weekdays, "tomorrow", "in two weeks".
import { dayNumber, weekdayOf, yearOf, type DayNumber } from "./days.ts";
import { compile, eitherCase, findAll, type CalendarWords } from "./pattern.ts";

interface FoundDay {
  readonly day: DayNumber;
  /** Written out, in contrast to one that is counted from the day it was said on. */
  readonly isWritten: boolean;
}

export interface DayReader {
  (plain: string, saidOn: DayNumber, isPast: boolean): readonly FoundDay[];
}

type Groups = Readonly<Record<string, string | undefined>>;

const ISO = /(?<![\d-])(?<year>\d{4})-(?<monthNumber>\d{2})-(?<day>\d{2})(?![\d-])/g;
/** 12/25/2026, where it can be nothing else. */
const SLASHED = /(?<![\d/])(?<first>\d{1,2})\/(?<second>\d{1,2})\/(?<year>\d{4})(?![\d/])/g;
const LETTER_FOLLOWS = String.raw`(?!\p{L})`;

/**
 * "On Friday", "this Friday" and "next Friday" are the first Friday after the day it is said on: people mean several
 * things by them, and one rule for all is easier to foresee.
 */
export function createDayReader(words: CalendarWords): DayReader {
  const month = `(?<month>${eitherCase(words.months.join("|"))})`;
  const weekday = `(?<weekday>${words.weekdays.join("|")})${LETTER_FOLLOWS}`;
  const written = words.written.map((says) => compile(says, { month }));
  const coming = compile(`(?:${words.coming})${weekday}`);
  const last = compile(`(?:${words.last})${weekday}`);
  const ahead = compile(words.ahead, {
    count: `(?<count>\\d{1,2}|${eitherCase(Object.keys(words.numbers).join("|"))})`,
    unit: `(?<unit>${eitherCase(words.units)})${LETTER_FOLLOWS}`,
  });
  const relative = words.relative.map(([says, days]) => [compile(`${says}${LETTER_FOLLOWS}`), days] as const);
  const months = words.months.map((name) => new RegExp(`^(?:${name})$`, "iu"));
  const weekdays = words.weekdays.map((name) => new RegExp(`^(?:${name})$`, "iu"));
  const placeOf = (names: readonly RegExp[], text = "") => names.findIndex((name) => name.test(text));

  function readWritten(groups: Groups, saidOn: DayNumber, isPast: boolean): DayNumber | undefined {
    const inYear = groups["month"] === undefined ? Number(groups["monthNumber"]) : placeOf(months, groups["month"]) + 1;
    if (groups["year"] !== undefined) return dayNumber(Number(groups["year"]), inYear, Number(groups["day"]));
    const inThisYear = dayNumber(yearOf(saidOn), inYear, Number(groups["day"]));
    if (inThisYear === undefined) return undefined;
    if (isPast) return inThisYear <= saidOn ? inThisYear : dayNumber(yearOf(saidOn) - 1, inYear, Number(groups["day"]));
    return inThisYear >= saidOn ? inThisYear : dayNumber(yearOf(saidOn) + 1, inYear, Number(groups["day"]));
  }

  function* counted(plain: string, saidOn: DayNumber, isPast: boolean): Iterable<DayNumber> {
    for (const { groups = {} } of findAll(plain, ahead)) {
      const count = words.numbers[(groups["count"] ?? "").toLowerCase()] ?? Number(groups["count"]);
      yield saidOn + count * (words.weeks.test(groups["unit"] ?? "") ? 7 : 1);
    }
    for (const { groups = {} } of findAll(plain, last)) {
      yield saidOn - ((weekdayOf(saidOn) - placeOf(weekdays, groups["weekday"]) + 6) % 7) - 1;
    }
    if (!isPast) {
      for (const { groups = {} } of findAll(plain, coming)) {
        yield saidOn + ((placeOf(weekdays, groups["weekday"]) - weekdayOf(saidOn) + 6) % 7) + 1;
      }
    }
    for (const [says, days] of relative) {
      if (plain.search(says) < 0) continue;
      yield saidOn + days;
      return;
    }
  }

  return (plain, saidOn, isPast) => {
    const days = new Map<DayNumber, boolean>();
    for (const expression of [ISO, ...written]) {
      for (const { groups = {} } of findAll(plain, expression)) {
        const day = readWritten(groups, saidOn, isPast);
        if (day !== undefined) days.set(day, true);
      }
    }
    const slashed = readSlashed(plain);
    if (slashed !== undefined) days.set(slashed, true);
    for (const day of counted(plain, saidOn, isPast)) if (!days.has(day)) days.set(day, false);
    return Array.from(days, ([day, isWritten]) => ({ day, isWritten }));
  };
}

function readSlashed(plain: string): DayNumber | undefined {
  if (!plain.includes("/")) return undefined;
  for (const { groups = {} } of findAll(plain, SLASHED)) {
    const [first, second] = [Number(groups["first"]), Number(groups["second"])];
    if (first > 12) return dayNumber(Number(groups["year"]), second, first);
    if (second > 12 || first === second) return dayNumber(Number(groups["year"]), first, second);
  }
  return undefined;
}
