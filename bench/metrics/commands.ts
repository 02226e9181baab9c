// Time that commands take from a shell, beside a gateway that runs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { atMost, type Figure, type Limit } from "../figure.ts";
import type { State } from "../gateway-process.ts";
import { withGateway, type TurnRunner } from "../workbench.ts";

interface Line {
  readonly argv: readonly string[];
  readonly limits?: readonly Limit[];
}

const LINES: readonly Line[] = [
  { argv: ["config", "get", "gateway.port"], limits: [atMost(90)] },
  { argv: ["health"], limits: [atMost(150)] },
  { argv: ["status"] },
  { argv: ["agent", "--message", "hi"] },
];

type Outcome = { readonly kind: "done"; readonly ms: number } | { readonly kind: "failed"; readonly why: string };

export async function measureCommands(bench: TurnRunner): Promise<Figure[]> {
  return withGateway(bench, async (_gateway, state) => {
    const figures: Figure[] = [];
    for (const line of LINES) figures.push(await measureLine(bench, state, line));
    return figures;
  });
}

async function measureLine(bench: TurnRunner, state: State, line: Line): Promise<Figure> {
  const metric = `command: ${line.argv.join(" ")}`;
  const limits = line.limits ? { limits: line.limits } : {};
  const samples: number[] = [];
  // The first run fills the code cache.
  for (let round = 0; round <= bench.amount.commandRounds; round++) {
    const outcome = await runCommand(bench, state, line.argv);
    if (outcome.kind === "failed") return { metric, unit: "ms", samples: [], ...limits, note: outcome.why };
    if (round > 0) samples.push(outcome.ms);
  }
  return { metric, unit: "ms", samples, ...limits };
}

/** A command that says nothing has not done what it was asked for. */
async function runCommand({ command }: TurnRunner, { env }: State, argv: readonly string[]): Promise<Outcome> {
  const [program, ...first] = command.argv;
  const began = performance.now();
  const child = spawn(program, [...first, ...argv], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: command.startTimeoutMs,
  });
  let said = "";
  let complained = "";
  child.stdout.on("data", (text: Buffer) => (said += text.toString()));
  child.stderr.on("data", (text: Buffer) => (complained += text.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  const ms = performance.now() - began;
  if (code === 0 && said.trim()) return { kind: "done", ms };
  const words = (complained || said).trim().split("\n").at(-1) ?? "";
  return {
    kind: "failed",
    why: code === 0 ? "it printed nothing" : `exit ${code ?? "by signal"}: ${words.slice(0, 160)}`,
  };
}
