// Cost of safety: a command in a sandbox beside a plain one, and a start with a vault beside one without.
import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { atMost, type Figure } from "../figure.ts";
import type { State } from "../gateway-process.ts";
import { median } from "../statistics.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";

const PROGRAM = join(import.meta.dirname, "..", "sandbox-program.ts");
const CREDENTIALS = 20;
const run = promisify(execFile);

export async function measureSafety(bench: TurnRunner): Promise<Figure[]> {
  return [...(await measureSandbox(bench)), ...(await measureVault(bench))];
}

async function measureSandbox({ amount }: TurnRunner): Promise<Figure[]> {
  const argv = ["--conditions=chela-source", PROGRAM, String(amount.sandboxes)];
  const { stdout } = await run(process.execPath, argv);
  const { plain, bare, first, warm } = JSON.parse(stdout) as Record<"plain" | "bare" | "first" | "warm", number[]>;
  return [
    { metric: "`true` started plainly", unit: "ms", samples: plain },
    { metric: "`true` in bubblewrap by itself", unit: "ms", samples: bare },
    { metric: "`true` in a new sandbox", unit: "ms", samples: first, limits: [atMost(10)] },
    { metric: "the same, times bubblewrap by itself", unit: "×", samples: [median(first) / median(bare)] },
    { metric: "`true` in a standing sandbox", unit: "ms", samples: warm, limits: [atMost(2)] },
    { metric: "the same, times plainly", unit: "×", samples: [median(warm) / median(plain)] },
  ];
}

/** In turn, so that both meet the same moods of the machine. */
async function measureVault(bench: TurnRunner): Promise<Figure[]> {
  const [without, withVault] = [await newState(bench), await newState(bench)];
  fillVault(bench, withVault);
  const startOnce = (state: State) => withGateway(bench, async ({ readyMs }) => readyMs, { state });
  for (const state of [without, withVault]) await startOnce(state);
  const extra: number[] = [];
  for (let round = 0; round < bench.amount.startRounds; round++) {
    const plain = await startOnce(without);
    extra.push((await startOnce(withVault)) - plain);
  }
  return [
    {
      metric: `start with a vault of ${CREDENTIALS}, more than without`,
      unit: "ms",
      samples: extra,
      limits: [atMost(5)],
    },
  ];
}

/** The model's key comes out of it, so that it has to be opened. */
function fillVault({ command }: TurnRunner, { dir, env }: State): void {
  const [file, ...args] = command.argv;
  for (let index = 0; index < CREDENTIALS; index++) {
    const argv = [...args, "credential", "add", `bench/${index}`, "--origin", "any"];
    const { status, stderr } = spawnSync(file, argv, {
      env,
      input: `bench-key-${index}-0123456789\n`,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`a credential could not be added: ${stderr}`);
  }
  const path = join(dir, "openclaw.json");
  const config = JSON.parse(readFileSync(path, "utf8")) as {
    models: { providers: Record<string, { apiKey?: string }> };
  };
  for (const provider of Object.values(config.models.providers)) provider.apiKey = "vault:bench/0";
  writeFileSync(path, JSON.stringify(config, null, 2));
}
