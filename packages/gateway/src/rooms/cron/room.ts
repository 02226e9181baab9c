// Cron: jobs that run by themselves. Owns: the jobs, their schedules, the one timer, which instants run and which are only
// noted, what follows a run, and the files cron/jobs.json and cron/runs/. A run itself is an errand.
export { createCron, type Cron, type CronStatus } from "./cron.ts";
export type { CommandTerms, CommandWish, CronEvent, CronParts, CronSettings } from "./parts.ts";
export { postResult, type Post, type PostParts } from "./post-result.ts";
export type { Changed, RunResult } from "./jobs.ts";
export type { JobQuery, Preview, RunQuery, ToldJob } from "./questions.ts";
export type { RunEntry } from "./run/run-entry.ts";
