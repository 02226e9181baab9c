// Questions about jobs and their runs: lists in pages, the state of the whole, and what a schedule would mean.
import { defined } from "@chela/sdk/base";
import {
  GatewayError,
  toGatewayError,
  type CronJob,
  type ErrandQuery,
  type ErrandOutcome,
  type ErrandDelivered,
} from "@chela/sdk";
import { timesOf } from "./instants.ts";
import { hideValues, normaliseJob, writeJob } from "./job/index.ts";
import type { CronHouse, Planning } from "./parts.ts";
import { toRunEntry, type RunEntry } from "./run/run-entry.ts";
import { describeNext, describeSchedule } from "./schedule/index.ts";

export interface JobQuery {
  readonly enabled?: "all" | "enabled" | "disabled";
  readonly query?: string;
  readonly agentId?: string;
  readonly lastStatus?: "ok" | "error" | "skipped";
  readonly sortBy?: "nextRunAtMs" | "updatedAtMs" | "name";
  readonly sortDir?: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

export interface RunQuery {
  readonly jobId?: string;
  readonly statuses?: ReadonlyArray<"ok" | "error" | "skipped">;
  readonly deliveryStatuses?: ReadonlyArray<ErrandDelivered["status"]>;
  readonly query?: string;
  readonly sortDir?: "asc" | "desc";
  /** Also those that are not over. */
  readonly includesOpen?: boolean;
  readonly dueFrom?: number;
  readonly dueBefore?: number;
  readonly limit: number;
  readonly offset: number;
}

export interface NextQuery {
  readonly limit: number;
  readonly jobId?: string;
  readonly before?: number;
}

export interface Upcoming {
  readonly job: ToldJob;
  readonly atMs: number;
  readonly text: string;
}

/** A job and what it means, in words. */
export type ToldJob = CronJob & { readonly says: { readonly schedule: string; readonly next?: string } };

export interface Preview {
  readonly human?: string;
  readonly schedule?: CronJob["schedule"];
  readonly runs: ReadonlyArray<{ readonly atMs: number; readonly text: string }>;
  readonly problems?: readonly string[];
}

export function createQuestions(
  { ledger, clock }: Pick<CronHouse, "ledger" | "clock">,
  { timetable }: Pick<Planning, "timetable">,
) {
  const tellJob = (job: CronJob): ToldJob => {
    const { nextRunAtMs } = job.state;
    const next = job.enabled && nextRunAtMs !== undefined ? { next: nextText(job, nextRunAtMs) } : {};
    return { ...writeJob(hideValues(job)), says: { schedule: describeSchedule(job.schedule), ...next } };
  };
  const nextText = (job: CronJob, at: number): string => describeNext(at, clock.now(), zoneOf(job.schedule));

  async function list(query: JobQuery): Promise<{ jobs: ToldJob[]; total: number }> {
    const found = (await ledger.jobs()).filter((job) => isAsked(job, query)).toSorted(orderOf(query));
    const { offset, limit } = query;
    return { total: found.length, jobs: found.slice(offset, offset + limit).map(tellJob) };
  }

  async function runs(query: RunQuery): Promise<{ entries: RunEntry[]; total: number }> {
    const conditions = runConditions(query);
    const { limit, offset, sortDir } = query;
    const order = sortDir === "asc" ? ("oldest" as const) : ("newest" as const);
    const found = await ledger.errands({ ...conditions, order, limit, offset });
    const jobs = new Map<string, CronJob | undefined>();
    for (const { owner } of found) if (!jobs.has(owner)) jobs.set(owner, await ledger.job(owner));
    const entries = found.map((run) => {
      const job = jobs.get(run.owner);
      const { nextRunAtMs: _next, ...entry } = toRunEntry(run, job);
      return entry;
    });
    return { total: await ledger.countErrands(conditions), entries };
  }

  async function upcoming({ limit, jobId, before = Infinity }: NextQuery): Promise<Upcoming[]> {
    const jobs = (await ledger.jobs()).filter(
      ({ id, enabled, state }) => enabled && state.nextRunAtMs !== undefined && (jobId === undefined || id === jobId),
    );
    const waiting = jobs
      .map((job) => ({ job, atMs: job.state.nextRunAtMs ?? Infinity }))
      .toSorted((a, b) => a.atMs - b.atMs)
      .slice(0, limit);
    const found: Upcoming[] = [];
    // The soonest is taken out, and its own next one put in.
    for (let next = waiting.shift(); next && next.atMs < before && found.length < limit; next = waiting.shift()) {
      const { job, atMs } = next;
      found.push({ job: tellJob(job), atMs, text: nextText(job, atMs) });
      const following = timetable.nextRunAfter(job.schedule, atMs, timesOf(job));
      if (following === undefined) continue;
      const place = waiting.findIndex((other) => other.atMs > following);
      waiting.splice(place < 0 ? waiting.length : place, 0, { job, atMs: following });
    }
    return found;
  }

  function preview(written: unknown, { tz, count }: { readonly tz?: string; readonly count: number }): Preview {
    try {
      const now = clock.now();
      const input = { schedule: written, payload: { kind: "systemEvent", text: "preview" } };
      const { wishes } = normaliseJob(input, { nowMs: now, ...(tz ? { zone: tz } : {}) });
      const schedule = tz && wishes.schedule.kind === "cron" ? { tz, ...wishes.schedule } : wishes.schedule;
      const runs: number[] = [];
      let at: number | undefined = schedule.kind === "at" ? now - 60_000 : now;
      while (at !== undefined && runs.length < count) {
        at = timetable.nextRunAfter(schedule, at, { jobId: "preview", createdAtMs: now });
        if (at !== undefined) runs.push(at);
      }
      const zone = zoneOf(schedule) ?? tz;
      const told = runs.map((atMs) => ({ atMs, text: describeNext(atMs, now, zone) }));
      if (told.length === 0) return { runs: [], schedule, problems: ["It will never be due."] };
      return { human: describeSchedule(schedule), schedule, runs: told };
    } catch (error) {
      const failure = GatewayError.is(error) ? error : toGatewayError(error, "CRON_SCHEDULE");
      return { runs: [], problems: [failure.message] };
    }
  }

  return { tellJob, list, runs, upcoming, preview };
}

function zoneOf(schedule: CronJob["schedule"]): string | undefined {
  return schedule.kind === "cron" ? schedule.tz : undefined;
}

function isAsked(job: CronJob, { enabled = "all", query, agentId, lastStatus }: JobQuery): boolean {
  if (enabled !== "all" && job.enabled !== (enabled === "enabled")) return false;
  if (agentId !== undefined && job.agentId !== agentId) return false;
  if (lastStatus !== undefined && (job.state.lastRunStatus ?? job.state.lastStatus) !== lastStatus) return false;
  if (!query) return true;
  const { id, name, description = "", payload } = hideValues(job);
  return [id, name, description, job.agentId ?? "", JSON.stringify(payload)].some((text) =>
    text.toLowerCase().includes(query.toLowerCase()),
  );
}

/** Jobs that will not run come last, whichever way the others are ordered. */
function orderOf({ sortBy = "nextRunAtMs", sortDir = "asc" }: JobQuery): (a: CronJob, b: CronJob) => number {
  const sign = sortDir === "asc" ? 1 : -1;
  const byName = (a: CronJob, b: CronJob): number => a.name.localeCompare(b.name) || a.id.localeCompare(b.id);
  if (sortBy === "name") return (a, b) => sign * byName(a, b);
  if (sortBy === "updatedAtMs") return (a, b) => sign * (a.updatedAtMs - b.updatedAtMs) || byName(a, b);
  return (a, b) => {
    const [one, other] = [a.state.nextRunAtMs, b.state.nextRunAtMs];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined) || byName(a, b);
    return sign * (one - other) || byName(a, b);
  };
}

const STATUSES: Readonly<Record<"ok" | "error" | "skipped", ReadonlyArray<ErrandOutcome["status"]>>> = {
  ok: ["ok"],
  error: ["error"],
  skipped: ["skipped", "killed"],
};

function runConditions(query: RunQuery): Omit<ErrandQuery, "limit" | "offset" | "order"> {
  const { jobId, statuses = [], deliveryStatuses = [], query: search, dueFrom, dueBefore } = query;
  return {
    kind: "cron",
    ...(query.includesOpen ? {} : { states: ["settled"] }),
    ...defined({ owner: jobId }),
    ...(statuses.length > 0 ? { statuses: statuses.flatMap((status) => STATUSES[status]) } : {}),
    ...(deliveryStatuses.length > 0 ? { deliveryStatuses } : {}),
    ...(search ? { search } : {}),
    ...defined({ dueFrom, dueBefore }),
  };
}
