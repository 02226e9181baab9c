// Turns what people, models and older versions write into a job as it is kept, and says what was inferred.
import { GatewayError, type CronJobWishes } from "@chela/sdk";
import { externalLine } from "../../../base/text/external-content.ts";
import { restoreValues } from "./hidden-values.ts";
import { asLoose, asText, pickNamed, withoutNothing, type Loose, type Notes } from "./loose.ts";
import { checkJob } from "./rules.ts";
import { likelyMode, OLD_DELIVERY_NAMES, oldDelivery, shapeDelivery } from "./shape-delivery.ts";
import { nameOf, PAYLOAD_NAMES, shapePayload } from "./shape-payload.ts";
import { SCHEDULE_NAMES, shapeSchedule, type ShapeOptions } from "./shape-schedule.ts";

export interface Normalised {
  readonly wishes: CronJobWishes;
  readonly notes: readonly string[];
}

/** Fields that are kept as they are written. */
export const PLAIN_NAMES = [
  "agentId",
  "askedBy",
  "sessionKey",
  "name",
  "description",
  "enabled",
  "deleteAfterRun",
  "sessionTarget",
  "wakeMode",
  "failureAlert",
  "onCrash",
  "catchUp",
];
/** The gateway's own: nobody's wish. */
const KEPT_NAMES = ["id", "jobId", "createdAt", "createdAtMs", "updatedAt", "updatedAtMs", "state"];
const OTHER_NAMES = ["schedule", "tz", "payload", "delivery", "notify", "job", "data"];
const KNOWN = new Set([
  ...PLAIN_NAMES,
  ...KEPT_NAMES,
  ...OTHER_NAMES,
  ...SCHEDULE_NAMES,
  ...PAYLOAD_NAMES,
  ...OLD_DELIVERY_NAMES,
]);

/** Throws CRON_JOB or CRON_SCHEDULE with a sentence about what is wrong. Whether an expression can be read, a timetable says. */
export function normaliseJob(input: unknown, options: ShapeOptions): Normalised {
  const notes: Notes = [];
  const loose = unwrap(input, notes);
  const schedule = shapeSchedule(loose["schedule"] ?? looseSchedule(loose), options, notes);
  const payload = readPayload(loose, notes);
  const sessionTarget = settleTarget(readTarget(loose, payload, notes), loose["sessionKey"], notes);
  const name = readName(loose, payload, notes);
  const wishes = checkJob(
    withoutNothing({
      ...pickNamed(loose, PLAIN_NAMES),
      name,
      enabled: readSwitch(loose["enabled"]) ?? true,
      deleteAfterRun: readSwitch(loose["deleteAfterRun"]) ?? (schedule["kind"] === "at" ? true : undefined),
      schedule: withoutNothing(anchored(schedule, options)),
      sessionTarget,
      wakeMode: loose["wakeMode"] ?? "now",
      payload: withoutNothing(payload),
      delivery: readDelivery(loose, payload, options, notes),
    }),
  );
  return { wishes, notes };
}

/** The job itself, out of `{job: …}` or `{data: …}`; fields beside the wrapper count where the job has none. */
export function unwrap(input: unknown, notes: Notes): Loose {
  const outer = asLoose(input);
  if (!outer) throw new GatewayError("CRON_JOB", "it is no object. Write {schedule, payload, …}");
  const inner = asLoose(outer["job"]) ?? asLoose(outer["data"]);
  const loose = inner ? { ...outer, ...inner, job: undefined, data: undefined } : outer;
  for (const name of Object.keys(loose))
    if (!KNOWN.has(name)) notes.push(`the field "${name}" is not known and was left out`);
  return loose;
}

export function looseSchedule(loose: Loose): Loose | undefined {
  const found = pickNamed(loose, SCHEDULE_NAMES);
  return Object.keys(found).length > 0 ? { ...found, tz: loose["tz"] } : undefined;
}

/** An interval without an anchor counts from when the job was made. */
export function anchored(schedule: Loose, { nowMs }: ShapeOptions): Loose {
  return schedule["kind"] === "every" ? { ...schedule, anchorMs: schedule["anchorMs"] ?? nowMs } : schedule;
}

/** On or off, also as a word. */
export function readSwitch(value: unknown): unknown {
  if (value === null) return undefined;
  return value === "true" ? true : value === "false" ? false : value;
}

function readPayload(loose: Loose, notes: Notes): Loose {
  const likely = loose["sessionTarget"] === "main" ? "systemEvent" : undefined;
  const inside = typeof loose["payload"] === "string" ? { message: loose["payload"] } : asLoose(loose["payload"]);
  const payload = shapePayload({ ...pickNamed(loose, PAYLOAD_NAMES), ...inside }, likely);
  if (inside?.["kind"] !== payload["kind"]) notes.push(`the payload was read as ${String(payload["kind"])}`);
  return restoreValues(payload);
}

/** Where a payload belongs when nobody says. */
export function likelyTarget(payload: Loose): string {
  return payload["kind"] === "systemEvent" ? "main" : "isolated";
}

function readTarget(loose: Loose, payload: Loose, notes: Notes): unknown {
  const said = loose["sessionTarget"];
  if (said !== undefined && said !== null) return said;
  const target = likelyTarget(payload);
  notes.push(`sessionTarget is "${target}", as its payload is ${String(payload["kind"])}`);
  return target;
}

/** "current" is the conversation a job was made in, whoever reads it later; without one it has its own. */
export function settleTarget(target: unknown, sessionKey: unknown, notes: Notes): unknown {
  if (target !== "current") return target;
  const key = asText(sessionKey);
  if (key === undefined) notes.push('sessionTarget is "isolated", as it was made in no conversation');
  return key === undefined ? "isolated" : `session:${key}`;
}

/** A name stands in lines of lists, alerts and prompts: it is one line, and shows all that it holds. */
export function cleanName(value: unknown): unknown {
  return typeof value === "string" ? externalLine(value) : value;
}

function readName(loose: Loose, payload: Loose, notes: Notes): string {
  const said = asText(cleanName(loose["name"]));
  if (said !== undefined) return said;
  const name = asText(cleanName(nameOf(payload)));
  if (name !== undefined) notes.push(`its name is "${name}", from its first words`);
  return name ?? String(payload["kind"]);
}

/** A result nobody asked to hear of is told only where that is what the job is for: an agent's own turn. */
export function defaultDelivery(payload: Loose): Loose | undefined {
  if (payload["kind"] === "agentTurn") return { mode: "announce" };
  return payload["kind"] === "exec" ? { mode: "none" } : undefined;
}

function readDelivery(loose: Loose, payload: Loose, options: ShapeOptions, notes: Notes): Loose | undefined {
  const said = shapeDelivery(loose["delivery"]) ?? oldDelivery(asLoose(loose["payload"]) ?? {}) ?? oldDelivery(loose);
  if (said) return withoutNothing({ ...said, mode: said["mode"] ?? likelyMode(said) });
  if (loose["notify"] === true) {
    if (options.webhook !== undefined) {
      notes.push(`"notify" was read as a delivery to ${options.webhook}`);
      return { mode: "webhook", to: options.webhook };
    }
    notes.push(`"notify" has no effect, since cron.webhook is not set; give the job a delivery instead`);
  }
  return defaultDelivery(payload);
}
