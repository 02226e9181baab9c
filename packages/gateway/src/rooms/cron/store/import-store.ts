// Takes jobs over from files: those of an older gateway at first, and later what another program or somebody edited.
import { copyFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Change, CronJob } from "@chela/sdk";
import { writeFileAtomic } from "@chela/sdk/files";
import { commandsOf, COMMANDS_OF_JOBS } from "./believed-commands.ts";
import { readJobFile } from "../job/index.ts";
import { ownState, withState, type CronHouse, type Planning } from "../parts.ts";
import { planJob } from "../run/plan-job.ts";
import type { Timetable } from "../schedule/index.ts";
import { digestOf, KNOWN_STORE, lookAtStore, storeFiles, type KnownStore } from "./look-at-store.ts";

type ImportHouse = Pick<CronHouse, "ledger" | "clock" | "ids" | "log" | "cronSettings" | "isAlone" | "believed">;
/** `locks` keeps others off a job meanwhile. */
type ImportPlanning = Pick<Planning, "timetable" | "locks">;

interface Tally {
  added: number;
  changed: number;
  removed: number;
}

/** Whether anything was taken over. */
export async function importStore(house: ImportHouse, planning: ImportPlanning): Promise<boolean> {
  for (const path of storeFiles(house.cronSettings().storePath)) {
    const looked = await lookAtStore(path, house.ledger);
    if (looked.kind === "same") return false;
    if (looked.kind !== "edited") continue;
    await takeOver({ path, text: looked.text, knownAt: looked.knownAt }, house, planning);
    const known: KnownStore = { digests: [digestOf(looked.text)], at: house.clock.now() };
    await house.ledger.commit([{ kind: "value-put", key: KNOWN_STORE, value: JSON.stringify(known) }]);
    return true;
  }
  return false;
}

async function takeOver(
  { path, text, knownAt }: { readonly path: string; readonly text: string; readonly knownAt: number | undefined },
  house: ImportHouse,
  { timetable, locks }: ImportPlanning,
): Promise<void> {
  const { ledger, log, clock, ids, cronSettings } = house;
  const parsed = parseOrSay(text);
  if (parsed.kind === "broken") {
    const kept = `${path}.unreadable-${clock.now()}`;
    await copyFile(path, kept);
    log.error("the file of jobs cannot be read; the jobs stay as they were", { path, kept, why: parsed.why });
    return;
  }
  const { legacyWebhook } = cronSettings();
  const read = readJobFile(parsed.value, {
    nowMs: clock.now(),
    newId: () => ids.uuid(),
    ...(legacyWebhook ? { webhook: legacyWebhook } : {}),
  });
  const tally: Tally = { added: 0, changed: 0, removed: 0 };
  const known = new Map((await ledger.jobs()).map((job) => [job.id, job]));
  const { jobs, problems } = withoutCommandsOfOthers(read, known, house);
  keepUnreadable(path, problems, house);
  const fresh = jobs.filter(({ id }) => !known.has(id));
  if (fresh.length > 0)
    await ledger.commit(
      fresh.flatMap((job) => putIfNew(job, undefined, knownAt, { tally, timetable, now: clock.now() })),
    );
  for (const job of jobs) {
    if (!known.has(job.id)) continue;
    await locks.run(job.id, async () => {
      const changes = putIfNew(job, await ledger.job(job.id), knownAt, { tally, timetable, now: clock.now() });
      if (changes.length > 0) await ledger.commit(changes);
    });
  }
  // What could not be read was not taken away; nor what another gateway, which reads the file once, does not know of.
  const gone = problems.length > 0 || !house.isAlone() ? [] : dropMissing(jobs, [...known.values()], knownAt, tally);
  if (gone.length > 0) await ledger.commit(gone);
  log.info(
    knownAt === undefined
      ? "jobs were taken over from a file"
      : "the file of jobs was edited; the edits were taken over",
    { path, ...tally },
  );
}

/** A command runs without a question, so it must not be enough to write it into a file. Other jobs only ask the agent. */
function withoutCommandsOfOthers(
  { jobs, problems }: Pick<ReturnType<typeof readJobFile>, "jobs" | "problems">,
  known: ReadonlyMap<string, CronJob>,
  { believed }: ImportHouse,
): Pick<ReturnType<typeof readJobFile>, "jobs" | "problems"> {
  const ours = new Set(commandsOf([...known.values()]));
  const strange = commandsOf(jobs).filter((command) => !ours.has(command));
  const sifted = believed.sift(COMMANDS_OF_JOBS, strange);
  const isDoubtful = (job: CronJob): boolean =>
    commandsOf([job]).some((command) => strange.includes(command) && !sifted.has(command));
  const why =
    "Its command was written into the file by somebody else while agents could run commands. Make it with `chela cron add`";
  return {
    jobs: jobs.filter((job) => !isDoubtful(job)),
    problems: [...problems, ...jobs.filter(isDoubtful).map((found) => ({ found, why }))],
  };
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
  { log, clock }: ImportHouse,
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
  { tally, timetable, now }: { readonly tally: Tally; readonly timetable: Timetable; readonly now: number },
): Change[] {
  if (!present) {
    tally.added += 1;
    return [{ kind: "job-put", job: planRead(read, now, timetable) }];
  }
  // Changed here after the file was written, or its writer had read it before that: the file knows less.
  const isNewer = knownAt !== undefined && (present.updatedAtMs > knownAt || read.updatedAtMs < present.updatedAtMs);
  if (isNewer) return putIfRan(read, present, tally);
  // Only we know of it, so that it is not there says nothing.
  const wished = present.askedBy && !read.askedBy ? { ...read, askedBy: present.askedBy } : read;
  if (isDeepStrictEqual(wishesOf(wished), wishesOf(present))) return putIfRan(read, present, tally);
  tally.changed += 1;
  const job = { ...wished, createdAtMs: present.createdAtMs, updatedAtMs: now, state: laterState(read, present) };
  return [
    {
      kind: "job-put",
      job: planRead(withState(job, { nextRunAtMs: undefined, cursorMs: undefined }), now, timetable),
    },
  ];
}

/** The other program ran it meanwhile: it is not run again for the same instant. */
function putIfRan(read: CronJob, present: CronJob, tally: Tally): Change[] {
  const state = laterState(read, present);
  if (state === present.state) return [];
  tally.changed += 1;
  return [{ kind: "job-put", job: { ...present, state } }];
}

function laterState(read: CronJob, present: CronJob): CronJob["state"] {
  const { lastRunAtMs = 0 } = read.state;
  if (lastRunAtMs <= (present.state.lastRunAtMs ?? 0) || present.state.runningAtMs !== undefined) return present.state;
  const { runningAtMs: _running, ...theirs } = read.state;
  return { ...present.state, ...theirs, cursorMs: Math.max(ownState(present).cursorMs ?? 0, lastRunAtMs) };
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
