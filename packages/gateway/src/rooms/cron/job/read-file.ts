// Reads the jobs of a store file in every shape one was ever written in. What cannot be read is handed back, never dropped.
import { CronJobState, toGatewayError, type CronJob } from "@chela/sdk";
import { asLoose, asText, pick, type Loose, type Notes } from "./loose.ts";
import { normaliseJob } from "./normalise.ts";
import type { ShapeOptions } from "./shape-schedule.ts";

export interface ReadOptions extends ShapeOptions {
  /** A new id for a job whose own cannot be the name of a file. */
  newId(): string;
}

interface UnreadableJob {
  /** As it was found, for whoever keeps it. */
  readonly found: unknown;
  readonly why: string;
}

export interface ReadJobs {
  readonly jobs: readonly CronJob[];
  readonly problems: readonly UnreadableJob[];
  readonly notes: readonly string[];
}

const SAFE_ID = /^(?!\.+$)[A-Za-z0-9._-]{1,128}$/;

/** `{version, jobs: […]}`, `{jobs: {id: …}}`, a list, or a map by id. */
export function readJobFile(content: unknown, options: ReadOptions): ReadJobs {
  const jobs: CronJob[] = [];
  const problems: UnreadableJob[] = [];
  const notes: string[] = [];
  const taken = new Set<string>();
  for (const [key, found] of entriesOf(content)) {
    try {
      const { job, notes: said } = readJob(found, key, taken, options);
      taken.add(job.id);
      jobs.push(job);
      notes.push(...said.map((note) => `${job.id}: ${note}`));
    } catch (error) {
      problems.push({ found, why: toGatewayError(error, "CRON_JOB").explain() });
    }
  }
  return { jobs, problems, notes };
}

function entriesOf(content: unknown): Array<readonly [string | undefined, unknown]> {
  const inside = asLoose(content)?.["jobs"] ?? content;
  if (Array.isArray(inside)) return inside.map((job: unknown) => [undefined, job] as const);
  const map = asLoose(inside);
  if (map) return Object.entries(map).filter(([key]) => inside !== content || key !== "version");
  return inside === undefined || inside === null ? [] : [[undefined, inside]];
}

function readJob(found: unknown, key: string | undefined, taken: ReadonlySet<string>, options: ReadOptions) {
  const loose = asLoose(found) ?? {};
  const createdAtMs = momentOf(pick(loose, "createdAtMs", "createdAt")) ?? options.nowMs;
  const { wishes, notes: said } = normaliseJob(found, { ...options, nowMs: createdAtMs, isKept: true });
  const notes: Notes = [...said];
  const job: CronJob = {
    id: readId(pick(loose, "id", "jobId") ?? key, taken, options, notes),
    ...wishes,
    createdAtMs,
    updatedAtMs: momentOf(pick(loose, "updatedAtMs", "updatedAt")) ?? createdAtMs,
    state: readState(loose, notes),
  };
  return { job, notes };
}

function readId(value: unknown, taken: ReadonlySet<string>, options: ReadOptions, notes: Notes): string {
  const said = typeof value === "number" ? String(value) : asText(value);
  if (said !== undefined && SAFE_ID.test(said) && !taken.has(said)) return said;
  const id = options.newId();
  if (said === undefined) notes.push("it had no id and was given one");
  else if (taken.has(said)) notes.push(`its id "${said}" was that of another job, so it was given a new one`);
  else notes.push(`its id "${said}" cannot be the name of a file, so it was given a new one`);
  return id;
}

/** A state that makes no sense is no reason to lose a job: each field counts for itself. */
function readState(loose: Loose, notes: Notes): CronJobState {
  const state = asLoose(loose["state"]) ?? {};
  const whole = CronJobState().safeParse(state);
  if (whole.success) return oneStatus(whole.data);
  const entries = Object.entries(state).filter(([name, value]) => CronJobState().safeParse({ [name]: value }).success);
  notes.push("parts of its state could not be read and were left out");
  return oneStatus(CronJobState().parse(Object.fromEntries(entries)));
}

/** The status of the last run has one name here; the older one is added when it is written. */
function oneStatus({ lastStatus, lastRunStatus, ...rest }: CronJobState): CronJobState {
  const status = lastRunStatus ?? lastStatus;
  return status === undefined ? rest : { ...rest, lastRunStatus: status };
}

function momentOf(value: unknown): number | undefined {
  const moment = typeof value === "string" ? Date.parse(value) : value;
  return typeof moment === "number" && Number.isFinite(moment) ? moment : undefined;
}
