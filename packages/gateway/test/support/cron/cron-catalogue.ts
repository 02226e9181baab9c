// Two hundred jobs of every kind, each with the instants at which it is due in the simulated year.
import type { Almanac } from "./cron-almanac.ts";
import type { Json } from "../wire-client.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "turn" asks the model, "slow" for a long time; "broken" is a command that fails. */
type Deed = "event" | "wake" | "turn" | "slow" | "command" | "broken";
/** Pages take a result at once, at the second attempt, or never. */
type Promised = "none" | "webchat" | "page" | "flaky-page" | "refusing-page";

export interface JobPlan {
  readonly name: string;
  readonly schedule: Json;
  /** Without the place that a stagger gives. */
  readonly instants: readonly number[];
  readonly deed: Deed;
  readonly promised: Promised;
  readonly catchUp: "once" | "skip" | "all";
  readonly onCrash: "retry" | "report";
  readonly deleteAfterRun?: boolean;
}

export const SLOW_SECONDS = 100;
/** The place of the gateway itself. */
export const HOME_ZONE = "Europe/Stockholm";
const ZONES = [
  "Europe/Stockholm",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "America/St_Johns",
  "Pacific/Apia",
  "Antarctica/Troll",
  "Africa/Cairo",
  "Pacific/Chatham",
  "America/Santiago",
  "Asia/Kolkata",
  "Africa/Casablanca",
  "Europe/Dublin",
  "Asia/Tehran",
  "Pacific/Kiritimati",
  "UTC",
] as const;

/** How many jobs have the expression (of five fields, or six), and in which zones: the one after the other from `first` on. */
const EXPRESSIONS: ReadonlyArray<readonly [expression: string, jobs: number, first: number, zones: number]> = [
  ["30 2 * * 0", 16, 0, 16],
  ["0 9 1 * *", 16, 0, 16],
  ["0 0 29 2 *", 16, 0, 16],
  ["45 23 31 12 *", 16, 0, 16],
  ["0 6 */15 * *", 16, 4, 4],
  ["30 0 * 3,4,9,10 0", 14, 2, 7],
  ["0 8 1-7 * MON", 3, 0, 1],
  ["0 2 * * *", 1, 2, 1],
  ["*/30 * * 3 0", 1, 0, 1],
  ["0 * * 4,10 SUN", 1, 2, 1],
  ["0 45 1 * * SAT,SUN", 5, 3, 2],
  ["30 0 2 * * 0", 1, 2, 1],
  ["0 0 12 15 1-12/3 *", 12, 4, 4],
];
const STAGGERS_MS = [5, 11, 17, 23].map((minutes) => minutes * MINUTE);

type Timed = Pick<JobPlan, "schedule" | "instants">;

export function planJobs(almanac: Almanac): readonly JobPlan[] {
  const timed: Timed[] = [
    ...EXPRESSIONS.flatMap(([expression, jobs, first, zones]) =>
      Array.from({ length: jobs }, (_, index) => byExpression(almanac, expression, zoneAt(first + (index % zones)))),
    ),
    ...STAGGERS_MS.flatMap((staggerMs, index) =>
      [0, 5, 10].map((zone) => byExpression(almanac, "0 12 1,15 * *", zoneAt(zone + index), staggerMs)),
    ),
    ...Array.from({ length: 24 }, (_, index) => byInterval(almanac, index)),
    ...Array.from({ length: 30 }, (_, index) => byDate(almanac.from + (index + 1) * 12 * DAY + index * 55 * MINUTE)),
    ...DATES_AT_HOME.map(([at, instant]) => ({ schedule: { kind: "at", at }, instants: [Date.parse(instant)] })),
  ];
  const deeds: readonly Deed[] = ["event", "turn", "event", "turn", "event", "command", "turn", "event", "wake"];
  const plans = timed.map((job, index): JobPlan => {
    const often = job.instants.length > 100;
    const deed = at(deeds, index);
    return {
      ...job,
      name: `job-${index}`,
      // Commands take their time, the model does not.
      deed: deed === "command" && often ? "turn" : deed,
      promised: deed === "turn" ? at(["webchat", "page", "none", "webchat", "page"] as const, index) : "none",
      catchUp: at(["once", "skip", "once", "all"] as const, Math.floor(index / 2)),
      onCrash: index % 3 === 0 ? "report" : "retry",
      ...(job.schedule["kind"] === "at" && index % 4 === 0 ? { deleteAfterRun: false } : {}),
      ...(job.schedule["kind"] === "every" && index % 6 === 0 ? { deleteAfterRun: true } : {}),
    };
  });
  return [...plans, ...planOddOnes(almanac)];
}

/** Times of the gateway's own place: in summer, in winter, one that clocks skip, and one that comes twice. */
const DATES_AT_HOME = [
  ["2027-09-14 18:20", "2027-09-14T16:20:00Z"],
  ["2027-12-24T18:00", "2027-12-24T17:00:00Z"],
  ["2028-03-26 02:30", "2028-03-26T01:00:00Z"],
  ["2027-10-31 02:30", "2027-10-31T00:30:00Z"],
  ["2028-02-29", "2028-02-28T23:00:00Z"],
] as const;

/** Jobs that take long, that fail, and whose results arrive late or never. */
function planOddOnes(almanac: Almanac): readonly JobPlan[] {
  const slow = byExpression(almanac, "0,30 0-5 10 1 * *", "Australia/Lord_Howe");
  const weekly = byExpression(almanac, "0 5 * * 2", "America/New_York");
  const daily = byExpression(almanac, "15 4 * 2 *", "Pacific/Chatham");
  const usual = { promised: "none", catchUp: "once", onCrash: "retry" } as const;
  return [
    { ...usual, ...slow, name: "slow-once", deed: "slow" },
    { ...usual, ...slow, name: "slow-skip", deed: "slow", catchUp: "skip", onCrash: "report", promised: "page" },
    { ...usual, ...slow, name: "slow-all", deed: "slow", catchUp: "all", promised: "webchat" },
    { ...usual, ...weekly, name: "broken-once", deed: "broken" },
    { ...usual, ...weekly, name: "broken-all", deed: "broken", catchUp: "all", onCrash: "report" },
    { ...usual, ...weekly, name: "broken-skip", deed: "broken", catchUp: "skip" },
    { ...usual, ...byDate(almanac.from + 100 * DAY), name: "broken-at", deed: "broken" },
    { ...usual, ...weekly, name: "flaky-once", deed: "turn", promised: "flaky-page" },
    { ...usual, ...daily, name: "flaky-all", deed: "turn", promised: "flaky-page", catchUp: "all", onCrash: "report" },
    { ...usual, ...byDate(almanac.from + 200 * DAY), name: "flaky-at", deed: "turn", promised: "flaky-page" },
    { ...usual, ...weekly, name: "refused-once", deed: "turn", promised: "refusing-page" },
    { ...usual, ...daily, name: "refused-skip", deed: "turn", promised: "refusing-page", catchUp: "skip" },
    { ...usual, ...byDate(almanac.from + 300 * DAY), name: "refused-at", deed: "turn", promised: "refusing-page" },
  ];
}

export function byExpression(almanac: Almanac, expression: string, zone: string, staggerMs?: number): Timed {
  const six = expression.split(" ").length === 6 ? expression : `0 ${expression}`;
  const stagger = staggerMs === undefined ? {} : { staggerMs };
  return {
    schedule: { kind: "cron", expr: expression, tz: zone, ...stagger },
    instants: almanac.ofExpression(six, zone),
  };
}

/** From a day to a month, most of them with an anchor; some anchors are past, some far ahead. */
function byInterval(almanac: Almanac, index: number): Timed {
  const everyMs = index === 0 ? 37 * HOUR : (index + 2) * DAY;
  if (index % 5 === 4)
    return { schedule: { kind: "every", everyMs }, instants: almanac.ofInterval(everyMs, almanac.from) };
  const anchorMs = almanac.from + (index - 6) * 3 * DAY + (index % 3) * 10 * MINUTE;
  return { schedule: { kind: "every", everyMs, anchorMs }, instants: almanac.ofInterval(everyMs, anchorMs) };
}

function byDate(instant: number): Timed {
  return { schedule: { kind: "at", at: new Date(instant).toISOString() }, instants: [instant] };
}

/** As it is given to the gateway. */
export function wishesOf(plan: JobPlan, page: string, tallyFile: string): Json {
  const { name, schedule, deed, promised, catchUp, onCrash, deleteAfterRun } = plan;
  const isEvent = deed === "event" || deed === "wake";
  return {
    name,
    schedule,
    catchUp,
    onCrash,
    payload: payloadOf(plan, tallyFile),
    sessionTarget: isEvent ? "main" : "isolated",
    wakeMode: deed === "wake" ? "now" : "next-heartbeat",
    ...(isEvent ? {} : { delivery: deliveryOf(promised, page) }),
    // Whose result never arrives has somebody told of it.
    failureAlert: promised === "refusing-page" ? { channel: "webchat" } : false,
    ...(deleteAfterRun === undefined ? {} : { deleteAfterRun }),
  };
}

function payloadOf({ name, deed }: JobPlan, tallyFile: string): Json {
  switch (deed) {
    case "event":
    case "wake":
      return { kind: "systemEvent", text: `remember ${name}` };
    case "turn":
      return { kind: "agentTurn", message: "work" };
    case "slow":
      return { kind: "agentTurn", message: `take ${SLOW_SECONDS} seconds`, timeoutSeconds: 0 };
    case "command":
      return { kind: "exec", command: `echo ${name} >> '${tallyFile}'` };
    case "broken":
      return { kind: "exec", command: ["sh", "-c", "exit 3"] };
  }
}

function deliveryOf(promised: Promised, page: string): Json {
  if (promised === "none") return { mode: "none" };
  return promised === "webchat"
    ? { mode: "announce", channel: "webchat" }
    : { mode: "webhook", to: `${page}/${promised}` };
}

function zoneAt(index: number): string {
  return at(ZONES, index);
}

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}
