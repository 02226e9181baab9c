// Gives a job to the gateway, and tells what became of it.
import type { World } from "../../../app/world.ts";
import type { Job } from "../../../jobs/job-actions.ts";
import { scheduleWords, timeWords } from "../../../jobs/schedule-words.ts";
import type { Wishes } from "./job-draft.ts";
import { patchOf } from "./job-patch.ts";

/** `before` is the job that is changed; without it a new one is made. */
export async function saveJob(world: World, wishes: Wishes, before: Job | undefined): Promise<Pick<Job, "id">> {
  const { wire, notices, words } = world;
  const texts = words.of("cron");
  const saved = before
    ? await wire.call("cron.update", { id: before.id, patch: patchOf(before, wishes) })
    : await wire.call("cron.add", wishes);
  const schedule = scheduleWords(saved.schedule, words, texts);
  const { nextRunAtMs } = saved.state;
  notices.say(
    nextRunAtMs === undefined || !saved.enabled
      ? texts.saved(saved.name, schedule)
      : texts.savedNext(saved.name, schedule, timeWords(nextRunAtMs, words)),
  );
  return saved;
}
