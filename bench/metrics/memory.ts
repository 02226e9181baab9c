// Memory the gateway holds: at rest, after a thousand turns, and whether it keeps growing.
import { setTimeout as sleep } from "node:timers/promises";
import { converse, createMarks } from "../conversation.ts";
import { atMost, type Figure } from "../figure.ts";
import type { Gateway, State } from "../gateway-process.ts";
import { computingMs, ownResidentMib, peakResidentMib, privateMibOfChildren, residentMib } from "../process-figures.ts";
import { slope } from "../statistics.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";

const REST_MS = 4_000;
const IDLE_ROUNDS = 3;
const SESSIONS = 32;
const PARALLEL = 8;

export async function measureMemory(bench: TurnRunner): Promise<Figure[]> {
  const used = await newState(bench);
  return [await measureIdle(bench), ...(await measureGrowth(bench, used)), ...(await measureUsedState(bench, used))];
}

async function measureIdle(bench: TurnRunner): Promise<Figure> {
  const state = await newState(bench);
  const samples: number[] = [];
  // The first start compiles what the later ones find in the cache.
  for (let round = 0; round <= IDLE_ROUNDS; round++) {
    const resident = await withGateway(bench, async ({ pid }) => (await sleep(REST_MS), residentMib(pid)), { state });
    if (round > 0) samples.push(resident);
  }
  return { metric: "RSS, idle 4 s after start", unit: "MiB", samples, limits: [atMost(72)] };
}

async function measureGrowth(bench: TurnRunner, state: State): Promise<Figure[]> {
  const { memoryStep, memorySteps } = bench.amount;
  const work = async ({ client, pid }: Gateway): Promise<Figure[]> => {
    const marks = createMarks();
    const began = computingMs(pid);
    const points: Array<[thousands: number, mib: number]> = [];
    let settled = 0;
    let besideIt = 0;
    for (let step = 1; step <= memorySteps; step++) {
      // New sessions each time: a longer conversation is a larger request, which is no leak.
      const name = `memory-${step}`;
      await converse(client, marks, { parallel: PARALLEL, sessions: SESSIONS, turns: memoryStep, name });
      // The memory keeper comes and goes: it is a figure of its own.
      points.push([(step * memoryStep) / 1000, ownResidentMib(pid)]);
      besideIt = Math.max(besideIt, privateMibOfChildren(pid));
      bench.say(`  ${step * memoryStep} turns: ${points.at(-1)?.[1].toFixed(0)} MiB`);
      if (step > 1) continue;
      await sleep(REST_MS);
      settled = ownResidentMib(pid);
    }
    const first = points[0]?.[1] ?? Number.NaN;
    return [
      {
        metric: `RSS, right after ${memoryStep} turns`,
        unit: "MiB",
        samples: [first],
        limits: [atMost(100)],
      },
      { metric: `RSS, 4 s after ${memoryStep} turns`, unit: "MiB", samples: [settled] },
      ...points.slice(1).map(([thousands, mib]): Figure => {
        return { metric: `RSS, right after ${thousands * 1000} turns`, unit: "MiB", samples: [mib] };
      }),
      {
        metric: "RSS growth per 1000 turns",
        unit: "MiB",
        samples: [slope(points)],
        cpuMs: computingMs(pid) - began,
        limits: [atMost(0.5)],
        note: `least squares over ${points.length} points, each thousand turns in sessions of their own`,
      },
      { metric: "memory keeper's own, at most", unit: "MiB", samples: [besideIt], limits: [atMost(40)] },
      { metric: "RSS, peak", unit: "MiB", samples: [peakResidentMib(pid)] },
    ];
  };
  return withGateway(bench, work, { state });
}

/** A gateway is seldom new: what its start costs with all those turns behind it. */
async function measureUsedState(bench: TurnRunner, state: State): Promise<Figure[]> {
  const starts: number[] = [];
  const resident: number[] = [];
  for (let round = 0; round < IDLE_ROUNDS; round++) {
    await withGateway(
      bench,
      async ({ pid, readyMs }) => {
        await sleep(REST_MS);
        starts.push(readyMs);
        resident.push(residentMib(pid));
      },
      { state },
    );
  }
  const turns = bench.amount.memoryStep * bench.amount.memorySteps;
  return [
    { metric: `start with ${turns} turns behind`, unit: "ms", samples: starts },
    { metric: `RSS, idle with ${turns} turns behind`, unit: "MiB", samples: resident },
  ];
}
