// Cron expressions that people say in plain words: read from their fields, and written as them.

export type Days =
  | { readonly kind: "every" }
  /** 0 is Sunday. */
  | { readonly kind: "week"; readonly days: readonly number[] }
  | { readonly kind: "month"; readonly days: readonly number[] };

export type Rhythm =
  | { readonly kind: "minutes"; readonly every: number }
  /** At this minute of every hour, of every second one, and so on. */
  | { readonly kind: "hours"; readonly every: number; readonly minute: number }
  /** Written HH:MM. */
  | { readonly kind: "times"; readonly times: readonly string[]; readonly days: Days };

const DAY_NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MOST_TIMES = 12;
const EVERY_DAY: Days = { kind: "every" };

/** Undefined for whatever is too special for plain words. */
export function readRhythm(expression: string): Rhythm | undefined {
  const fields = expression.trim().toLowerCase().split(/\s+/);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] =
    fields.length === 6 && fields[0] === "0" ? fields.slice(1) : fields.length === 5 ? fields : [];
  if (month !== "*") return undefined;
  const days = readDays(day, weekday);
  if (!days) return undefined;
  return readTimes(minute, hour, days) ?? (days.kind === "every" ? readStep(minute, hour) : undefined);
}

function readDays(day: string, weekday: string): Days | undefined {
  if (day === "*" && weekday === "*") return EVERY_DAY;
  if (day === "*") {
    const named = DAY_NAMES.reduce((text, name, at) => text.replaceAll(name, String(at)), weekday);
    const days = numbersOf(named, 0, 7)?.map((one) => one % 7);
    return days && weekOf([...new Set(days)]);
  }
  const days = weekday === "*" ? numbersOf(day, 1, 31) : undefined;
  return days && { kind: "month", days };
}

function weekOf(days: readonly number[]): Days {
  return days.length === DAY_NAMES.length ? EVERY_DAY : { kind: "week", days: inWeekOrder(days) };
}

/** Monday first. */
function inWeekOrder(days: readonly number[]): number[] {
  return days.toSorted((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
}

function readTimes(minute: string, hour: string, days: Days): Rhythm | undefined {
  const [minutes, hours] = [numbersOf(minute, 0, 59), numbersOf(hour, 0, 23)];
  if (!minutes || !hours || minutes.length * hours.length > MOST_TIMES) return undefined;
  const times = hours.flatMap((one) => minutes.map((at) => `${twoDigits(one)}:${twoDigits(at)}`));
  return { kind: "times", times, days };
}

/** Only a step that fits into the whole comes at even distances. */
function readStep(minute: string, hour: string): Rhythm | undefined {
  const step = (field: string, whole: number): number | undefined => {
    const every = field === "*" ? 1 : Number(/^\*\/(\d+)$/.exec(field)?.[1] ?? Number.NaN);
    return whole % every === 0 ? every : undefined;
  };
  const minutes = step(minute, 60);
  if (hour === "*" && minutes !== undefined) return { kind: "minutes", every: minutes };
  const [at, ...others] = numbersOf(minute, 0, 59) ?? [];
  const hours = step(hour, 24);
  if (hours === undefined || at === undefined || others.length > 0) return undefined;
  return { kind: "hours", every: hours, minute: at };
}

/** The numbers of a list with ranges; undefined for anything else. */
export function numbersOf(field: string, lowest: number, highest: number): number[] | undefined {
  const numbers = new Set<number>();
  for (const item of field.split(",")) {
    const [, from, to = from] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(item) ?? [];
    if (from === undefined || Number(from) < lowest || Number(to) > highest || Number(from) > Number(to)) return;
    for (let value = Number(from); value <= Number(to); value += 1) numbers.add(value);
  }
  return [...numbers].sort((one, other) => one - other);
}

/** An expression has each of its minutes in each of its hours: other times cannot be written as one. */
export function writeTimes(times: readonly string[], days: Days): string | undefined {
  const parts = times.map((time) => time.split(":").map(Number) as [number, number]);
  const list = (at: 0 | 1): number[] => [...new Set(parts.map((part) => part[at]))].sort((one, other) => one - other);
  const [hours, minutes] = [list(0), list(1)];
  if (hours.length * minutes.length !== new Set(times).size) return undefined;
  const month = days.kind === "month" ? days.days.join(",") : "*";
  const week = days.kind === "week" ? writeWeek(days.days) : "*";
  return `${minutes.join(",")} ${hours.join(",")} ${month} * ${week}`;
}

function writeWeek(days: readonly number[]): string {
  const sorted = inWeekOrder(days).join(",");
  return sorted === "1,2,3,4,5" ? "1-5" : sorted;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
