// Time to list sessions as there are more of them, starting from the session file an earlier gateway left.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atMost, type Figure } from "../figure.ts";
import { waitUntilQuiet, type State } from "../gateway-process.ts";
import { computingMs, residentMib } from "../process-figures.ts";
import type { WireClient } from "../wire-client.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";

const CALLS = 60;
const IMPORT_MS = 120_000;
const NEWEST = Date.UTC(2026, 0, 1);
const TARGET_COUNT = 50_000;

export async function measureSessions(bench: TurnRunner): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of bench.amount.sessionCounts) figures.push(...(await measureCount(bench, count)));
  return figures;
}

async function measureCount(bench: TurnRunner, count: number): Promise<Figure[]> {
  const state = await newState(bench);
  writeSessions(state, count);
  const began = performance.now();
  return withGateway(
    bench,
    async ({ client, pid, readyMs }) => {
      const listed = await waitForSessions(client, count);
      const importedMs = performance.now() - began;
      const metric = `sessions.list {limit:50} of ${count}`;
      if (listed !== count) return [{ metric, unit: "ms", samples: [], note: `only ${listed} sessions are listed` }];
      bench.say(`  ${count} sessions were there after ${importedMs.toFixed(0)} ms`);
      await waitUntilQuiet(pid, { atMostMs: 30_000 });
      const before = computingMs(pid);
      const samples = await timeCalls(client, () => ({ limit: 50 }));
      const cpuMs = computingMs(pid) - before;
      const window = (call: number) => ({ limit: 100, offset: Math.floor((call * count) / CALLS) });
      const windows = await timeCalls(client, window);
      return [
        { metric, unit: "ms", samples, cpuMs, ...(count === TARGET_COUNT ? { limits: [atMost(5)] } : {}) },
        {
          metric: `sessions.list, any 100 of ${count}`,
          unit: "ms",
          samples: windows,
          ...(count === TARGET_COUNT ? { limits: [atMost(5)] } : {}),
        },
        { metric: `import of ${count} sessions`, unit: "ms", samples: [importedMs] },
        { metric: `first start to hello-ok with ${count}`, unit: "ms", samples: [readyMs] },
        { metric: `RSS with ${count} sessions`, unit: "MiB", samples: [residentMib(pid)] },
      ];
    },
    { state },
  );
}

function writeSessions({ dir }: State, count: number): void {
  const directory = join(dir, "agents", "main", "sessions");
  mkdirSync(directory, { recursive: true });
  const entries = Array.from({ length: count }, (_, at) => [
    `agent:main:bench-${at}`,
    { sessionId: crypto.randomUUID(), updatedAt: NEWEST - at * 1000 },
  ]);
  writeFileSync(join(directory, "sessions.json"), JSON.stringify(Object.fromEntries(entries)));
}

/** Asks until all are there, or time is over; returns how many there were. */
async function waitForSessions(client: WireClient, count: number): Promise<number> {
  const until = performance.now() + IMPORT_MS;
  for (;;) {
    const { count: listed } = await client.request("sessions.list", { limit: count + 1 });
    if (listed === count || performance.now() > until) return Number(listed);
    await sleep(100);
  }
}

async function timeCalls(client: WireClient, params: (call: number) => object): Promise<number[]> {
  const samples: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const began = performance.now();
    await client.request("sessions.list", params(call));
    samples.push(performance.now() - began);
  }
  // The first calls find code that was not compiled yet.
  return samples.slice(CALLS / 6);
}
