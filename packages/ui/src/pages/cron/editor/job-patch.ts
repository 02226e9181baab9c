// Patch of a job into what was typed.
import type { CronJob } from "@chela/sdk/cron";
import type { Wishes } from "./job-draft.ts";

/** Fields the form can empty. Others of a job, which it does not show, stay as they are. */
const CLEARED = {
  job: ["description", "agentId", "catchUp", "onCrash", "failureAlert"],
  schedule: ["tz"],
  payload: ["model", "thinking", "timeoutSeconds", "cwd"],
  delivery: ["channel", "to", "accountId", "bestEffort"],
} as const;

/** What changes a job into what is wished: what is not wished any more is emptied. */
export function patchOf(job: CronJob, wishes: Wishes): Wishes {
  const part = (name: "schedule" | "payload" | "delivery"): Wishes => {
    const [before, after] = [job[name] ?? {}, wishes[name] as Wishes];
    return { ...emptied(before, after, CLEARED[name]), ...after };
  };
  const { failureAlert } = wishes;
  const alert =
    failureAlert && job.failureAlert ? { failureAlert: { ...job.failureAlert, ...(failureAlert as object) } } : {};
  return {
    ...emptied(job, wishes, CLEARED.job),
    ...wishes,
    ...alert,
    schedule: part("schedule"),
    payload: part("payload"),
    delivery: part("delivery"),
  };
}

function emptied(before: object, after: Wishes, names: readonly string[]): Wishes {
  return Object.fromEntries(names.filter((name) => name in before && !(name in after)).map((name) => [name, null]));
}
