// Time until a webhook is answered, which is when it is on the disk; beside what one write costs this disk at the same time.
import { once } from "node:events";
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { Agent, request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atMost, type Figure } from "../figure.ts";
import { addSettings, waitUntilQuiet } from "../gateway-process.ts";
import { computingMs } from "../process-figures.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";

const TOKEN = "bench-hook-token-0123456789";
const WARM_UP = 200;
const PARALLEL = 8;
/** What a webhook caused is over by then. */
const PAUSE_MS = 25;
const BLOCK = Buffer.alloc(4096, "x");

interface Kind {
  readonly name: string;
  readonly path: string;
  readonly body: object;
}

/** Told to the agent at the next occasion, or answered by it at once. */
const EVENT = { name: "event", path: "wake", body: { text: "The printer is out of paper.", mode: "next-heartbeat" } };
const TURN = { name: "turn", path: "agent", body: { message: "What does this alarm mean?", deliver: false } };

export async function measureWebhooks(bench: TurnRunner): Promise<Figure[]> {
  const { webhooks: count } = bench.amount;
  const state = await newState(bench);
  addSettings(state, { hooks: { enabled: true, token: TOKEN } });
  const figures: Figure[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
  const work = async (pid: number): Promise<Figure[]> => {
    for (const kind of [EVENT, TURN]) {
      const send = (): Promise<number> => timePost(state.port, agent, kind);
      const measured = async (metric: string, run: () => Promise<number[]>): Promise<Figure> => {
        await waitUntilQuiet(pid, { atMostMs: 20_000 });
        const before = computingMs(pid);
        const samples = await run();
        return { metric: `webhook accepted, ${metric}`, unit: "ms", samples, cpuMs: computingMs(pid) - before };
      };
      await repeat(send, { count: WARM_UP, parallel: 1 });
      const flushes: number[] = [];
      const alone = await measured(kind.name, () => sendApart(send, count, () => flushes.push(timeFlush(bench))));
      const beyond = alone.samples.map((ms, index) => ms - (flushes[index] ?? Number.NaN));
      figures.push(
        { ...alone, limits: [atMost(3)] },
        { metric: "one write to this disk, meanwhile", unit: "ms", samples: flushes },
        { metric: `webhook accepted, ${kind.name}, beyond one write`, unit: "ms", samples: beyond },
        await measured(`${kind.name}s without pause`, () => repeat(send, { count, parallel: 1 })),
        await measured(`${PARALLEL} ${kind.name}s at once`, () => repeat(send, { count, parallel: PARALLEL })),
      );
    }
    return figures;
  };
  try {
    return await withGateway(bench, ({ pid, client }) => (client.close(), work(pid)), { state });
  } finally {
    agent.destroy();
  }
}

async function sendApart(send: () => Promise<number>, count: number, between: () => void): Promise<number[]> {
  const samples: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    samples.push(await send());
    await sleep(PAUSE_MS);
    between();
  }
  return samples;
}

async function repeat(
  send: () => Promise<number>,
  { count, parallel }: { readonly count: number; readonly parallel: number },
): Promise<number[]> {
  const samples: number[] = [];
  let started = 0;
  const work = async (): Promise<void> => {
    while (started++ < count) samples.push(await send());
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return samples;
}

async function timePost(port: number, agent: Agent, { path, body }: Kind): Promise<number> {
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  };
  const began = performance.now();
  const outgoing = request({ port, path: `/hooks/${path}`, method: "POST", headers, agent });
  outgoing.end(text);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const answer = await readText(incoming);
  const ms = performance.now() - began;
  if (!answer.includes('"ok":true') || !answer.includes('"runId"') || answer.includes('"duplicate"')) {
    throw new Error(`a webhook was answered with ${incoming.statusCode}: ${answer}`);
  }
  return ms;
}

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of incoming.setEncoding("utf8") as AsyncIterable<string>) text += part;
  return text;
}

/** The least that any durable answer takes. */
function timeFlush({ root }: TurnRunner): number {
  const file = openSync(join(root, "flushed"), "a");
  const began = performance.now();
  writeSync(file, BLOCK);
  fdatasyncSync(file);
  const ms = performance.now() - began;
  closeSync(file);
  return ms;
}
