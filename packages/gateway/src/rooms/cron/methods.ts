// Methods about jobs: lists, changes, runs by hand, previews.
import { defined } from "@chela/sdk/base";
import { invalid, type CRON_METHODS, type Handlers, type MethodParams } from "@chela/sdk/protocol";
import type { RunQuery, ToldJob } from "./room.ts";
import type { House } from "../../house/house.ts";

type CronMethods = Pick<Handlers, keyof typeof CRON_METHODS>;

const USUAL_JOBS = 50;
const USUAL_RUNS = 50;
const USUAL_NEXT = 5;
const USUAL_PREVIEW = 5;

export function cronMethods({ cron: room, ledger }: Pick<House, "cron" | "ledger">): CronMethods {
  const open = () => room.whenReady();
  /** Those who only look need not open anything where there are none. */
  const hasJobs = async () => room.known() !== undefined || (await ledger.jobs()).length > 0;
  const told = (job: ToldJob, notes: readonly string[]) => ({
    ...job,
    ...(notes.length > 0 ? { notes: [...notes] } : {}),
  });

  return {
    async "cron.list"(params) {
      const { limit = USUAL_JOBS, offset = 0, query, agentId, lastStatus, sortBy, sortDir } = params;
      if (!(await hasJobs())) return { jobs: [], ...pageOf(0, offset, limit, 0) };
      const enabled = params.enabled ?? (params.includeDisabled ? "all" : "enabled");
      const { jobs, total } = await (
        await open()
      ).list({
        limit,
        offset,
        enabled,
        ...(query ? { query } : {}),
        ...(agentId ? { agentId } : {}),
        ...(lastStatus ? { lastStatus } : {}),
        ...(sortBy ? { sortBy } : {}),
        ...(sortDir ? { sortDir } : {}),
      });
      return { jobs, ...pageOf(total, offset, limit, jobs.length) };
    },
    async "cron.get"(params) {
      const cron = await open();
      return cron.tellJob(await cron.get(idOf(params)));
    },
    "cron.status": async () => ({ ...(await (await open()).status()) }),
    async "cron.add"(params) {
      const cron = await open();
      const { job, notes } = await cron.add(params);
      return told(cron.tellJob(job), notes);
    },
    async "cron.update"({ patch, ...params }) {
      const cron = await open();
      const { job, notes } = await cron.update(idOf(params), patch);
      return told(cron.tellJob(job), notes);
    },
    "cron.remove": async (params) => ({ ok: true, removed: await (await open()).remove(idOf(params)) }),
    async "cron.run"({ mode = "force", ...params }) {
      const run = await (await open()).run(idOf(params), mode);
      // It is written down and will be carried out, which is what clients of OpenClaw look for.
      return { ok: true, ...run, ...(run.ran ? { enqueued: true } : {}) };
    },
    async "cron.runs"(params) {
      const { limit = USUAL_RUNS, offset = 0 } = params;
      const { entries, total } = await (await open()).runs({ ...runQuery(params), limit, offset });
      return { entries, ...pageOf(total, offset, limit, entries.length) };
    },
    async "cron.next"({ limit = USUAL_NEXT, before, ...params }) {
      if (!(await hasJobs())) return { runs: [] };
      const jobId = params.id ?? params.jobId;
      const query = { limit, ...(jobId ? { jobId } : {}), ...defined({ before }) };
      const runs = await (await open()).upcoming(query);
      return {
        runs: runs.map(({ job, atMs, text }) => ({
          jobId: job.id,
          name: job.name,
          atMs,
          text,
          schedule: job.says.schedule,
        })),
      };
    },
    async "cron.preview"({ schedule, tz, count = USUAL_PREVIEW }) {
      const { problems, runs, ...more } = (await open()).preview(schedule, { count, ...(tz ? { tz } : {}) });
      return { ...more, runs: runs.map((run) => ({ ...run })), ...(problems ? { problems: [...problems] } : {}) };
    },
  };
}

function idOf({ id, jobId }: { readonly id?: string | undefined; readonly jobId?: string | undefined }): string {
  const named = id ?? jobId;
  if (named === undefined) throw invalid("which job? Write its id as `id`; cron.list shows them.");
  return named;
}

function runQuery(params: MethodParams<"cron.runs">): Omit<RunQuery, "limit" | "offset"> {
  const { scope, status, deliveryStatus, query, sortDir, includeRunning, dueFrom, dueBefore } = params;
  const jobId = params.id ?? params.jobId;
  if (scope === "job" && jobId === undefined) throw invalid("which job? Write its id as `id`, or scope `all`.");
  const statuses = params.statuses ?? (status && status !== "all" ? [status] : []);
  const deliveryStatuses = params.deliveryStatuses ?? (deliveryStatus ? [deliveryStatus] : []);
  return {
    ...(jobId !== undefined && scope !== "all" ? { jobId } : {}),
    ...(statuses.length > 0 ? { statuses } : {}),
    ...(deliveryStatuses.length > 0 ? { deliveryStatuses } : {}),
    ...(query ? { query } : {}),
    ...(sortDir ? { sortDir } : {}),
    ...(includeRunning ? { includesOpen: true } : {}),
    ...defined({ dueFrom, dueBefore }),
  };
}

function pageOf(total: number, offset: number, limit: number, shown: number) {
  const hasMore = offset + shown < total;
  return { total, offset, limit, hasMore, nextOffset: hasMore ? offset + shown : null };
}
