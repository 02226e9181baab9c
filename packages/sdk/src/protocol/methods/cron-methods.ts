// Methods about jobs that run by themselves, and about their runs.
import * as z from "zod";
import { CronJob, CronSchedule } from "../../cron.ts";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { count, empty, flag, nullable, text, type MethodSpec } from "./method-spec.ts";

const JobId = () => NonEmpty().max(256);
/** Clients write one or the other. */
const named = () => ({ id: JobId().optional(), jobId: JobId().optional() });

const ToldJob = () =>
  CronJob().extend({
    /** The same in words. */
    says: z.looseObject({ schedule: z.string(), next: text() }),
    /** What was inferred from what was written. */
    notes: z.array(z.string()).optional(),
  });

const Status = () => z.enum(["ok", "error", "skipped"]);
const DeliveryStatus = () => z.enum(["delivered", "not-delivered", "unknown", "not-requested"]);

const RunEntry = () =>
  z.looseObject({
    ts: z.number(),
    jobId: z.string(),
    action: z.enum(["started", "finished"]),
    runId: z.string(),
    jobName: text(),
    state: z.enum(["waiting", "running", "executed", "settled"]),
    /** The instant it was for, and when it began. */
    dueAtMs: z.number(),
    runAtMs: z.number().optional(),
    durationMs: z.number().optional(),
    /** Of the whole: a result that was promised and did not arrive is an error. */
    status: Status().optional(),
    /** Of the work alone. */
    executed: Status().optional(),
    error: text(),
    reason: text(),
    summary: text(),
    delivered: flag(),
    deliveryStatus: DeliveryStatus().optional(),
    deliveryError: text(),
    delivery: z
      .looseObject({ mode: z.string(), channel: text(), account: text(), to: text(), threadId: text(), url: text() })
      .optional(),
    receipts: z.array(z.looseObject({ channel: z.string(), to: z.string(), messageId: text() })).optional(),
    sessionId: text(),
    sessionKey: text(),
    trigger: z.enum(["due", "force"]).optional(),
    /** Instants at which it did not run, in one row. */
    skipped: z
      .looseObject({ count: z.int(), first: z.number(), last: z.number(), isAtLeast: z.literal(true).optional() })
      .optional(),
    /** Not a run, but the news of a failure. */
    isAlert: z.literal(true).optional(),
    model: text(),
    provider: text(),
    usage: z
      .looseObject({
        input_tokens: z.number(),
        output_tokens: z.number(),
        total_tokens: z.number(),
        cache_read_tokens: z.number(),
        cache_write_tokens: z.number(),
      })
      .optional(),
  });

const page = () => ({
  total: z.int(),
  offset: z.int(),
  limit: z.int(),
  hasMore: z.boolean(),
  nextOffset: z.int().nullable(),
});
const asked = () => ({ limit: z.int().min(1).max(200).optional(), offset: count(), query: text() });
const Direction = () => z.enum(["asc", "desc"]).optional();
/** What is not refused by its shape is read with care, and refused in words. */
const Written = () => z.looseObject({});
const WHEN = ["schedule", "at", "atMs", "every", "everyMs", "cron", "expr", "job", "data"];
const NewJob = () =>
  Written().refine((job) => WHEN.some((name) => job[name] !== undefined), {
    message: 'say when it runs: schedule is missing, such as "every 15m" or "30 7 * * 1-5"',
  });

export const CRON_METHODS = {
  "cron.list": {
    role: "operator",
    scope: "operator.read",
    says: "Jobs in pages, the next to run first; disabled ones only when asked for",
    params: once(() =>
      z.strictObject({
        ...asked(),
        includeDisabled: flag(),
        enabled: z.enum(["all", "enabled", "disabled"]).optional(),
        agentId: text(),
        /** Only those whose last run ended so. */
        lastStatus: Status().optional(),
        sortBy: z.enum(["nextRunAtMs", "updatedAtMs", "name"]).optional(),
        sortDir: Direction(),
      }),
    ),
    result: once(() => z.looseObject({ jobs: z.array(ToldJob()), ...page() })),
  },
  "cron.get": {
    role: "operator",
    scope: "operator.read",
    says: "One job",
    params: once(() => z.strictObject(named())),
    result: once(() => ToldJob()),
  },
  "cron.status": {
    role: "operator",
    scope: "operator.read",
    says: "Whether jobs run by themselves, how many there are, and when the next is due",
    params: empty,
    result: once(() =>
      z.looseObject({
        enabled: z.boolean(),
        storePath: z.string(),
        jobs: z.int(),
        running: z.int(),
        nextWakeAtMs: z.number().nullable(),
      }),
    ),
  },
  "cron.add": {
    role: "operator",
    scope: "operator.admin",
    says: "Makes a job; what is written loosely is read with care, and `notes` say how",
    params: once(() => NewJob()),
    result: once(() => ToldJob()),
  },
  "cron.update": {
    role: "operator",
    scope: "operator.admin",
    says: "Changes what the patch names; null clears a field",
    params: once(() => z.strictObject({ ...named(), patch: Written() })),
    result: once(() => ToldJob()),
  },
  "cron.remove": {
    role: "operator",
    scope: "operator.admin",
    says: "Takes a job away; a run that is under way comes to its end",
    params: once(() => z.strictObject(named())),
    result: once(() => z.looseObject({ ok: z.literal(true), removed: z.boolean() })),
  },
  "cron.run": {
    role: "operator",
    scope: "operator.admin",
    says: "Begins a run now, or what is due; answers when it is written down, not when it is over",
    params: once(() => z.strictObject({ ...named(), mode: z.enum(["due", "force"]).optional() })),
    result: once(() =>
      z.looseObject({
        ok: z.literal(true),
        ran: z.boolean(),
        enqueued: z.literal(true).optional(),
        reason: z.enum(["already-running", "not-due"]).optional(),
        runId: text(),
      }),
    ),
  },
  "cron.runs": {
    role: "operator",
    scope: "operator.read",
    says: "Runs of one job or of all, and what did not run, the newest first",
    params: once(() =>
      z.strictObject({
        ...named(),
        ...asked(),
        scope: z.enum(["job", "all"]).optional(),
        statuses: z.array(Status()).optional(),
        status: z.enum(["all", "ok", "error", "skipped"]).optional(),
        deliveryStatuses: z.array(DeliveryStatus()).optional(),
        deliveryStatus: DeliveryStatus().optional(),
        sortDir: Direction(),
        /** Also those that are not over. */
        includeRunning: flag(),
        /** Only instants from this one on, and before the other. */
        dueFrom: z.number().optional(),
        dueBefore: z.number().optional(),
      }),
    ),
    result: once(() => z.looseObject({ entries: z.array(RunEntry()), ...page() })),
  },
  "cron.next": {
    role: "operator",
    scope: "operator.read",
    says: "The next runs of all jobs, or of one, in order",
    params: once(() =>
      z.strictObject({ ...named(), limit: z.int().min(1).max(500).optional(), before: z.number().optional() }),
    ),
    result: once(() =>
      z.looseObject({
        runs: z.array(
          z.looseObject({
            jobId: z.string(),
            name: z.string(),
            atMs: z.number(),
            text: z.string(),
            schedule: z.string(),
          }),
        ),
      }),
    ),
  },
  "cron.preview": {
    role: "operator",
    scope: "operator.read",
    says: "What a schedule means in words and when it would run, or what is wrong with it",
    params: once(() =>
      z.strictObject({
        schedule: z.union([z.string().max(512), z.number(), z.looseObject({})]),
        tz: nullable(z.string().max(128)),
        count: z.int().min(1).max(50).optional(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        human: text(),
        schedule: CronSchedule().optional(),
        runs: z.array(z.looseObject({ atMs: z.number(), text: z.string() })),
        problems: z.array(z.string()).optional(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
