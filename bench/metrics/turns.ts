// Cost of a turn beyond the model's own time: the first one, one after the other, and many at once.
import { converse, createMarks, overheads, timeTurn, type TimedTurn } from "../conversation.ts";
import { atLeast, atMost, type Figure } from "../figure.ts";
import { waitUntilQuiet } from "../gateway-process.ts";
import { computingMs, writtenBytes } from "../process-figures.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";
import { measureLoopDelay } from "./loop-delay.ts";

const FIRST_TURN_ROUNDS = 5;
const WARM_UP_TURNS = 20;
/** 32 at once may be this much slower than 8 before it counts as slower: two runs of the same differ by as much. */
const NOISE = 0.9;

export async function measureTurns(bench: TurnRunner): Promise<Figure[]> {
  return [...(await measureFirstTurn(bench)), ...(await measureLoad(bench)), ...(await measureLoopDelay(bench))];
}

async function measureFirstTurn(bench: TurnRunner): Promise<Figure[]> {
  const state = await newState(bench);
  const rounds = Math.max(2, Math.round(FIRST_TURN_ROUNDS * bench.command.effort));
  const samples: number[] = [];
  let cpuMs = 0;
  // One start more than counts: it fills the code cache with what a turn needs.
  for (let round = 0; round <= rounds; round++) {
    await withGateway(
      bench,
      async ({ client, pid }) => {
        const before = computingMs(pid);
        const { ms } = await timeTurn(client, "agent:main:first", createMarks());
        if (round > 0) samples.push(ms);
        if (round > 0) cpuMs += (computingMs(pid) - before) / rounds;
      },
      { state },
    );
  }
  return [{ metric: "first turn after start", unit: "ms", samples, cpuMs, limits: [atMost(120)] }];
}

async function measureLoad(bench: TurnRunner): Promise<Figure[]> {
  const { model, amount } = bench;
  return withGateway(bench, async ({ client, pid }) => {
    const marks = createMarks();
    const measure = async (parallel: number, turns: number) => {
      await waitUntilQuiet(pid, { atMostMs: 5_000 });
      await model.took();
      const cpuBefore = computingMs(pid);
      const writtenBefore = writtenBytes(pid);
      const load = { parallel, sessions: parallel, turns, name: `load${parallel}` };
      const { turns: timed, ms } = await converse(client, marks, load);
      const written = writtenBytes(pid);
      return {
        overhead: await overheads(timed, model),
        times: timed.map((turn: TimedTurn) => turn.ms),
        rate: timed.length / (ms / 1000),
        cpuMs: computingMs(pid) - cpuBefore,
        asked: (written.asked - writtenBefore.asked) / timed.length,
        toDisk: (written.toDisk - writtenBefore.toDisk) / timed.length,
      };
    };
    await converse(client, marks, { parallel: 1, sessions: 1, turns: WARM_UP_TURNS, name: "warm" });
    const one = await measure(1, amount.sequentialTurns);
    const eight = await measure(8, amount.parallelTurns);
    const many = await measure(32, amount.parallelTurns);
    const single = (metric: string, unit: string, value: number): Figure => ({ metric, unit, samples: [value] });
    return [
      {
        metric: "turn overhead, 1 client",
        unit: "ms",
        samples: one.overhead,
        cpuMs: one.cpuMs,
        limits: [atMost(5), atMost(15, "p95")],
      },
      single("turns per second, 1 client", "/s", one.rate),
      single("written per turn, in all (wchar)", "KiB", one.asked / 1024),
      single("written per turn, to disk", "KiB", one.toDisk / 1024),
      {
        ...single("turns per second, 8 parallel", "/s", eight.rate),
        cpuMs: eight.cpuMs,
        limits: [atLeast(300)],
      },
      { metric: "turn time, 8 parallel", unit: "ms", samples: eight.times },
      {
        ...single("turns per second, 32 parallel", "/s", many.rate),
        cpuMs: many.cpuMs,
        limits: [atLeast(Math.round(eight.rate * NOISE))],
      },
      { metric: "turn time, 32 parallel", unit: "ms", samples: many.times, limits: [atMost(150, "p95")] },
      single("CPU per turn, 32 parallel", "ms", many.cpuMs / many.times.length),
    ];
  });
}
