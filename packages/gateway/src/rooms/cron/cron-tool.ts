// The tool `cron` as it is offered to owners: an agent keeps reminders and jobs of its own.
import * as z from "zod";
import {
  GatewayError,
  once,
  type CronJob,
  type Ledger,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@chela/sdk";
import type { Cron } from "./cron.ts";
import type { CheckJob } from "./jobs.ts";
import { unwrap } from "./job/index.ts";
import { agentOf, targetKeyOf } from "./run/build-run.ts";
import { isObject } from "@chela/sdk/base";

/** What the tool asks of the house. */
export interface CronToolHouse {
  readonly cron: { whenReady(): Promise<Cron> };
  readonly ledger: Pick<Ledger, "exchanges">;
  keys(): { readonly defaultAgentId: string };
  /** Tells an agent of something, at once or with its next heartbeat. */
  wake(event: {
    readonly agentId: string;
    readonly sessionKey: string;
    readonly text: string;
    readonly mode: "now" | "next-heartbeat";
    readonly reason: string;
    readonly key: string;
    readonly standing: "owner";
  }): Promise<void>;
  /** The chat somebody asks in, or else where this conversation is led. */
  placeHere(call: Pick<ToolContext, "sessionKey" | "runId">): Promise<Readonly<Record<string, string>>>;
  /** Whether a conversation may look into another one. */
  seesSession(caller: Pick<ToolContext, "agentId" | "sessionKey" | "requester">, sessionKey: string): Promise<boolean>;
}

const Parameters = once(() =>
  // Loose: what belongs into `job` may stand beside it.
  z.looseObject({
    action: z.enum(["status", "list", "add", "update", "remove", "run", "runs", "wake"]),
    job: z
      .looseObject({})
      .optional()
      .describe(
        'For add: {name, schedule, payload, delivery?}. schedule: {kind:"at",at:ISO} | {kind:"every",everyMs} | {kind:"cron",expr,tz?}. ' +
          'payload: {kind:"agentTurn",message} runs by itself and announces its answer here; {kind:"systemEvent",text} reminds you in the main conversation.',
      ),
    jobId: z.string().optional(),
    patch: z.looseObject({}).optional().describe("For update: the fields to change"),
    text: z.string().optional().describe("For wake"),
    mode: z.enum(["now", "next-heartbeat"]).optional().describe("For wake"),
    runMode: z.enum(["due", "force"]).optional(),
    contextMessages: z.int().min(0).max(10).optional().describe("Recent messages to put behind a reminder's text"),
    includeDisabled: z.boolean().optional(),
  }),
);
type Arguments = z.output<ReturnType<typeof Parameters>>;

/** What is about the call; the rest belongs to the job. */
const CALL_FIELDS = new Set("action job jobId id patch mode runMode contextMessages includeDisabled".split(" "));
const MOST_SHOWN = 50;
const CONTEXT_CHARS = 220;
const CONTEXT_TOTAL = 700;

export function cronTool(house: CronToolHouse): Tool {
  return {
    name: "cron",
    label: "Jobs",
    description:
      "Keeps reminders and jobs that run by themselves: list, add, update, remove, run, runs (history), status; wake tells yourself something.",
    family: "automation",
    profiles: ["coding"],
    inSandbox: "denied",
    notForSubagents: "all",
    told: 150,
    effects: ["write"],
    ownerOnly: true,
    parameters: Parameters,
    run: async (args, context) => perform(args as Arguments, context, house),
  };
}

async function perform(args: Arguments, context: ToolContext, house: CronToolHouse): Promise<ToolOutput> {
  if (args.action === "wake") return wake(args, context, house);
  const cron = await house.cron.whenReady();
  switch (args.action) {
    case "status":
      return tell({ ...(await cron.status()) });
    case "list": {
      const enabled = args.includeDisabled ? ("all" as const) : ("enabled" as const);
      const { jobs } = await cron.list({ enabled, limit: Infinity, offset: 0 });
      return tell({ jobs: jobs.filter((job) => isOwn(job, context, house)).slice(0, MOST_SHOWN) });
    }
    case "add": {
      const { job, notes } = await cron.add(await wishOf(args, context, house), checkOwn(context, house));
      return tell({ job: cron.tellJob(job), ...(notes.length > 0 ? { notes } : {}) });
    }
    case "update": {
      const { id } = await findOwn(cron, args, context, house);
      const patch = patchHere(args.patch ?? args.job ?? restOf(args), context);
      const { job, notes } = await cron.update(id, patch, checkOwn(context, house));
      return tell({ job: cron.tellJob(job), ...(notes.length > 0 ? { notes } : {}) });
    }
    case "remove":
      return tell({ removed: await cron.remove((await findOwn(cron, args, context, house)).id) });
    case "run":
      return tell({ ...(await cron.run((await findOwn(cron, args, context, house)).id, args.runMode ?? "force")) });
    case "runs": {
      const { id } = await findOwn(cron, args, context, house);
      const { entries } = await cron.runs({ jobId: id, limit: MOST_SHOWN, offset: 0 });
      return tell({ runs: entries });
    }
  }
}

async function wake(args: Arguments, context: ToolContext, house: CronToolHouse): Promise<ToolOutput> {
  const { agentId, sessionKey, runId, toolCallId } = context;
  if (!args.text?.trim()) throw refusal("wake needs a text");
  const mode = args.mode ?? "next-heartbeat";
  const key = `${runId}:tool:${toolCallId}`;
  // The tool is for owners only.
  await house.wake({ agentId, sessionKey, text: args.text, mode, reason: "wake", key, standing: "owner" });
  return tell({ ok: true, mode });
}

/** The agent's own job, made in this conversation; its answer comes back here unless it says otherwise. */
async function wishOf(args: Arguments, context: ToolContext, house: CronToolHouse): Promise<Record<string, unknown>> {
  const { agentId } = context;
  // Unwrapped first: what is wrapped would go before what is added here.
  const written = unwrap({ ...restOf(args), ...args.job }, []);
  const delivery = await deliveryHere(written, context, house);
  const wish: Record<string, unknown> = {
    agentId,
    ...written,
    ...askedHere(context),
    ...(delivery ? { delivery } : {}),
  };
  const payload = written["payload"];
  if (args.contextMessages && isObject(payload) && typeof payload["text"] === "string") {
    const lines = await contextLines(args.contextMessages, context, house);
    if (lines) wish["payload"] = { ...payload, text: `${payload["text"]}\n\n${lines}` };
  }
  return wish;
}

/** What is changed here is asked for here, with no more than this conversation has, wherever the job was made. */
function patchHere(written: Readonly<Record<string, unknown>>, context: ToolContext): Record<string, unknown> {
  return { ...unwrap(written, []), ...askedHere(context) };
}

/** Where, and by whom. Whoever comes through our own door is the operator, who is nobody of a chat. */
function askedHere({ sessionKey, requester: { channel, account, id } }: ToolContext): Record<string, unknown> {
  return { sessionKey, askedBy: channel === "webchat" || id === "" ? null : { channel, account, id } };
}

/** Whoever asks for something to be told means to be told here. */
async function deliveryHere(
  written: Readonly<Record<string, unknown>>,
  context: ToolContext,
  house: CronToolHouse,
): Promise<Record<string, unknown> | undefined> {
  const { payload, delivery, sessionTarget } = written;
  if ((isObject(payload) && payload["kind"] === "systemEvent") || sessionTarget === "main") return undefined;
  if (delivery === undefined) return { mode: "announce", ...(await house.placeHere(context)) };
  const isOpen = isObject(delivery) && !delivery["channel"] && !delivery["to"] && delivery["mode"] === "announce";
  return isOpen ? { ...delivery, ...(await house.placeHere(context)) } : undefined;
}

async function contextLines(limit: number, { sessionKey }: ToolContext, house: CronToolHouse): Promise<string> {
  const exchanges = await house.ledger.exchanges(sessionKey, limit);
  const texts = exchanges.flatMap(({ message, outcome }) => [
    `User: ${String(message.body["text"] ?? "")}`,
    ...(outcome?.texts ?? []).map((text) => `Assistant: ${text}`),
  ]);
  const lines: string[] = [];
  let left = CONTEXT_TOTAL;
  for (const text of texts.slice(-limit)) {
    const line = `- ${text.replace(/\s+/g, " ").trim().slice(0, CONTEXT_CHARS)}`;
    left -= line.length;
    if (left < 0) break;
    lines.push(line);
  }
  return lines.length > 0 ? `Recent context:\n${lines.join("\n")}` : "";
}

const EXEC = "commands of jobs (payload.kind exec) are the operator's to write: `chela cron add --exec <command>`";
const POSTS = "results can be posted to a page only by jobs the operator makes; use announce or none";

/**
 * An agent may plan what it may do itself: no command without approval, no page it chose, nothing in another's name or in
 * a conversation it does not see. What the operator wrote may stay as it is.
 */
function checkOwn(context: ToolContext, house: CronToolHouse): CheckJob {
  return async (job, before) => {
    if (!isOwn(job, context, house)) {
      throw refusal(
        `it would be a job of agent "${agentOfJob(job, house)}", but you plan for yourself only ("${context.agentId}")`,
      );
    }
    const target = targetKeyOf(job, context.agentId);
    if (
      target !== undefined &&
      job.sessionTarget !== before?.sessionTarget &&
      !(await house.seesSession(context, target))
    ) {
      throw refusal(
        `sessionTarget is "${job.sessionTarget}", a conversation that is not seen from here; use "current" or "isolated"`,
      );
    }
    if (job.payload.kind === "exec" && !isSame(job.payload, before?.payload)) throw refusal(EXEC);
    if (pagesOf(job).some((page) => !pagesOf(before).includes(page))) throw refusal(POSTS);
  };
}

/** Where a job would post something. */
function pagesOf(job: CronJob | undefined): string[] {
  const { delivery, failureAlert } = job ?? {};
  return [delivery, delivery?.failureDestination, failureAlert || undefined].flatMap((place) =>
    place?.mode === "webhook" ? [place.to ?? ""] : [],
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function findOwn(cron: Cron, args: Arguments, context: ToolContext, house: CronToolHouse): Promise<CronJob> {
  const id = args.jobId ?? args["id"];
  if (typeof id !== "string" || id === "") throw refusal(`${args.action} needs a jobId; list shows them`);
  const job = await cron.get(id);
  // The same answer as for one that does not exist.
  if (!isOwn(job, context, house)) throw new GatewayError("CRON_UNKNOWN", id);
  return job;
}

function isOwn(job: CronJob, { agentId }: ToolContext, house: CronToolHouse): boolean {
  return agentOfJob(job, house) === agentId;
}

/** The one it runs as: a job that names nobody may name a conversation of somebody. */
function agentOfJob(job: CronJob, { keys }: CronToolHouse): string {
  return agentOf(job, { keys });
}

function restOf(args: Arguments): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !CALL_FIELDS.has(name)));
}

function refusal(why: string): GatewayError {
  return new GatewayError("CRON_JOB", why);
}

function tell(result: Readonly<Record<string, unknown>>): ToolOutput {
  return { content: [{ type: "text", text: JSON.stringify(result, undefined, 2) }], details: result };
}
