// Jobs as they are made, changed, taken away, and begun by hand. One change of a job at a time.
import { defined } from "@chela/sdk/base";
import { GatewayError, type Change, type CronJob } from "@chela/sdk";
import { agentOf, buildRun, forcedRunId, isAgent } from "./run/build-run.ts";
import { applyPatch, normaliseJob, writeJob, type ShapeOptions } from "./job/index.ts";
import { freeJob } from "./free-job.ts";
import { ownState, withState, type CronHouse, type CronParts, type Planning } from "./parts.ts";
import { planWished } from "./run/plan-job.ts";
import type { Runner } from "./run/runner.ts";

interface Changed {
  readonly job: CronJob;
  /** What was inferred of what was written, and what of it will not work as things are. */
  readonly notes: readonly string[];
}

type RunResult =
  | { readonly ran: true; readonly runId?: string }
  | { readonly ran: false; readonly reason: "already-running" | "not-due" };

/** Looks at a job as it is understood, before anything of it is kept; throws when it must not be. */
export type CheckJob = (job: CronJob, before?: CronJob) => Promise<void>;

export interface Jobs {
  get(id: string): Promise<CronJob>;
  add(input: unknown, check?: CheckJob): Promise<Changed>;
  update(id: string, patch: unknown, check?: CheckJob): Promise<Changed>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
  run(id: string, mode: "due" | "force"): Promise<RunResult>;
}

const NOTHING_RUNS = "No job runs by itself now: cron.enabled is false, or OPENCLAW_SKIP_CRON is set.";

export function createJobs(
  house: CronHouse,
  { tell, whyNoModel }: Pick<CronParts, "tell" | "whyNoModel">,
  planning: Planning,
  runner: Runner,
): Jobs {
  const { ledger, clock, ids } = house;
  const { locks, timetable } = planning;

  function shapeOptions(nowMs = clock.now()): ShapeOptions {
    const { legacyWebhook } = house.cronSettings();
    return { nowMs, ...(legacyWebhook ? { webhook: legacyWebhook } : {}) };
  }

  async function get(id: string): Promise<CronJob> {
    const job = await ledger.job(id);
    if (!job) throw new GatewayError("CRON_UNKNOWN", id);
    return job;
  }

  async function put(job: CronJob, action: "added" | "updated", more: readonly Change[] = []): Promise<void> {
    await ledger.commit([{ kind: "job-put", job }, ...more]);
    const { nextRunAtMs } = job.state;
    tell({ jobId: job.id, action, ...defined({ nextRunAtMs }) });
    if (job.enabled) runner.expect(nextRunAtMs);
  }

  function checkAgent({ agentId }: CronJob): void {
    if (agentId !== undefined && !isAgent(agentId, house)) throw new GatewayError("AGENT_UNKNOWN", agentId);
  }

  /** Said now, though it may be put right before the job runs: later nobody looks. */
  async function findDoubts(job: CronJob): Promise<string[]> {
    const { payload, delivery } = job;
    const model = payload.kind === "agentTurn" && payload.model ? whyNoModel(payload.model) : undefined;
    const place =
      delivery?.mode === "announce"
        ? await house.placeFor(agentOf(job, house), delivery).catch(() => undefined)
        : undefined;
    const off = job.enabled && !house.cronSettings().isEnabled ? [NOTHING_RUNS] : [];
    return [...off, ...(model ? [model] : []), ...(place?.mode === "nowhere" ? [place.why] : [])];
  }

  return {
    get,

    async add(input, check) {
      const now = clock.now();
      const { wishes, notes } = normaliseJob(input, shapeOptions(now));
      const job: CronJob = { id: ids.uuid(), ...wishes, createdAtMs: now, updatedAtMs: now, state: {} };
      checkAgent(job);
      await check?.(job);
      const planned = planWished(job, now, timetable);
      const doubts = await findDoubts(planned);
      await put(planned, "added");
      return { job: writeJob(planned), notes: [...notes, ...doubts] };
    },

    update: (id, patch, check) =>
      locks.run(id, async () => {
        const before = await get(id);
        const { job, notes } = applyPatch(before, patch, shapeOptions());
        checkAgent(job);
        await check?.(job, before);
        const isSameTime = job.enabled === before.enabled && sameJson(job.schedule, before.schedule);
        const next = isSameTime ? job : planFor(job, before);
        const doubts = await findDoubts(next);
        await put(next, "updated");
        return { job: writeJob(next), notes: [...notes, ...doubts] };
      }),

    remove: (id) =>
      locks.run(id, async () => {
        if (!(await ledger.job(id))) return false;
        await ledger.commit([{ kind: "job-delete", id }]);
        tell({ jobId: id, action: "removed" });
        return true;
      }),

    async run(id, mode) {
      const { state, enabled } = await get(id);
      if (mode === "force") return force(id);
      if (state.runningAtMs !== undefined) return { ran: false, reason: "already-running" };
      if (!enabled || (state.nextRunAtMs ?? Infinity) > clock.now()) return { ran: false, reason: "not-due" };
      const claimed = await runner.claim(id);
      if (claimed === "began") return { ran: true };
      return { ran: false, reason: claimed === "running" ? "already-running" : "not-due" };
    },
  };

  /** Being enabled again is a new start; what a run of now decides stays as it is. */
  function planFor(job: CronJob, before: CronJob): CronJob {
    const forgiven = before.enabled
      ? job
      : withState(job, { scheduleErrorCount: undefined, consecutiveErrors: undefined });
    return planWished(forgiven, clock.now(), timetable);
  }

  function force(id: string): Promise<RunResult> {
    return locks.run(id, async () => {
      const found = await get(id);
      const job = (await freeJob(found, house, planning)) ?? found;
      if (job.state.runningAtMs !== undefined) return { ran: false as const, reason: "already-running" as const };
      const now = clock.now();
      const runId = forcedRunId(job, ids.uuid());
      const running = withState(job, { runningAtMs: now, runningId: runId, cursorMs: ownState(job).cursorMs ?? now });
      const errand = await buildRun(job, { runId, dueAt: now, trigger: "force" }, house);
      await house.errands.begin(errand, [{ kind: "job-put", job: running }]);
      return { ran: true as const, runId };
    });
  }
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
