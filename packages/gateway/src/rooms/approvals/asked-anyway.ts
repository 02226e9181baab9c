// Explains why an entry of the allow-list lets nothing run without a question. Pure.
import { basename } from "node:path";
import { hasExactUses, isExactUse } from "./plan/exact-uses.ts";
import { isPlainName } from "./plan/plain-programs.ts";
import { findRunsOthers } from "./plan/programs-that-run-others.ts";

interface Entry {
  readonly pattern?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly argPattern?: unknown;
  readonly plan?: unknown;
}

/** Undefined when it can let a command run. */
export function whyAskedAnyway({ pattern = "", argv, argPattern, plan }: Entry): string | undefined {
  if (plan !== undefined || /[*?]/.test(pattern)) return undefined;
  const program = { file: pattern, foundAt: pattern, argv: [pattern, ...(argv ?? [])] };
  const runsOthers = findRunsOthers(program);
  const mayFit = argv === undefined ? hasExactUses(basename(pattern)) : isExactUse(program);
  if (runsOthers && !mayFit) return `it is asked about each time, because it ${runsOthers.reason}.`;
  if (argv !== undefined || argPattern !== undefined || isPlainName(basename(pattern))) return undefined;
  return "it is asked about each time: only a few programs that run nothing and write nothing may be allowed with any arguments. Answer a question with always to allow one exact command.";
}
