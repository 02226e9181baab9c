// Says whether the rules alone let a plan run: every program must be covered, and nothing may shake that trust.
import type { AllowEntry } from "./approvals-schema.ts";
import { matchAllowList, type MatchPlace } from "./allow-list.ts";
import { calledName, type FoundProgram } from "./find-program.ts";
import { showEverything } from "./hidden-characters.ts";
import type { Planning } from "./make-plan.ts";
import { findOwnFileArgument } from "./own-files.ts";
import { findOddVariable } from "./plain-environment.ts";
import { isSafeBin, type SafeBinSettings } from "./safe-bins.ts";

export type Verdict =
  | { readonly kind: "covered"; readonly by: readonly AllowEntry[] }
  /** A whole sentence. */
  | { readonly kind: "open"; readonly why: string };

export interface JudgePlace extends MatchPlace {
  readonly entries: readonly AllowEntry[];
  readonly safeBins: SafeBinSettings;
  /** What every command gets from the operator. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stateDirectory: string;
}

export async function judgePlan(planning: Extract<Planning, { kind: "planned" }>, place: JudgePlace): Promise<Verdict> {
  if (planning.unclear !== undefined) return { kind: "open", why: `The command ${planning.unclear}.` };
  const odd = findOddVariable(planning.plan.env, place.environment);
  if (odd !== undefined) {
    return {
      kind: "open",
      why: `The variable ${showEverything(odd)} is set for this command and could change what it does.`,
    };
  }
  const by: AllowEntry[] = [];
  for (const program of planning.programs) {
    const judged = await judgeProgram(program, place);
    if (judged.kind === "open") return judged;
    by.push(...judged.by);
  }
  return { kind: "covered", by };
}

async function judgeProgram(program: FoundProgram, place: JudgePlace): Promise<Verdict> {
  const name = showEverything(calledName(program));
  if (program.doubt !== undefined) return { kind: "open", why: `The program ${showEverything(program.doubt)}.` };
  const ownFile = findOwnFileArgument(program, place.cwd, place.stateDirectory);
  if (ownFile !== undefined) {
    return { kind: "open", why: `The argument ${showEverything(ownFile)} leads to files of the gateway itself.` };
  }
  if (isSafeBin(program, place.cwd, place.safeBins, place)) return { kind: "covered", by: [] };
  const match = await matchAllowList(program, place.entries, place);
  return match.kind === "match"
    ? { kind: "covered", by: [match.entry] }
    : { kind: "open", why: `${name} (${showEverything(program.file)}) ${match.why}.` };
}
