// Cost of a turn in which the model calls one tool, beyond the model's own time for both of its answers.
import { createMarks, overheads, timeTurn, WITH_TOOL, type TimedTurn } from "../conversation.ts";
import { atMost, type Figure } from "../figure.ts";
import { waitUntilQuiet } from "../gateway-process.ts";
import { computingMs } from "../process-figures.ts";
import type { WireClient } from "../wire-client.ts";
import { withGateway, type TurnRunner } from "../workbench.ts";

const METRIC = "turn overhead with one tool call";
const SESSION = "agent:main:tools";
const WARM_UP_TURNS = 20;
/** A conversation that gets longer all the time would measure its length. */
const TURNS_PER_SESSION = 20;

export async function measureTools(bench: TurnRunner): Promise<Figure[]> {
  const { model, amount } = bench;
  return withGateway(bench, async ({ client, pid }) => {
    const marks = createMarks();
    const run = async (turns: number, name: string): Promise<TimedTurn[]> => {
      const timed: TimedTurn[] = [];
      for (let turn = 0; turn < turns; turn++) {
        const session = `${SESSION}-${name}-${Math.floor(turn / TURNS_PER_SESSION)}`;
        timed.push(await timeTurn(client, session, marks, WITH_TOOL));
      }
      return timed;
    };
    await run(WARM_UP_TURNS, "warm");
    const fault = await findToolFault(client, `${SESSION}-warm-0`);
    if (fault) return [{ metric: METRIC, unit: "ms", samples: [], limits: [atMost(8)], note: fault }];
    await waitUntilQuiet(pid, { atMostMs: 5_000 });
    await model.took();
    const before = computingMs(pid);
    const timed = await run(amount.toolTurns, "timed");
    const cpuMs = computingMs(pid) - before;
    return [{ metric: METRIC, unit: "ms", samples: await overheads(timed, model), cpuMs, limits: [atMost(8)] }];
  });
}

/** A turn whose tool was refused would be quick, and would say nothing. */
async function findToolFault(client: WireClient, sessionKey: string): Promise<string | undefined> {
  const { messages } = (await client.request("chat.history", { sessionKey, limit: 4 })) as {
    messages?: ReadonlyArray<{ role: string; isError?: boolean; content?: unknown }>;
  };
  const result = messages?.findLast(({ role }) => role === "toolResult");
  if (!result) return "no tool was run";
  return result.isError ? `the tool failed: ${JSON.stringify(result.content).slice(0, 160)}` : undefined;
}
