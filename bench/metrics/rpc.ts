// Small requests that one connection can have answered in a second.
import { converse, createMarks } from "../conversation.ts";
import { atLeast, type Figure } from "../figure.ts";
import { waitUntilQuiet, type Gateway } from "../gateway-process.ts";
import { computingMs } from "../process-figures.ts";
import { withGateway, type TurnRunner } from "../workbench.ts";

const DEPTH = 256;
const SESSIONS = 50;
const TURNS_PER_SESSION = 4;
/** These read the ledger and answer with much more than `health` does. */
const HEAVIER = 10;

export async function measureRpc(bench: TurnRunner): Promise<Figure[]> {
  const { pipelined } = bench.amount;
  return withGateway(bench, async (gateway) => {
    const turns = SESSIONS * TURNS_PER_SESSION;
    await converse(gateway.client, createMarks(), { parallel: 8, sessions: SESSIONS, turns, name: "rpc" });
    await waitUntilQuiet(gateway.pid, { atMostMs: 5_000 });
    const heavy = Math.ceil(pipelined / HEAVIER);
    const key = "agent:main:rpc-0";
    return [
      { ...(await measureRate(bench, gateway, "health", {}, pipelined)), limits: [atLeast(20_000)] },
      await measureRate(bench, gateway, "sessions.list", { limit: 50 }, heavy),
      await measureRate(bench, gateway, "chat.history", { sessionKey: key }, heavy),
    ];
  });
}

async function measureRate(
  bench: TurnRunner,
  { client, pid }: Gateway,
  method: string,
  params: object,
  count: number,
): Promise<Figure> {
  await client.pipeline(method, params, { count: Math.ceil(count / 5), depth: DEPTH });
  const before = computingMs(pid);
  const samples: number[] = [];
  for (let round = 0; round < bench.amount.rpcRounds; round++) {
    const ms = await client.pipeline(method, params, { count, depth: DEPTH });
    samples.push(count / (ms / 1000));
  }
  return { metric: `${method}, ${DEPTH} pipelined`, unit: "/s", samples, cpuMs: computingMs(pid) - before };
}
