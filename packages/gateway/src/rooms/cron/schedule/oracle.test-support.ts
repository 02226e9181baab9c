// Evaluates an expression the slow way: looks at a zone's clock at every instant. Shares nothing with the code it judges.

export interface Moment {
  readonly instant: number;
  /** What the clock shows, as if it were UTC. */
  readonly wall: number;
}

const NAMES: Readonly<Record<string, string>> = Object.fromEntries([
  ..."JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ").map((name, index) => [name, String(index + 1)]),
  ..."SUN MON TUE WED THU FRI SAT".split(" ").map((name, index) => [name, String(index)]),
]);

/** Every instant in (from, to] at which the clock moves on by a step. */
export function watchClock(zone: string, from: number, to: number, step: number): Moment[] {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    calendar: "iso8601",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const moments: Moment[] = [];
  for (let instant = from + step; instant <= to; instant += step) {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
    moments.push({ instant, wall: Date.UTC(year, month - 1, day, hour, minute, second) });
  }
  return moments;
}

/** The instants of an expression of six fields among the moments, by the rules at the head of next-run.ts. */
export function expectRuns(expression: string, moments: readonly Moment[], step: number): number[] {
  const fields = expression.split(" ");
  const hits = matcher(fields);
  if (expand(fields[2] ?? "", 0, 23).size === 24) return moments.flatMap((m) => (hits(m.wall) ? [m.instant] : []));
  const shown = new Set<number>();
  const runs: number[] = [];
  let last = moments[0]?.wall ?? 0;
  for (const { instant, wall } of moments) {
    let isDue = hits(wall) && !shown.has(wall);
    for (let skipped = last + step; skipped < wall && !isDue; skipped += step) isDue = hits(skipped);
    if (isDue) runs.push(instant);
    shown.add(wall);
    last = wall;
  }
  return runs;
}

function matcher([second, minute, hour, day, month, weekday]: readonly string[]): (wall: number) => boolean {
  const seconds = expand(second ?? "", 0, 59);
  const minutes = expand(minute ?? "", 0, 59);
  const hours = expand(hour ?? "", 0, 23);
  const days = expand(day ?? "", 1, 31);
  const months = expand(month ?? "", 1, 12);
  const weekdays = new Set([...expand(weekday ?? "", 0, 7)].map((value) => value % 7));
  const isOpen = (field: string | undefined) => field === "*" || field === "?";
  return (wall) => {
    const date = new Date(wall);
    if (!seconds.has(date.getUTCSeconds()) || !minutes.has(date.getUTCMinutes())) return false;
    if (!hours.has(date.getUTCHours()) || !months.has(date.getUTCMonth() + 1)) return false;
    const [byDay, byWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    return isOpen(day) || isOpen(weekday) ? byDay && byWeekday : byDay || byWeekday;
  };
}

function expand(field: string, low: number, high: number): Set<number> {
  const values = new Set<number>();
  for (const item of field.split(",")) {
    const [range = "", step] = item.split("/");
    const ends = range.split("-").map((end) => Number(NAMES[end.toUpperCase()] ?? end));
    const [from, to] =
      range === "*" || range === "?" ? [low, high] : [ends[0] ?? low, ends[1] ?? (step ? high : ends[0])];
    for (let value = from; value <= (to ?? from); value += Number(step ?? 1)) values.add(value);
  }
  return values;
}

/** Numbers in [0, 1) that a seed decides. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An expression of six fields at the full minute, mostly of the hours in which clocks are changed. */
export function randomExpression(random: () => number): string {
  const pick = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const some = (low: number, high: number): string => {
    const kind = pick(0, 5);
    const from = pick(low, high);
    if (kind === 0) return `${from}`;
    if (kind === 1) return `${from}-${pick(from, high)}`;
    if (kind === 2) return `*/${pick(1, Math.max(1, Math.floor((high - low + 1) / 2)))}`;
    if (kind === 3) return `${from}-${pick(from, high)}/${pick(1, 5)}`;
    if (kind === 4) return `${from},${pick(low, high)}`;
    return "*";
  };
  const hour = random() < 0.5 ? some(0, 3) : some(0, 23);
  const isOftenEvery = (field: string) => (random() < 0.6 ? "*" : field);
  return ["0", some(0, 59), hour, isOftenEvery(some(1, 31)), isOftenEvery(some(1, 12)), isOftenEvery(some(0, 6))].join(
    " ",
  );
}
