// Gathers what ran and what will run in a stretch of time, from answers that come in parts.
import type { MethodAnswer, MethodName, MethodParams } from "@chela/sdk/protocol";
import type { Job } from "../../../jobs/job-actions.ts";
import { factsOfRun, outcomeOf, type JobRun } from "../../../jobs/run-facts.ts";
import type { Mark } from "./calendar-days.ts";

export type Call = <M extends MethodName>(method: M, params: MethodParams<M>) => Promise<MethodAnswer<M>>;

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface Gathered {
  readonly marks: readonly Mark[];
  /** Jobs that run so often that their coming runs are not drawn one by one. */
  readonly often: ReadonlyArray<Pick<Job, "id" | "name" | "schedule" | "says">>;
  /** There were more runs than are shown. */
  readonly isCut: boolean;
}

type Upcoming = MethodAnswer<"cron.next">["runs"][number];

const PAGE = 200;
const MOST_PAGES = 5;
const MOST_NEXT = 500;
/** Of one job, when there are too many to have them all. */
const MOST_OF_ONE = 150;

export async function gather(call: Call, stretch: Stretch, now: number): Promise<Gathered> {
  const [past, coming] = await Promise.all([
    stretch.from < now ? gatherRuns(call, stretch) : { runs: [], isCut: false },
    stretch.to > now ? gatherComing(call, stretch.to) : { runs: [], often: [] },
  ]);
  const future = coming.runs
    .filter(({ atMs }) => atMs >= stretch.from)
    .map(({ jobId, name, atMs }): Mark => ({ jobId, name, at: atMs, outcome: "future" }));
  return { marks: [...past.runs.map(markOf), ...future], often: coming.often, isCut: past.isCut };
}

function markOf(run: JobRun): Mark {
  const at = run.skipped?.last ?? run.runAtMs ?? run.dueAtMs;
  return { jobId: run.jobId, name: run.jobName ?? run.jobId, at, outcome: outcomeOf(factsOfRun(run)), run };
}

/** The newest first, as many as can be looked at. */
async function gatherRuns(call: Call, { from, to }: Stretch): Promise<{ runs: JobRun[]; isCut: boolean }> {
  const runs: JobRun[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { entries, hasMore } = await call("cron.runs", {
      scope: "all",
      dueFrom: from,
      dueBefore: to,
      includeRunning: true,
      limit: PAGE,
      offset: page * PAGE,
    });
    runs.push(...entries.filter(({ isAlert }) => !isAlert));
    if (!hasMore) return { runs, isCut: false };
  }
  return { runs, isCut: true };
}

/** All of them, if one answer can hold them. Else the seldom ones, job by job, and the names of the others. */
async function gatherComing(call: Call, before: number): Promise<{ runs: Upcoming[]; often: Gathered["often"] }> {
  const { runs } = await call("cron.next", { limit: MOST_NEXT, before });
  if (runs.length < MOST_NEXT) return { runs, often: [] };
  const { jobs } = await call("cron.list", { enabled: "enabled", limit: PAGE });
  const each = await Promise.all(
    jobs.map(async (job) => ({
      job,
      runs: (await call("cron.next", { id: job.id, limit: MOST_OF_ONE, before })).runs,
    })),
  );
  const often = each.filter((one) => one.runs.length >= MOST_OF_ONE);
  return {
    runs: each.filter((one) => one.runs.length < MOST_OF_ONE).flatMap((one) => one.runs),
    often: often.map(({ job: { id, name, schedule, says } }) => ({ id, name, schedule, says })),
  };
}
