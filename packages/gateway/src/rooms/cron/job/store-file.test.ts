import type { CronJob } from "@chela/sdk";
import { expect, test } from "vitest";
import { readJobFile, writeJob, writeJobFile } from "./index.ts";

const NOW = Date.parse("2026-11-16T09:20:00Z");

function read(content: unknown) {
  let count = 0;
  return readJobFile(content, { nowMs: NOW, zone: "UTC", newId: () => `new-${(count += 1)}` });
}

/** As they are written today. */
const JOB: CronJob = {
  id: "27013846-980e-467b-b43a-dd7b250f7c68",
  name: "cap job",
  enabled: true,
  createdAtMs: 1_794_733_930_714,
  updatedAtMs: 1_794_733_932_268,
  schedule: { kind: "every", everyMs: 3_600_000, anchorMs: 1_794_733_930_714 },
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: { kind: "agentTurn", message: "SAY cron says hi" },
  delivery: { mode: "none" },
  state: { nextRunAtMs: 1_794_737_530_714, lastRunAtMs: 1_794_733_930_740, lastRunStatus: "ok", consecutiveErrors: 0 },
};

/** The oldest shape there is. */
const OLD = {
  id: "5145dbcf",
  name: "Meeting Intel",
  prompt: "Check calendars",
  schedule: { kind: "interval", everyMs: 900_000 },
  enabled: true,
  createdAt: "2026-01-31T00:00:00Z",
};

test("what is written is read again, with the last status under both names in between", () => {
  const file = JSON.parse(JSON.stringify(writeJobFile([JOB]))) as { version: number; jobs: CronJob[] };
  expect(file.version).toBe(1);
  expect(file.jobs[0]?.state).toMatchObject({ lastRunStatus: "ok", lastStatus: "ok" });
  expect(read(file)).toEqual({ jobs: [JOB], problems: [], notes: [] });
});

test("a job that never ran is written without a status", () => {
  expect(writeJob({ ...JOB, state: { nextRunAtMs: 5 } })).toEqual({ ...JOB, state: { nextRunAtMs: 5 } });
});

const shape = (job: object): ReadonlyArray<readonly [string, unknown]> => [
  ["{version, jobs: […]}", { version: 1, jobs: [job] }],
  ["{jobs: […]}", { jobs: [job] }],
  ["a list", [job]],
  ["a map by id", { "5145dbcf": { ...job, id: undefined } }],
  ["{jobs: map by id}", { version: 1, jobs: { "5145dbcf": { ...job, id: undefined } } }],
  ["{version, …map}", { version: 1, "5145dbcf": job }],
];

test.each(shape(OLD))("an old job is read from %s", (_name, content) => {
  const { jobs, problems } = read(content);
  expect(problems).toEqual([]);
  const createdAtMs = Date.parse("2026-01-31T00:00:00Z");
  expect(jobs).toEqual([
    {
      id: "5145dbcf",
      name: "Meeting Intel",
      enabled: true,
      schedule: { kind: "every", everyMs: 900_000, anchorMs: createdAtMs },
      sessionTarget: "isolated",
      wakeMode: "now",
      payload: { kind: "agentTurn", message: "Check calendars" },
      delivery: { mode: "announce" },
      createdAtMs,
      updatedAtMs: createdAtMs,
      state: {},
    },
  ]);
});

test.each([undefined, null, {}, [], { version: 1, jobs: [] }])("%o holds no jobs", (content) => {
  expect(read(content)).toEqual({ jobs: [], problems: [], notes: [] });
});

test("a job that cannot be read is handed back with the reason, and the others are read", () => {
  const broken = { id: "b", schedule: { kind: "weekly" }, message: "x" };
  const { jobs, problems } = read({ jobs: [broken, JOB, "nonsense"] });
  expect(jobs.map(({ id }) => id)).toEqual([JOB.id]);
  expect(problems.map(({ found }) => found)).toEqual([broken, "nonsense"]);
  expect(problems[0]?.why).toContain('schedule.kind is "weekly"; allowed are at, every and cron');
});

test.each([["../../etc/passwd"], ["a/b"], [".."], ["x".repeat(129)], [""], [undefined]])(
  "a job with the id %o gets one that can be the name of a file",
  (id) => {
    const { jobs, notes } = read([{ ...OLD, id }]);
    expect(jobs[0]?.id).toBe("new-1");
    expect(notes.join()).toMatch(/given (?:one|a new one)/);
  },
);

test("two jobs with one id are both kept", () => {
  expect(read([OLD, { ...OLD, name: "Second" }]).jobs.map(({ id, name }) => [id, name])).toEqual([
    ["5145dbcf", "Meeting Intel"],
    ["new-1", "Second"],
  ]);
});

test("an instant that is past is still a job", () => {
  const schedule = { kind: "at", at: "2020-01-01T00:00:00Z" };
  expect(read([{ ...OLD, schedule }]).jobs[0]).toMatchObject({ schedule, deleteAfterRun: true });
  expect(read([{ ...OLD, schedule: { atMs: 1_577_836_800_000 } }]).jobs[0]?.schedule).toEqual({
    kind: "at",
    at: "2020-01-01T00:00:00.000Z",
  });
});

test("a state with a part that makes no sense loses that part only", () => {
  const { jobs, notes } = read([{ ...OLD, state: { lastStatus: "error", lastRunAtMs: "yesterday", ownNote: 1 } }]);
  expect(jobs[0]?.state).toEqual({ lastRunStatus: "error", ownNote: 1 });
  expect(notes.join()).toContain("parts of its state could not be read");
});
