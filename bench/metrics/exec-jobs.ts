// Delay from a job's instant to the run of its command: each says the time itself.
import { atMost, type Figure } from "../figure.ts";
import { runsFrom, secondAfter } from "../jobs.ts";
import { withGateway, type TurnRunner } from "../workbench.ts";

const APART_MS = 250;
const NANOSECONDS_PER_MS = 1e6;
const WARM_UP = 2;

export async function measureExecJobs(bench: TurnRunner): Promise<Figure[]> {
  const { execJobs } = bench.amount;
  const count = execJobs + WARM_UP;
  return withGateway(bench, async ({ client }) => {
    const first = secondAfter(3000);
    for (let index = 0; index < count; index++) {
      const at = new Date(first + index * APART_MS).toISOString();
      await client.request("cron.add", {
        name: `Clock ${index}`,
        schedule: { kind: "at", at },
        payload: { kind: "exec", command: ["date", "+%s%N"] },
        sessionTarget: "isolated",
        delivery: { mode: "none" },
      });
    }
    const runs = await runsFrom(client, first, { count, atMostMs: 30_000 + count * APART_MS });
    const late = runs
      .toSorted((one, other) => one.dueAtMs - other.dueAtMs)
      .slice(WARM_UP)
      .map(({ summary, dueAtMs }) => Number(summary) / NANOSECONDS_PER_MS - dueAtMs);
    if (late.some((ms) => !Number.isFinite(ms))) throw new Error("a command did not say the time");
    return [{ metric: "due to process started, exec job", unit: "ms", samples: late, limits: [atMost(50)] }];
  });
}
