// Jobs and webhooks: whether thousands of jobs start in time, what they cost while none is due, how soon a webhook is safe.
import { setTimeout as sleep } from "node:timers/promises";
import { atMost, type Figure } from "../figure.ts";
import { waitUntilQuiet, type Gateway, type State } from "../gateway-process.ts";
import { dailyAt, eventJob, runsFrom, secondAfter, turnJob, writeJobs, type MakeJob, type Run } from "../jobs.ts";
import { computingMs, peakResidentMib, residentMib } from "../process-figures.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";
import { measureExecJobs } from "./exec-jobs.ts";
import { measureWebhooks } from "./webhooks.ts";

const REST_MS = 4_000;
/** As many as ten thousand within a minute. */
const STAGGER_MS_PER_JOB = 6;
/** Two starts fit into it. */
const UNTIL_DUE_MS = 30_000;
const LATE_MS = 120_000;
const HOUR_MS = 3_600_000;
const START_ROUNDS = 5;

export async function measureAutomation(bench: TurnRunner): Promise<Figure[]> {
  const { jobs } = bench.amount;
  const events = { name: "jobs", count: jobs, make: eventJob };
  const turns = { name: "turns", count: jobs / 5, make: turnJob };
  return [
    ...(await measureSpread(bench, events)),
    ...(await measureSpread(bench, turns)),
    ...(await measureTogether(bench, events)),
    ...(await measureFuture(bench, jobs)),
    ...(await measureExecJobs(bench)),
    ...(await measureWebhooks(bench)),
  ];
}

interface Kind {
  readonly name: string;
  readonly count: number;
  readonly make: MakeJob;
}

/** Each at its own place in the time they are spread over. */
async function measureSpread(bench: TurnRunner, kind: Kind): Promise<Figure[]> {
  const staggerMs = kind.count * STAGGER_MS_PER_JOB;
  const { runs, due, cpuMs, peakMib } = await runJobs(bench, kind, staggerMs);
  const outside = runs.filter(({ dueAtMs }) => dueAtMs < due || dueAtMs >= due + staggerMs);
  if (outside.length > 0) throw new Error(`${outside.length} jobs are not within the time they are spread over`);
  const late = runs.map(({ dueAtMs, runAtMs }) => runAtMs - dueAtMs);
  const over = `${kind.count} ${kind.name} over ${staggerMs / 1000} s`;
  return [
    { metric: `late, ${over}`, unit: "ms", samples: late, cpuMs, limits: [atMost(100, "p95")] },
    { metric: `latest, ${over}`, unit: "ms", samples: [Math.max(...late)] },
    { metric: `RSS peak, ${over}`, unit: "MiB", samples: [peakMib] },
  ];
}

async function measureTogether(bench: TurnRunner, kind: Kind): Promise<Figure[]> {
  const { runs, due, cpuMs, peakMib, restMib } = await runJobs(bench, kind, 0);
  const lastMs = Math.max(...runs.map(({ runAtMs }) => runAtMs - due));
  const together = `${kind.count} ${kind.name} at one instant`;
  return [
    { metric: `until claimed, ${together}`, unit: "ms", samples: [lastMs], cpuMs },
    { metric: `claimed per second, ${together}`, unit: "/s", samples: [kind.count / (lastMs / 1000)] },
    { metric: `RSS peak, ${together}`, unit: "MiB", samples: [peakMib] },
    { metric: `RSS after ${together}`, unit: "MiB", samples: [restMib] },
  ];
}

interface Ran {
  readonly runs: readonly Run[];
  readonly due: number;
  readonly cpuMs: number;
  readonly peakMib: number;
  readonly restMib: number;
}

/** A first start takes the jobs over; the second one is measured, as it is on every day after that. */
async function runJobs(bench: TurnRunner, { count, make }: Kind, staggerMs: number): Promise<Ran> {
  const state = await newState(bench);
  const due = secondAfter(UNTIL_DUE_MS);
  writeJobs(state, { count, make, schedule: dailyAt(due, staggerMs) });
  await withGateway(bench, (gateway) => untilTakenOver(gateway, count), { state });
  return withGateway(
    bench,
    async ({ pid, client, connect }) => {
      // Nobody watches: an operator who does is told of every run, and that is another figure.
      client.close();
      await waitUntilQuiet(pid, { atMostMs: due - Date.now() - 1000 });
      if (Date.now() >= due) throw new Error("the gateway was not ready when the jobs were due");
      const before = computingMs(pid);
      await sleep(due + staggerMs - Date.now());
      await waitUntilQuiet(pid, { atMostMs: LATE_MS });
      const figures = { cpuMs: computingMs(pid) - before, peakMib: peakResidentMib(pid), restMib: residentMib(pid) };
      const operator = await connect();
      const runs = await runsFrom(operator, due, { count, atMostMs: LATE_MS });
      operator.close();
      const ran = new Set(runs.map(({ jobId }) => jobId)).size;
      if (ran !== count || runs.length !== count) throw new Error(`${runs.length} runs of ${ran} of ${count} jobs`);
      return { runs, due, ...figures };
    },
    { state },
  );
}

async function untilTakenOver({ client, pid }: Gateway, jobs: number): Promise<void> {
  const { jobs: known } = await client.request("cron.status");
  if (known !== jobs) throw new Error(`${String(known)} of ${jobs} jobs were taken over`);
  await waitUntilQuiet(pid, { atMostMs: 30_000 });
}

/** Beside a gateway without jobs, in the same seconds: whatever else the machine does falls on both. */
async function measureFuture(bench: TurnRunner, jobs: number): Promise<Figure[]> {
  const none = await newState(bench);
  const many = await newState(bench);
  writeJobs(many, { count: jobs, make: eventJob, schedule: dailyAt(Date.now() - HOUR_MS, 0) });
  await withGateway(bench, (gateway) => untilTakenOver(gateway, jobs), { state: many });
  await withGateway(bench, async () => {}, { state: none });
  return [...(await measureStarts(bench, { none, many, jobs })), ...(await measureIdle(bench, { none, many, jobs }))];
}

interface Pair {
  readonly none: State;
  readonly many: State;
  readonly jobs: number;
}

async function measureStarts(bench: TurnRunner, { none, many, jobs }: Pair): Promise<Figure[]> {
  const rest = ({ pid, readyMs }: Gateway) => sleep(REST_MS).then(() => ({ ms: readyMs, mib: residentMib(pid) }));
  const without: Array<{ ms: number; mib: number }> = [];
  const beside: Array<{ ms: number; mib: number }> = [];
  for (let round = 0; round < START_ROUNDS; round++) {
    without.push(await withGateway(bench, rest, { state: none }));
    beside.push(await withGateway(bench, rest, { state: many }));
  }
  return [
    { metric: "start without jobs", unit: "ms", samples: without.map(({ ms }) => ms) },
    { metric: `start with ${jobs} jobs`, unit: "ms", samples: beside.map(({ ms }) => ms) },
    { metric: "RSS, idle without jobs", unit: "MiB", samples: without.map(({ mib }) => mib) },
    { metric: `RSS, idle with ${jobs} jobs`, unit: "MiB", samples: beside.map(({ mib }) => mib) },
  ];
}

async function measureIdle(bench: TurnRunner, { none, many, jobs }: Pair): Promise<Figure[]> {
  const watch = (state: State): Promise<number> =>
    withGateway(
      bench,
      async ({ pid, client }) => {
        client.close();
        await waitUntilQuiet(pid, { atMostMs: 10_000 });
        const before = computingMs(pid);
        const began = performance.now();
        await sleep(bench.amount.idleMs);
        return ((computingMs(pid) - before) / (performance.now() - began)) * 100;
      },
      { state },
    );
  const [without, beside] = await Promise.all([watch(none), watch(many)]);
  const seconds = `${bench.amount.idleMs / 1000} s`;
  return [
    { metric: `CPU in ${seconds} without jobs`, unit: "%", samples: [without] },
    { metric: `CPU in ${seconds} with ${jobs} future jobs`, unit: "%", samples: [beside], limits: [atMost(0.2)] },
  ];
}
