// A year of two hundred jobs, while the process is killed again and again: every instant is dealt with once, and by the rules.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAlmanac, type Almanac } from "../support/cron/cron-almanac.ts";
import { byExpression, HOME_ZONE, planJobs } from "../support/cron/cron-catalogue.ts";
import { countSaid, findFileFaults, rowsOf } from "../support/cron/cron-evidence.ts";
import { createHousehold } from "../support/cron/cron-life.ts";
import { startPage, type CronPage } from "../support/cron/cron-page.ts";
import { CronYear, type Deal } from "../support/cron/cron-year.ts";
import { findLedgerFaults } from "../support/durability/durability-evidence.ts";
import { createRandom } from "../support/durability/durability-random.ts";

const FROM = Date.parse("2027-09-01T00:00:00Z");
const DAY = 86_400_000;
/** Both changes of the clocks of every zone, a year's end and a leap day are in it. */
const TO = FROM + 366 * DAY;
/** Whoever is away when it ends comes back a little later. */
const KNOWN_UNTIL = TO + 20 * DAY;
/** With those while it starts, a third more. */
const KILLS = 33;

test("a year of 200 jobs with kills gives exactly the runs of the calendar, none twice, and the same after a restart", async () => {
  const random = createRandom();
  const almanac = createAlmanac(FROM, KNOWN_UNTIL);
  const plans = planJobs(almanac);
  expect(plans.length).toBeGreaterThanOrEqual(200);
  await using page = await startPage();
  await using household = createHousehold({ cron: { maxConcurrentRuns: 8 } }, HOME_ZONE);
  const tallyFile = join(household.stateDir, "commands.txt");
  const year = new CronYear({ household, page, almanac, random, tallyFile });
  await year.begin(plans);
  const killTimes = Array.from({ length: KILLS }, () => FROM + random.below(TO - FROM)).toSorted((a, b) => a - b);
  await year.live(TO, killTimes, dealsOf(almanac));
  expect(year.kills).toBeGreaterThanOrEqual(40);
  await household.stop();

  const rows = rowsOf(household.ledgerPath);
  expect(rows).toEqual(year.rows);
  expect(rows.length).toBeGreaterThan(5000);
  expect(findFileFaults(household.stateDir, household.ledgerPath)).toEqual([]);
  expect(findArrivalFaults(year, page)).toEqual([]);
  expect(findCommandFaults(year, readFileSync(tallyFile, "utf8"))).toEqual([]);
  expect(countSaid(household.ledgerPath)).toEqual(countPromised(year));
  expect(findLedgerFaults(household.ledgerPath)).toEqual([]);

  await household.go(year.now, { errands: [], waits: [] });
  await household.stop();
  expect(rowsOf(household.ledgerPath)).toEqual(rows);
  expect(findFileFaults(household.stateDir, household.ledgerPath)).toEqual([]);
}, 600_000);

/** What people do meanwhile. The first jobs are weekly, those from 48 on are for the last day of the year. */
function dealsOf(almanac: Almanac): Deal[] {
  const onDay = (day: number, act: Deal["act"]): Deal => ({ at: FROM + day * DAY + 12_345_000, act });
  const toggle =
    (isEnabled: boolean): Deal["act"] =>
    async (year, client) => {
      for (const name of ["job-1", "job-4", "job-7", "job-50"]) await year.change(name, client, { isEnabled });
    };
  const late = { promised: "webchat", catchUp: "all", onCrash: "retry", deed: "turn" } as const;
  return [
    onDay(40, toggle(false)),
    onDay(75, (year, client) => year.change("job-2", client, { expression: ["15 4 * * 1", "Australia/Lord_Howe"] })),
    onDay(90, (year, client) => year.change("job-18", client, { payload: { kind: "systemEvent", text: "other" } })),
    onDay(130, toggle(true)),
    onDay(150, (year, client) => year.remove("job-5", client)),
    onDay(160, (year, client) =>
      year.add({ ...late, name: "late", ...byExpression(almanac, "30 1 * * 6,0", "America/Santiago") }, client),
    ),
    onDay(200, (year, client) => year.change("job-3", client, { expression: ["0 0 1 * *", "Pacific/Chatham"] })),
    onDay(210, toggle(false)),
    onDay(240, toggle(true)),
  ];
}

/** Every result that was promised to a page came to it: once, or again where nobody could know that it had. */
function findArrivalFaults({ jobs, sentInVain }: CronYear, { taken, refused }: CronPage): string[] {
  const expected = new Set<string>();
  const faults: string[] = [];
  for (const { plan, ended } of jobs.values()) {
    const arrived = plan.promised === "refusing-page" ? refused : taken;
    for (const { runId } of plan.promised.endsWith("page") ? ended : []) {
      expected.add(runId);
      const times = arrived.get(runId) ?? 0;
      if (times < 1 || times > 1 + (sentInVain.get(runId) ?? 0)) faults.push(`${runId} came ${times} times`);
    }
  }
  const strange = [...taken.keys(), ...refused.keys()].filter((key) => !expected.has(key));
  return [...faults, ...strange.map((key) => `nobody promised ${key}`)];
}

/** Commands ran once; only those a kill came into may have run again, or not at all. */
function findCommandFaults({ jobs, begunInVain }: CronYear, tally: string): string[] {
  const written = Map.groupBy(tally.trimEnd().split("\n"), (name) => name);
  return [...jobs.values()].flatMap(({ plan: { name, deed }, id, ended }) => {
    if (deed !== "command") return [];
    const least = ended.filter(({ outcome }) => outcome === "ok").length;
    const doubts = [...begunInVain].filter(([runId]) => runId.startsWith(`cron:${id}:`));
    const most = least + doubts.reduce((sum, [, times]) => sum + times, 0);
    const times = written.get(name)?.length ?? 0;
    return times >= least && times <= most ? [] : [`${name} ran ${times} times, not ${least} to ${most}`];
  });
}

/** How many results of each job the main conversation has to show. */
function countPromised({ jobs }: CronYear): Map<string, number> {
  const counts = [...jobs.values()].map(({ plan, ended }): [string, number] => [
    plan.name,
    plan.promised === "webchat" ? ended.filter(({ outcome }) => outcome === "ok").length : 0,
  ]);
  return new Map(counts.filter(([, count]) => count > 0));
}
