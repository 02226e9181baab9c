// Delay of the gateway's event loop under load, measured from inside by a probe in a gateway of its own.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { converse, createMarks } from "../conversation.ts";
import { atMost, type Figure } from "../figure.ts";
import { processTree } from "../process-figures.ts";
import { withGateway, type TurnRunner } from "../workbench.ts";

interface Delay {
  readonly report: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const PARALLEL = 32;
const WARM_UP_TURNS = 64;
const ROUNDS = 3;
const ANSWER_MS = 5_000;

export async function measureLoopDelay(bench: TurnRunner): Promise<Figure[]> {
  const file = join(bench.root, "loop-delay");
  const probe = join(import.meta.dirname, "..", "loop-delay-probe.cjs");
  const env = { NODE_OPTIONS: `--require ${JSON.stringify(probe)}`, BENCH_LOOP_DELAY_FILE: file };
  const delays = await withGateway(
    bench,
    async ({ client, pid }) => {
      const marks = createMarks();
      const load = { parallel: PARALLEL, sessions: PARALLEL, name: "delay" };
      await converse(client, marks, { ...load, turns: WARM_UP_TURNS });
      const measured: Delay[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        await askProbes(pid, file);
        await converse(client, marks, { ...load, turns: Math.ceil(bench.amount.parallelTurns / ROUNDS) });
        measured.push(await askProbes(pid, file));
      }
      return measured;
    },
    { env },
  );
  const note = "the clock of the probe ticks each ms, so 1 ms is no delay";
  return [
    { metric: "event loop delay p50, 32 parallel", unit: "ms", samples: delays.map(({ p50 }) => p50) },
    {
      metric: "event loop delay p99, 32 parallel",
      unit: "ms",
      samples: delays.map(({ p99 }) => p99),
      limits: [atMost(30)],
      note,
    },
    { metric: "event loop delay max, 32 parallel", unit: "ms", samples: delays.map(({ max }) => max) },
  ];
}

/** A command may start others; the busiest of them is the gateway. Each answer starts its probe's count over. */
async function askProbes(pid: number, file: string): Promise<Delay> {
  const probed = processTree(pid).filter((one) => existsSync(`${file}.${one}`));
  const delays = await Promise.all(probed.map((one) => askProbe(one, `${file}.${one}`)));
  return delays.reduce((worst, delay) => (delay.p99 > worst.p99 ? delay : worst));
}

async function askProbe(pid: number, path: string): Promise<Delay> {
  const read = (): Delay => JSON.parse(readFileSync(path, "utf8")) as Delay;
  const { report } = read();
  process.kill(pid, "SIGUSR2");
  const until = performance.now() + ANSWER_MS;
  for (let delay = read(); ; delay = read()) {
    if (delay.report > report) return delay;
    if (performance.now() > until) throw new Error("the event loop probe did not answer");
    await sleep(5);
  }
}
