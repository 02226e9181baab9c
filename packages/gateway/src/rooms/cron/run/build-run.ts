// Makes the errands of a job: its runs, the notes of what did not run, and the news of a failure.
import {
  agentOfSessionKey,
  mainSessionKey,
  namedAgentId,
  type Change,
  type CronJob,
  type Errand,
  type ErrandDelivery,
  type KeyDefaults,
} from "@chela/sdk";
import type { CronHouse, CronWork, Skipped } from "../parts.ts";

type BuildHouse = Pick<CronHouse, "agents" | "clock" | "ids" | "keys" | "placeFor">;
/** Whoever can say which agent is meant where none is named. */
type KnowsDefault = { keys(): Pick<KeyDefaults, "defaultAgentId"> };

export interface RunWish {
  readonly runId: string;
  readonly dueAt: number;
  readonly trigger: "due" | "force";
}

export function agentOf(job: CronJob, { keys }: KnowsDefault): string {
  if (job.agentId !== undefined) return namedAgentId(job.agentId);
  return agentOfSessionKey(targetOf(job) ?? "") ?? keys().defaultAgentId;
}

/** Whether there is such an agent now. */
export function isAgent(agentId: string, { agents }: Pick<BuildHouse, "agents">): boolean {
  return agents().some(({ id }) => id === namedAgentId(agentId));
}

/** The conversation a job names for itself, as it is written. */
function targetOf({ sessionTarget }: CronJob): string | undefined {
  return sessionTarget.startsWith("session:") ? sessionTarget.slice("session:".length) : undefined;
}

/** The same by its whole key. */
export function targetKeyOf(job: CronJob, agentId: string): string | undefined {
  const written = targetOf(job);
  if (written === undefined) return undefined;
  return agentOfSessionKey(written) === undefined ? `agent:${agentId}:${written}` : written;
}

function sessionKeyOf(job: CronJob, agentId: string, place: string, house: BuildHouse): string {
  if (job.sessionTarget === "main") return mainSessionKey(agentId, house.keys());
  return targetKeyOf(job, agentId) ?? `${ownKey(job, agentId)}:run:${place}`;
}

export const dueRunId = (job: CronJob, dueAt: number): string => `cron:${job.id}:${dueAt}`;
/** Names the news of a failed run. */
export const alertId = (runId: string): string => `${runId}:alert`;
export const forcedRunId = (job: CronJob, id: string): string => `cron:${job.id}:force:${id}`;

export async function buildRun(job: CronJob, { runId, dueAt, trigger }: RunWish, house: BuildHouse): Promise<Errand> {
  const agentId = agentOf(job, house);
  const { name, payload, wakeMode, schedule } = job;
  const zone = schedule.kind === "cron" ? schedule.tz : undefined;
  const onCrash = job.onCrash ?? (payload.kind === "exec" ? "report" : "retry");
  const work: CronWork = {
    kind: "run",
    name,
    payload,
    wakeMode,
    trigger,
    onCrash,
    ...(zone ? { zone } : {}),
    ...(job.sessionKey ? { askedIn: job.sessionKey } : {}),
    ...(job.askedBy ? { askedBy: job.askedBy } : {}),
  };
  const delivery = await deliveryOf(job, agentId, house);
  const place = trigger === "force" ? runId.slice(-8) : dueAt.toString(36);
  return {
    runId,
    kind: "cron",
    owner: job.id,
    agentId,
    sessionKey: sessionKeyOf(job, agentId, place, house),
    dueAt,
    createdAt: house.clock.now(),
    work: { ...work },
    ...(delivery ? { delivery } : {}),
  };
}

async function deliveryOf(job: CronJob, agentId: string, house: BuildHouse): Promise<ErrandDelivery | undefined> {
  const { delivery } = job;
  if (!delivery || delivery.mode === "none") return undefined;
  const bestEffort = delivery.bestEffort ? { bestEffort: true } : {};
  if (delivery.mode === "webhook") return { mode: "webhook", url: delivery.to ?? "", ...bestEffort };
  const place = await house.placeFor(agentId, delivery);
  return place.mode === "session" ? place : { ...place, ...bestEffort };
}

/** One row for all instants that did not run for one reason; there is nothing to be done about it. */
export function noteSkipped(job: CronJob, skipped: Skipped, house: BuildHouse): Change[] {
  const agentId = agentOf(job, house);
  const now = house.clock.now();
  const runId = `cron:${job.id}:skip:${house.ids.uuid()}`;
  const { reason, ...details } = skipped;
  const work: CronWork = { kind: "skipped", name: job.name, ...skipped };
  return [
    {
      kind: "errand-add",
      errand: {
        runId,
        kind: "cron",
        owner: job.id,
        agentId,
        sessionKey: ownKey(job, agentId),
        dueAt: skipped.last,
        createdAt: now,
        work: { ...work },
      },
    },
    {
      kind: "errand-state",
      runId,
      state: "settled",
      at: now,
      outcome: { status: "skipped", texts: [], reason, error: explainSkipped(skipped), details },
      delivered: { status: "not-requested" },
    },
  ];
}

const WHY: Readonly<Record<Skipped["reason"], string>> = {
  missed: "the gateway was not there",
  "still-running": "the run before was not over",
  "back-off": "earlier runs failed, and it waits before it tries again",
};

function explainSkipped({ reason, count, isAtLeast, first, last }: Skipped): string {
  const iso = (at: number): string => new Date(at).toISOString();
  if (count === 1) return `It did not run at ${iso(last)}: ${WHY[reason]}.`;
  return `It did not run ${isAtLeast ? "at least " : ""}${count} times from ${iso(first)} to ${iso(last)}: ${WHY[reason]}.`;
}

export interface AlertWish {
  /** The run that failed. */
  readonly runId: string;
  /** Where its result did not arrive, when that was the failure. */
  readonly lostAt?: ErrandDelivery | undefined;
  readonly text: string;
}

export async function buildAlert(job: CronJob, { runId, text, lostAt }: AlertWish, house: BuildHouse): Promise<Errand> {
  const own = agentOf(job, house);
  // That its agent is gone may be the failure; nobody looks into the conversation of one that is.
  const agentId = isAgent(own, house) ? own : house.keys().defaultAgentId;
  const now = house.clock.now();
  const work: CronWork = { kind: "alert", name: job.name, text, runId };
  return {
    runId: alertId(runId),
    kind: "cron",
    owner: job.id,
    agentId,
    sessionKey: `${ownKey(job, agentId)}:alert`,
    dueAt: now,
    createdAt: now,
    work: { ...work },
    delivery: await alertPlace({ ...job, agentId }, lostAt, house),
  };
}

/** Named for alerts, named for failures, where results go, or where the agent was last spoken to. */
async function alertPlace(
  { agentId, failureAlert, delivery }: CronJob & { readonly agentId: string },
  lostAt: ErrandDelivery | undefined,
  house: BuildHouse,
): Promise<ErrandDelivery> {
  const named = [failureAlert || undefined, delivery?.failureDestination].find((place) => place?.to || place?.channel);
  if (named?.mode === "webhook") return { mode: "webhook", url: named.to ?? "", bestEffort: true };
  if (!named && lostAt) return elsewhere(agentId, lostAt, house);
  if (!named && delivery?.mode === "webhook") return { mode: "webhook", url: delivery.to ?? "", bestEffort: true };
  const place = await house.placeFor(agentId, named ?? (delivery?.mode === "announce" ? delivery : {}));
  // That a place is not there is often the very failure.
  return place.mode === "nowhere" ? house.placeFor(agentId, {}) : place;
}

/** What did not get through with a result does not get through with the news of that. Our own page is always there. */
async function elsewhere(agentId: string, lostAt: ErrandDelivery, house: BuildHouse): Promise<ErrandDelivery> {
  const place = await house.placeFor(agentId, {});
  const isOther = place.mode === "chat" && !(lostAt.mode === "chat" && lostAt.channel === place.channel);
  return isOther ? place : house.placeFor(agentId, { channel: "webchat" });
}

export function ownKey(job: CronJob, agentId: string): string {
  return `agent:${agentId}:cron:${job.id}`;
}
