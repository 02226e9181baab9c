// Jobs that run by themselves: when, what, in which conversation, and where the result goes.
import * as z from "zod";
import { once, type Parsed } from "./schema.ts";

const At = () =>
  z.object({
    kind: z.literal("at"),
    /** ISO 8601; without a zone it is the time of the gateway's own place. */
    at: z.string().min(1),
  });
const Every = () => z.object({ kind: z.literal("every"), everyMs: z.int().min(1000), anchorMs: z.int().optional() });
const Expression = () =>
  z.object({
    kind: z.literal("cron"),
    /** Five fields, or six with seconds first. */
    expr: z.string().min(1),
    /** An IANA zone; the gateway's own when absent. */
    tz: z.string().optional(),
    /** Spreads jobs that share an instant: each starts at a fixed place of its own within this time behind it. */
    staggerMs: z.int().min(0).optional(),
  });

export const CronSchedule = once(() => z.discriminatedUnion("kind", [At(), Every(), Expression()]));
export type CronSchedule = Parsed<typeof CronSchedule>;

const ToolLists = () =>
  z.object({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() }).optional();

export const CronPayload = once(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("systemEvent"), text: z.string().min(1) }),
    z.object({
      kind: z.literal("agentTurn"),
      message: z.string().min(1),
      model: z.string().optional(),
      fallbacks: z.array(z.string()).optional(),
      thinking: z.string().optional(),
      /** 0: no limit. */
      timeoutSeconds: z.number().min(0).optional(),
      /** Narrows what the agent may use; it never gives a job more than its agent has. */
      tools: ToolLists(),
      /** Without the files of the workspace. */
      lightContext: z.boolean().optional(),
      /** The message is an operator's own words and need not be marked as a stranger's. */
      allowUnsafeExternalContent: z.boolean().optional(),
    }),
    z.object({
      kind: z.literal("exec"),
      /** A list is a program with its arguments; a text is given to the shell. No model is asked. */
      command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
      cwd: z.string().optional(),
      env: z.record(z.string(), z.string()).optional(),
      timeoutSeconds: z.number().min(0).optional(),
    }),
  ]),
);
export type CronPayload = Parsed<typeof CronPayload>;

const Place = () => ({
  /** "last": where the agent's main conversation was led last. */
  channel: z.string().optional(),
  to: z.string().optional(),
  accountId: z.string().optional(),
  threadId: z.string().optional(),
});

export const CronDelivery = once(() =>
  z.object({
    mode: z.enum(["none", "announce", "webhook"]),
    ...Place(),
    /** A result that does not arrive is no failure of the job. */
    bestEffort: z.boolean().optional(),
    /** Told of failures instead of the place above. */
    failureDestination: z.object({ mode: z.enum(["announce", "webhook"]).optional(), ...Place() }).optional(),
  }),
);
export type CronDelivery = Parsed<typeof CronDelivery>;

export const CronFailureAlert = once(() =>
  z.union([
    z.literal(false),
    z.object({
      /** Failures in a row before anybody is told. */
      after: z.int().min(1).optional(),
      cooldownMs: z.int().min(0).optional(),
      mode: z.enum(["announce", "webhook"]).optional(),
      ...Place(),
    }),
  ]),
);

const RunStatus = () => z.enum(["ok", "error", "skipped"]);
const DeliveryStatus = () => z.enum(["delivered", "not-delivered", "unknown", "not-requested"]);

export const CronJobState = once(() =>
  z.looseObject({
    nextRunAtMs: z.number().optional(),
    runningAtMs: z.number().optional(),
    lastRunAtMs: z.number().optional(),
    lastRunStatus: RunStatus().optional(),
    /** The same under its older name. */
    lastStatus: RunStatus().optional(),
    lastError: z.string().optional(),
    lastErrorReason: z.string().optional(),
    lastDurationMs: z.number().optional(),
    consecutiveErrors: z.number().optional(),
    lastDelivered: z.boolean().optional(),
    lastDeliveryStatus: DeliveryStatus().optional(),
    lastDeliveryError: z.string().optional(),
    lastFailureAlertAtMs: z.number().optional(),
    scheduleErrorCount: z.number().optional(),
    /** The newest instant that was dealt with. */
    cursorMs: z.number().optional(),
    /** Instants before this were left out because runs fail. */
    backoffUntilMs: z.number().optional(),
    /** The run `runningAtMs` is about. */
    runningId: z.string().optional(),
    /** How often a job for one instant was tried again. */
    retries: z.number().optional(),
  }),
);
export type CronJobState = Parsed<typeof CronJobState>;

/** Somebody by the platform's immutable id. */
const Asker = () => z.object({ channel: z.string().min(1), account: z.string().min(1), id: z.string().min(1) });
export type CronAsker = z.output<ReturnType<typeof Asker>>;

/** What somebody decides about a job; the rest of it is kept by the gateway. */
const Wishes = () => ({
  agentId: z.string().optional(),
  /** The owner who asked for it in a chat: it runs as long as they are one. The operator's own jobs say nobody. */
  askedBy: Asker().optional(),
  /** The conversation it was made in. */
  sessionKey: z.string().optional(),
  name: z.string().min(1),
  description: z.string().optional(),
  enabled: z.boolean(),
  deleteAfterRun: z.boolean().optional(),
  schedule: CronSchedule(),
  /** "session:<key>": the conversation of that key, again and again. "current" becomes the one it was made in. */
  sessionTarget: z.string().regex(/^(?:main|isolated|current|session:\S.*)$/, {
    error: "must be main, isolated, current or session:<key>",
  }),
  wakeMode: z.enum(["next-heartbeat", "now"]),
  payload: CronPayload(),
  delivery: CronDelivery().optional(),
  failureAlert: CronFailureAlert().optional(),
  /** What follows when the gateway dies in the middle of a run: it goes on, or the run is reported as broken off. */
  onCrash: z.enum(["retry", "report"]).optional(),
  /** What is made up for after the gateway was away: the newest missed instant, none, or each of them. */
  catchUp: z.enum(["once", "skip", "all"]).optional(),
});

export const CronJobWishes = once(() => z.object(Wishes()));
export type CronJobWishes = Parsed<typeof CronJobWishes>;

export const CronJob = once(() =>
  z.object({
    id: z.string().min(1),
    ...Wishes(),
    createdAtMs: z.number(),
    updatedAtMs: z.number(),
    state: CronJobState(),
  }),
);
export type CronJob = Parsed<typeof CronJob>;
