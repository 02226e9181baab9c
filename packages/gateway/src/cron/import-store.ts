// Takes jobs over from files: those of an older gateway at first, and later what somebody edited while no gateway ran.
import { copyFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Change, CronJob } from "@chela/sdk";
import { writeFileAtomic } from "../base/files.ts";
import { readJobFile } from "./job/index.ts";
import { withState, type CronParts } from "./parts.ts";
import { planJob } from "./plan-job.ts";
import type { Timetable } from "./schedule/index.ts";
import { digestOf, KNOWN_STORE, lookAtStore, storeFiles, type KnownStore } from "./look-at-store.ts";

type ImportParts = Pick<CronParts, "ledger" | "clock" | "ids" | "log" | "settings"> & { readonly timetable: Timetable };

interface Tally {
  added: number;
  changed: number;
  removed: number;
}

export async function importStore(parts: ImportParts): Promise<void> {
  for (const path of storeFiles(parts.settings().storePath)) {
    const looked = await lookAtStore(path, parts.ledger);
    if (looked.kind === "same") return;
    if (looked.kind !== "edited") continue;
    await takeOver(path, looked.text, looked.knownAt, parts);
    const known: KnownStore = { digests: [digestOf(looked.text)], at: parts.clock.now() };
    await parts.ledger.commit([{ kind: "value-put", key: KNOWN_STORE, value: JSON.stringify(known) }]);
    return;
  }
}

async function takeOver(path: string, text: string, knownAt: number | undefined, parts: ImportParts): Promise<void> {
  const { ledger, log, clock, ids, settings } = parts;
  const parsed = parseOrSay(text);
  if (parsed.kind === "broken") {
    const kept = `${path}.unreadable-${clock.now()}`;
    await copyFile(path, kept);
    log.error("the file of jobs cannot be read; the jobs stay as they were", { path, kept, why: parsed.why });
    return;
  }
  const { legacyWebhook } = settings();
  const read = readJobFile(parsed.value, {
    nowMs: clock.now(),
    newId: () => ids.uuid(),
    ...(legacyWebhook ? { webhook: legacyWebhook } : {}),
  });
  keepUnreadable(path, read.problems, parts);
  const tally: Tally = { added: 0, changed: 0, removed: 0 };
  const known = new Map((await ledger.jobs()).map((job) => [job.id, job]));
  const changes = [
    ...read.jobs.flatMap((job) => putIfNew(job, known.get(job.id), knownAt, { parts, tally })),
    // What could not be read was not taken away.
    ...(read.problems.length > 0 ? [] : dropMissing(read.jobs, [...known.values()], knownAt, tally)),
  ];
  if (changes.length > 0) await ledger.commit(changes);
  log.info(
    knownAt === undefined
      ? "jobs were taken over from a file"
      : "the file of jobs was edited; the edits were taken over",
    { path, ...tally },
  );
}

function parseOrSay(text: string): { kind: "read"; value: unknown } | { kind: "broken"; why: string } {
  try {
    return { kind: "read", value: JSON.parse(text) as unknown };
  } catch (error) {
    return { kind: "broken", why: error instanceof Error ? error.message : String(error) };
  }
}

function keepUnreadable(
  path: string,
  problems: ReturnType<typeof readJobFile>["problems"],
  { log, clock }: ImportParts,
): void {
  if (problems.length === 0) return;
  const kept = `${path}.unreadable-${clock.now()}`;
  writeFileAtomic(kept, `${JSON.stringify(problems, null, 2)}\n`);
  for (const { why } of problems) log.warn("a job in the file cannot be read; it was put aside", { path, kept, why });
}

function putIfNew(
  read: CronJob,
  present: CronJob | undefined,
  knownAt: number | undefined,
  { parts, tally }: { readonly parts: ImportParts; readonly tally: Tally },
): Change[] {
  const now = parts.clock.now();
  if (!present) {
    tally.added += 1;
    return [{ kind: "job-put", job: planRead(read, now, parts.timetable) }];
  }
  // Changed here after the file was written: the file knows less.
  const isNewer = knownAt !== undefined && present.updatedAtMs > knownAt;
  if (isNewer || isDeepStrictEqual(wishesOf(read), wishesOf(present))) return [];
  tally.changed += 1;
  const job = { ...read, createdAtMs: present.createdAtMs, updatedAtMs: now, state: present.state };
  return [
    {
      kind: "job-put",
      job: planRead(withState(job, { nextRunAtMs: undefined, cursorMs: undefined }), now, parts.timetable),
    },
  ];
}

/** A time that was planned is kept, so that what was missed since is made up for; one that cannot be computed is said so later. */
function planRead(job: CronJob, now: number, timetable: Timetable): CronJob {
  const idle = withState(job, { runningAtMs: undefined });
  if (idle.enabled && idle.state.nextRunAtMs !== undefined) return idle;
  try {
    const planned = planJob(idle, now, timetable);
    if (!planned.enabled || planned.state.nextRunAtMs !== undefined) return planned;
    const lastError = planned.state.lastError ?? "Its time was past when it was read from the file.";
    return { ...withState(planned, { lastError }), enabled: false };
  } catch {
    // The runner tries it again, and disables it with the reason.
    return withState(idle, { nextRunAtMs: now });
  }
}

function dropMissing(
  read: readonly CronJob[],
  present: readonly CronJob[],
  knownAt: number | undefined,
  tally: Tally,
): Change[] {
  if (knownAt === undefined) return [];
  const ids = new Set(read.map(({ id }) => id));
  const gone = present.filter((job) => !ids.has(job.id) && job.updatedAtMs <= knownAt);
  tally.removed = gone.length;
  return gone.map(({ id }) => ({ kind: "job-delete", id }));
}

function wishesOf({ state: _state, createdAtMs: _created, updatedAtMs: _updated, ...wishes }: CronJob): object {
  return wishes;
}
