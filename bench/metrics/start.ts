// Time of a start until a client is greeted, beside the least that Node itself needs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { WebSocket } from "ws";
import { atMost, type Figure } from "../figure.ts";
import { findFreePort, retryUntilReady, stopProcess } from "../gateway-process.ts";
import { computingMs } from "../process-figures.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
}

export async function measureStart(bench: TurnRunner): Promise<Figure[]> {
  const state = await newState(bench);
  const startOnce = (): Promise<Start> =>
    withGateway(bench, async ({ readyMs, readyCpuMs }) => ({ ms: readyMs, cpuMs: readyCpuMs }), { state });
  const firstEver = await startOnce();
  await startBare(bench);
  const own: Start[] = [];
  const bare: Start[] = [];
  for (let round = 0; round < bench.amount.startRounds; round++) {
    bare.push(await startBare(bench));
    own.push(await startOnce());
  }
  const ratios = own.map(({ ms }, round) => ms / (bare[round]?.ms ?? Number.NaN));
  return [
    toFigure("first ever start", [firstEver]),
    toFigure("bare server start", bare),
    { ...toFigure("start to hello-ok", own), limits: [atMost(150)] },
    { metric: "start, times bare", unit: "×", samples: ratios, limits: [atMost(3)] },
  ];
}

function toFigure(metric: string, starts: readonly Start[]): Figure {
  const cpuMs = starts.reduce((sum, start) => sum + start.cpuMs, 0) / starts.length;
  return { metric, unit: "ms", samples: starts.map(({ ms }) => ms), cpuMs };
}

async function startBare(bench: TurnRunner): Promise<Start> {
  const port = await findFreePort();
  const began = performance.now();
  const script = join(import.meta.dirname, "..", "bare-server.mjs");
  const child = spawn(process.execPath, [script, String(port)], { stdio: "ignore" });
  const pid = child.pid;
  if (pid === undefined) throw new Error("the bare server could not be started");
  try {
    await retryUntilReady(child, port, began + bench.command.startTimeoutMs, () => exchangeFrame(port));
    return { ms: performance.now() - began, cpuMs: computingMs(pid) };
  } finally {
    await stopProcess(child, pid);
  }
}

async function exchangeFrame(port: number): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  try {
    await once(socket, "open");
    socket.send("hello");
    await once(socket, "message");
  } finally {
    socket.terminate();
  }
}
