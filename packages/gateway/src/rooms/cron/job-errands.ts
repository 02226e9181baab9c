// Handler of errands for runs of jobs: how they are carried out, what a crash means, what is written with their end.
import type { Change, CronJob, ErrandOutcome, ErrandRecord } from "@chela/sdk";
import { afterRun } from "./run/after-run.ts";
import { alertId, buildAlert, noteSkipped } from "./run/build-run.ts";
import { createCarrier, NO_OWNER } from "./run/carry-out.ts";
import { alertText, shouldAlert } from "./failure-alert.ts";
import { judgeRun, type Verdict } from "./run/judge-run.ts";
import { withState, workOf, type CronHouse, type CronParts, type Planning } from "./parts.ts";
import type { Runner } from "./run/runner.ts";

/** How many runs of a job end between two times that its old ones are forgotten. */
const FORGET_EVERY = 64;

export function createJobErrands(
  house: CronHouse,
  parts: Pick<CronParts, "isOwner" | "commandTerms">,
  { locks, timetable, openedAt }: Planning,
  runner: Pick<Runner, "expect">,
) {
  const { ledger, clock, log } = house;
  const carrier = createCarrier(house, parts);
  /** How many runs of each job ended in this process. */
  const ended = new Map<string, number>();

  async function afterCrash(errand: ErrandRecord): Promise<"again" | ErrandOutcome> {
    const work = workOf(errand);
    if (work.kind !== "run" || work.onCrash === "retry") return "again";
    const error =
      "The gateway stopped while this ran; nobody knows how far it came. It was not begun again, because the job reports that instead.";
    return { status: "error", texts: [], error, reason: "crash" };
  }

  /** A page that is posted to hears of failures, too. */
  function tidings({ delivery }: ErrandRecord, { status, texts }: ErrandOutcome): readonly string[] {
    if (delivery?.mode === "webhook") return texts.length > 0 ? texts : [""];
    return status === "ok" ? texts.filter((text) => text.trim() !== "") : [];
  }

  /** Nobody changes the job between what is decided here and the commit that says it. */
  function settling(run: ErrandRecord): Promise<readonly Change[]> {
    if (workOf(run).kind !== "run") return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const held = locks.run(run.owner, async () => {
        resolve(await decideEnd(run));
        await house.errands.settled(run.runId);
      });
      held.catch(reject);
    });
  }

  async function decideEnd(run: ErrandRecord): Promise<readonly Change[]> {
    const now = clock.now();
    const verdict = judgeRun(run);
    const job = await ledger.job(run.owner);
    const said = [...sayVerdict(run, verdict, now), ...forgetOld(run)];
    const after = job ? afterRun(job, { run, verdict, now, openedAt, timetable }) : {};
    if (!job || !after.job) ended.delete(run.owner);
    if (!job) return said;
    if (!after.job) return [{ kind: "job-delete", id: job.id }, ...said];
    const skipped = after.skipped ? noteSkipped(job, after.skipped, house) : [];
    if (!shouldAlert(after.job, verdict, now)) return [{ kind: "job-put", job: after.job }, ...skipped, ...said];
    const told = withState(after.job, { lastFailureAlertAtMs: now });
    return [{ kind: "job-put", job: told }, ...skipped, ...said, ...(await giveAlert(told, run, verdict))];
  }

  /** Written with the failure it tells of, so that it is told whatever happens next. */
  async function giveAlert(job: CronJob, { runId, delivery }: ErrandRecord, { reason }: Verdict): Promise<Change[]> {
    const at = clock.now();
    const lostAt = reason === "delivery" ? delivery : undefined;
    // Where it was told is where nobody is told any more.
    const { delivery: _told, failureAlert: _heard, ...ownerless } = job;
    const errand = await buildAlert(
      reason === NO_OWNER ? ownerless : job,
      { runId, text: alertText(job, at), lostAt },
      house,
    );
    return [
      { kind: "errand-add", errand },
      { kind: "errand-state", runId: errand.runId, state: "running", at },
    ];
  }

  /** A result that did not arrive makes the run a failure; that it was carried out stays known. */
  function sayVerdict({ runId, outcome }: ErrandRecord, verdict: Verdict, at: number): Change[] {
    if (!outcome || verdict.reason !== "delivery") return [];
    const { error = "", reason } = verdict;
    const details = { ...outcome.details, executed: outcome.status };
    const said = { ...outcome, status: "error" as const, error, reason, details };
    return [{ kind: "errand-state", runId, state: "settled", at, outcome: said }];
  }

  function forgetOld({ owner }: ErrandRecord): Change[] {
    const count = ended.get(owner) ?? 0;
    ended.set(owner, count + 1);
    if (count % FORGET_EVERY !== 0) return [];
    return [{ kind: "errands-forget", errandKind: "cron", owner, keep: house.cronSettings().runLog.keepLines }];
  }

  function settled(run: ErrandRecord): void {
    if (workOf(run).kind !== "run") return;
    void ledger
      .job(run.owner)
      .then(async (job) => {
        runner.expect(job?.enabled ? job.state.nextRunAtMs : undefined);
        await house.errands.goOn(alertId(run.runId));
      })
      .catch((error: unknown) =>
        log.warn("what follows a run could not be done", { job: run.owner, error: String(error) }),
      );
  }

  return {
    carryOut: carrier.carryOut,
    afterCrash,
    tidings,
    settling,
    settled,
    idle: carrier.idle,
    endCommands: carrier.endCommands,
  };
}
