// Cost of the audit trail per tool call: the events of the call and of the model that made it, and their place in the chain.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { atMost, type Figure } from "../figure.ts";
import type { TurnRunner } from "../workbench.ts";

const PROGRAM = join(import.meta.dirname, "..", "audit-program.ts");
const run = promisify(execFile);

export async function measureAudit({ amount }: TurnRunner): Promise<Figure[]> {
  const argv = ["--conditions=chela-source", PROGRAM, String(amount.auditRounds)];
  const { stdout } = await run(process.execPath, argv);
  const { usual, long } = JSON.parse(stdout) as { usual: number[]; long: number[] };
  return [
    { metric: "audit cost per tool call", unit: "ms", samples: usual, limits: [atMost(0.3)] },
    { metric: "the same, 2,000 messages in the prompt", unit: "ms", samples: long },
  ];
}
