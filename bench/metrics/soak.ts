// Growth of memory over many turns in the same sessions: samples, and the slope of their later half.
import { converse, createMarks } from "../conversation.ts";
import { atMost, type Figure } from "../figure.ts";
import { computingMs, peakResidentMib, residentMib } from "../process-figures.ts";
import { slope } from "../statistics.ts";
import { withGateway, type TurnRunner } from "../workbench.ts";

const SESSIONS = 100;
const PARALLEL = 8;
const SAMPLES = 20;
/** After so many turns new sessions take the place of the old ones: 50 turns in each. */
const TURNS_PER_GENERATION = 5_000;
/** In fewer turns memory is still on its way to where it stays. */
const LEAST_TO_JUDGE = 20_000;

export async function measureSoak(bench: TurnRunner): Promise<Figure[]> {
  const { soakTurns } = bench.amount;
  return withGateway(bench, async ({ client, pid }) => {
    const marks = createMarks();
    const points: Array<[thousands: number, mib: number]> = [];
    const turns = Math.ceil(soakTurns / SAMPLES);
    const began = computingMs(pid);
    for (let sample = 1; sample <= SAMPLES; sample++) {
      // As in a household: conversations end, and others begin.
      const name = `soak-${Math.floor((sample * turns) / TURNS_PER_GENERATION)}`;
      await converse(client, marks, { parallel: PARALLEL, sessions: SESSIONS, turns, name });
      // The model's own notes would grow as well.
      await bench.model.took();
      points.push([(sample * turns) / 1000, residentMib(pid)]);
      bench.say(`  ${sample * turns} turns: ${points.at(-1)?.[1].toFixed(0)} MiB`);
    }
    const resident = points.map(([, mib]) => mib);
    return [
      { metric: `RSS, soak of ${soakTurns} turns`, unit: "MiB", samples: resident },
      { metric: "RSS, at the end of the soak", unit: "MiB", samples: resident.slice(-1) },
      {
        metric: "RSS growth per 1000 turns, soak",
        unit: "MiB",
        samples: [slope(points.slice(SAMPLES / 2))],
        cpuMs: computingMs(pid) - began,
        ...(soakTurns >= LEAST_TO_JUDGE ? { limits: [atMost(0.5)] } : {}),
        note: `least squares over the later half; ${SESSIONS} sessions at a time, up to 50 turns in each`,
      },
      { metric: "RSS, peak of the soak", unit: "MiB", samples: [peakResidentMib(pid)] },
    ];
  });
}
