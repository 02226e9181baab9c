// Fuzzes schedules: cron expressions, dates, lengths of time, and jobs as people and models write them.
import { readDuration as readSetting } from "../../packages/gateway/src/base/text/read-duration.ts";
import { normaliseJob, readJobFile, writeJobFile } from "../../packages/gateway/src/rooms/cron/job/index.ts";
import {
  describeNext,
  describeSchedule,
  findDuration,
  openTimetable,
  openZone,
  readInstant,
  readWritten,
  writeAt,
} from "../../packages/gateway/src/rooms/cron/schedule/index.ts";
import { readSize } from "../../packages/gateway/src/rooms/sandbox/read-size.ts";
import { hashOf } from "../random.ts";
import { promise, type Target } from "../target.ts";
import { parseOr } from "./json-text.ts";

const NOW = Date.UTC(2026, 2, 29, 0, 30);
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];

const cronExpression: Target = {
  name: "cron-expression",
  promises:
    "An expression is refused, or each of its instants lies behind the one before it and on a whole second; it can always be told in words.",
  kind: "text",
  seeds: () => [
    "30 7 * * 1-5",
    "*/15 * * * *",
    "0 0 29 2 *",
    "0 30 2 * * SUN",
    "5,10-20/3 0-23/2 L * *",
    "0 9 * * 5#2",
    "0 9 15W * *",
    "@daily",
    "0 0 31 4,6 ?",
    "0 0 * JAN-MAR MON,WED",
  ],
  words: "* */ - , / L W # ? @hourly @yearly JAN SUN 0 7 23 59 60 1-0 0-59/60 */0 * * * * 30 2 99999999999".split(" "),
  maxLength: 120,
  async open() {
    const table = await openTimetable();
    return {
      run(input) {
        const tz = ZONES[hashOf(input) % ZONES.length] ?? "UTC";
        const schedule = { kind: "cron" as const, expr: input, tz };
        promise(describeSchedule(schedule) !== "", "it cannot be told in words");
        let after = NOW;
        for (let count = 0; count < 4; count += 1) {
          const next = table.nextRunAfter(schedule, after, { jobId: "j" });
          if (next === undefined) return;
          promise(next > after && next % 1000 === 0, () => `behind ${after} comes ${next}`);
          after = next;
        }
        const between = table.runsBetween(schedule, NOW, NOW + 3 * 86_400_000, { jobId: "j", limit: 5 });
        promise(between.length <= 5 && between.every((at) => at > NOW), "there are instants nobody asked for");
      },
    };
  },
};

const durations: Target = {
  name: "durations",
  promises:
    "Lengths of time, instants and sizes are whole numbers that make sense, or are refused. A date that was written is read as the same instant.",
  kind: "text",
  seeds: () => [
    ..."90s|15m|1h30m|2 days and 3 hours|PT15M|P1DT2H|500ms|1w|30|1.5h|512m|2g".split("|"),
    ..."tomorrow 9:00|next friday 9am|in 20 minutes|+20m|noon|2026-12-24 18:00|2026-12-24T18:00:00.5+01:00|today 25:00|tonight".split(
      "|",
    ),
  ],
  words: "s m h d w ms P T : - + am pm in next monday tomorrow and , . Z UTC +14:00 24:00 00 99999 2026-02-30 0".split(
    " ",
  ),
  maxLength: 300,
  open: () => ({
    run(input) {
      const found = findDuration(input);
      promise(found === undefined || (Number.isSafeInteger(found) && found > 0), `it takes ${found} ms`);
      const setting = readSetting(input, "m");
      promise(setting === undefined || (Number.isFinite(setting) && setting >= 0), `a setting says ${setting} ms`);
      const written = readWritten(input);
      if (written) {
        const zone = openZone("UTC");
        promise(readWritten(writeAt(written.wall, zone))?.wall === written.wall, "a date is read as another");
      }
      attempt(() => promise(readSize(input, "it") >= 0 && Number.isFinite(readSize(input, "it")), "it is no size"));
      attempt(() => {
        const instant = readInstant(input, NOW, "Europe/Berlin");
        promise(Number.isSafeInteger(instant) && instant > NOW - 86_400_000, `the instant is ${instant}`);
        promise(describeNext(instant, NOW, "UTC") !== "", "it cannot be told in words");
      });
    },
  }),
};

/** What cannot be read is refused; the next reader of the same text still gets its turn. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "GatewayError") throw error;
  }
}

const cronJob: Target = {
  name: "cron-job",
  promises:
    "A job is read or refused with a sentence; what was read is written and read again as the same, and no job of a file is lost.",
  kind: "json",
  seeds: () => [
    '{"name":"n","schedule":{"kind":"cron","expr":"0 9 * * *","tz":"UTC"},"payload":{"kind":"agentTurn","message":"m"},"delivery":{"mode":"announce","channel":"last"}}',
    '{"job":{"every":"15m","text":"t","sessionTarget":"main"},"enabled":"true"}',
    '{"schedule":{"at":"2030-01-01T00:00:00Z"},"message":"m","deliver":true,"channel":"irc","to":"#a"}',
    '{"schedule":{"kind":"every","everyMs":60000,"anchorMs":5},"payload":{"kind":"exec","command":["a","b"]},"state":{"lastStatus":"ok"},"id":"x","createdAtMs":1}',
    '{"version":1,"jobs":[{"id":"a","schedule":"0 0 * * *","payload":"p"},{"id":"a"},null,5]}',
  ],
  words: ["schedule", "payload", "delivery", "every", "at", "cron", "expr", "kind", "message", "state", "id", "notify"],
  open: () => ({
    run(input) {
      const value = parseOr(input);
      let count = 0;
      const options = { nowMs: NOW, newId: () => `new-${count++}`, webhook: "https://example.org/hook" };
      const { jobs, problems } = readJobFile(value, options);
      promise(
        problems.every(({ why }) => why !== ""),
        "a refusal says nothing",
      );
      promise(new Set(jobs.map(({ id }) => id)).size === jobs.length, "two jobs have the same id");
      const again = readJobFile(JSON.parse(JSON.stringify(writeJobFile(jobs))), options);
      promise(
        JSON.stringify(again.jobs) === JSON.stringify(jobs),
        () => `read again, ${JSON.stringify(jobs)} becomes ${JSON.stringify(again)}`,
      );
      normaliseJob(value, options);
    },
  }),
};

export const schedules: readonly Target[] = [cronExpression, cronJob, durations];
