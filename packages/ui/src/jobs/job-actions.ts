// Actions on a job wherever it is shown; what came of them is told.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { World } from "../app/world.ts";

export type Job = MethodAnswer<"cron.list">["jobs"][number];
type Named = Pick<Job, "id" | "name">;

export async function runNow({ wire, notices, words }: World, { id, name }: Named): Promise<void> {
  const texts = words.of("cron");
  try {
    const answer = await wire.call("cron.run", { id, mode: "force" });
    notices.say(answer.ran ? texts.started(name) : texts.runsAlready(name));
  } catch (error) {
    notices.complain(error);
  }
}

export async function setEnabled(
  { wire, notices, words }: World,
  { id, name }: Named,
  enabled: boolean,
): Promise<void> {
  const texts = words.of("cron");
  try {
    await wire.call("cron.update", { id, patch: { enabled } });
    notices.say(enabled ? texts.switchedOn(name) : texts.switchedOff(name));
  } catch (error) {
    notices.complain(error);
  }
}

/** True when it is gone. */
export async function removeJob({ wire, notices, words }: World, { id, name }: Named): Promise<boolean> {
  const texts = words.of("cron");
  const question = { title: texts.removeTitle(name), text: texts.removeText, yes: texts.remove, isDangerous: true };
  if (!(await notices.ask(question))) return false;
  try {
    await wire.call("cron.remove", { id });
    notices.say(texts.removed(name));
    return true;
  } catch (error) {
    notices.complain(error);
    return false;
  }
}
