// Changes of a job that exists: what is named changes, the rest stays.
import { defined } from "@chela/sdk/base";
import type { CronJob } from "@chela/sdk";
import { asLoose, pickNamed, withoutNothing, type Loose, type Notes } from "./loose.ts";
import {
  anchored,
  cleanName,
  defaultDelivery,
  likelyTarget,
  looseSchedule,
  PLAIN_NAMES,
  readSwitch,
  settleTarget,
  unwrap,
} from "./normalise.ts";
import { restoreValues } from "./hidden-values.ts";
import { checkJob } from "./rules.ts";
import { likelyMode, oldDelivery, shapeDelivery } from "./shape-delivery.ts";
import { PAYLOAD_NAMES, shapePayload } from "./shape-payload.ts";
import { shapeSchedule, type ShapeOptions } from "./shape-schedule.ts";

export interface Patched {
  readonly job: CronJob;
  readonly notes: readonly string[];
}

/**
 * Parts of the same kind are merged one level deep, others take the place of the old; `null` clears an optional field.
 * Throws as a new job would; the job given is never changed.
 */
export function applyPatch(job: CronJob, patch: unknown, options: ShapeOptions): Patched {
  const notes: Notes = [];
  const loose = unwrap(patch, notes);
  const schedule = patchSchedule(job, loose, options, notes);
  const payload = patchPayload(job, loose);
  const isOtherWork = payload["kind"] !== job.payload.kind;
  const wanted = loose["sessionTarget"] ?? (isOtherWork ? likelyTarget(payload) : job.sessionTarget);
  const sessionTarget = settleTarget(wanted, loose["sessionKey"] ?? job.sessionKey, notes);
  const wishes = checkJob(
    withoutNothing({
      ...pickNamed(job as unknown as Loose, PLAIN_NAMES),
      ...pickNamed(loose, PLAIN_NAMES),
      name: cleanName(loose["name"]) ?? job.name,
      enabled: readSwitch(loose["enabled"]) ?? job.enabled,
      deleteAfterRun: patchDeletion(job, loose, schedule),
      wakeMode: loose["wakeMode"] ?? job.wakeMode,
      schedule: withoutNothing(schedule),
      sessionTarget,
      payload: withoutNothing(payload),
      delivery: patchDelivery(job, loose, payload),
    }),
  );
  if (sessionTarget !== job.sessionTarget && loose["sessionTarget"] === undefined) {
    notes.push(`sessionTarget is now "${wishes.sessionTarget}", as its payload is ${wishes.payload.kind}`);
  }
  const { id, createdAtMs, state } = job;
  return { job: { id, ...wishes, createdAtMs, updatedAtMs: options.nowMs, state }, notes };
}

function patchSchedule(job: CronJob, loose: Loose, options: ShapeOptions, notes: Notes): Loose {
  const said = loose["schedule"] ?? looseSchedule(loose);
  if (said === undefined || said === null) return job.schedule;
  const part = asLoose(said);
  // Such as {tz: …} alone: what it belongs to is the schedule there is.
  const named = part && isBare(part) ? { ...job.schedule, ...part } : said;
  const schedule = shapeSchedule(named, options, notes);
  return schedule["kind"] === job.schedule.kind
    ? { ...job.schedule, ...defined(schedule) }
    : anchored(schedule, options);
}

function isBare(part: Loose): boolean {
  return Object.keys(part).every((name) => ["tz", "timezone", "staggerMs", "stagger", "anchorMs"].includes(name));
}

function patchPayload(job: CronJob, loose: Loose): Loose {
  const inside = loose["payload"];
  const said =
    typeof inside === "string" ? { message: inside } : { ...pickNamed(loose, PAYLOAD_NAMES), ...asLoose(inside) };
  if (Object.keys(said).length === 0) return job.payload;
  const likely = job.payload.kind === "exec" && "message" in said ? "agentTurn" : job.payload.kind;
  const payload = restoreValues(shapePayload(said, likely), job.payload);
  return payload["kind"] === job.payload.kind ? { ...job.payload, ...defined(payload) } : payload;
}

/** One run is the end of a job that is set for an instant, and not of any other. */
function patchDeletion(job: CronJob, loose: Loose, schedule: Loose): unknown {
  const said = loose["deleteAfterRun"];
  if (said !== undefined) return readSwitch(said);
  if (schedule["kind"] === job.schedule.kind) return job.deleteAfterRun;
  return schedule["kind"] === "at" ? true : undefined;
}

function patchDelivery(job: CronJob, loose: Loose, payload: Loose): Loose | undefined {
  const said = shapeDelivery(loose["delivery"]) ?? oldDelivery(asLoose(loose["payload"]) ?? {}) ?? oldDelivery(loose);
  if (loose["delivery"] === null) return undefined;
  if (!said) return payload["kind"] === job.payload.kind ? job.delivery : defaultDelivery(payload);
  const mode = said["mode"] ?? (job.delivery?.mode === "none" ? undefined : job.delivery?.mode) ?? likelyMode(said);
  return withoutNothing(mode === job.delivery?.mode ? { ...job.delivery, ...defined(said) } : { ...said, mode });
}
