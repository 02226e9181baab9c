// Cron: jobs that run by themselves. Owns: the jobs, their schedules, the one timer, which instants run and which are only
// noted, what follows a run, and the files cron/jobs.json and cron/runs/. A run itself is an errand.
export { createCron, type Cron } from "./cron.ts";
export type { CommandTerms, CommandWish } from "./parts.ts";
export { signalOf } from "./hook-signal.ts";
export { postResult } from "./post-result.ts";
export type { RunQuery, ToldJob } from "./questions.ts";
