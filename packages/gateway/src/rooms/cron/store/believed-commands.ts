// Names commands of jobs for the memory of what stood in files that guard the gateway.
import { createHash } from "node:crypto";
import type { CronJob } from "@chela/sdk";

export const COMMANDS_OF_JOBS = "cron/jobs.json commands";

/** Each with all that decides what it does. */
export function commandsOf(jobs: readonly CronJob[]): string[] {
  return jobs.flatMap(({ id, agentId, payload }) => {
    if (payload.kind !== "exec") return [];
    const { command, cwd, env } = payload;
    const said = JSON.stringify([id, agentId ?? null, command, cwd ?? null, Object.entries(env ?? {}).toSorted()]);
    return [createHash("sha256").update(said).digest("hex")];
  });
}
