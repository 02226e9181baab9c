// Says whether the rules alone let a plan run: every program must be covered, and nothing may shake that trust.
import type { AllowEntry } from "../approvals-schema.ts";
import { matchAllowList, type MatchPlace } from "../allow-list.ts";
import type { FoundProgram } from "./find-program.ts";
import { showEverything } from "./hidden-characters.ts";
import type { Planning } from "./make-plan.ts";
import { findOwnFileArgument } from "../own-files.ts";
import { findOddVariable } from "./plain-environment.ts";
import { isSafeBin } from "./safe-bins.ts";

export type Verdict =
  | { readonly kind: "covered"; readonly by: readonly AllowEntry[] }
  /** A whole sentence. */
  | { readonly kind: "open"; readonly why: string };

export interface JudgePlace extends MatchPlace {
  readonly entries: readonly AllowEntry[];
  /** What every command gets from the operator. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stateDirectory: string;
  /** Files of the gateway that lie elsewhere. */
  readonly ownFiles: readonly string[];
}

type Planned = Extract<Planning, { kind: "planned" }>;

export async function judgePlan(planned: Planned, place: JudgePlace): Promise<Verdict> {
  const why = planned.unclear === undefined ? findObstacle(planned, place) : `The command ${planned.unclear}.`;
  if (why !== undefined) return { kind: "open", why };
  if (planned.programs.every((program) => isSafeBin(program, place.cwd, place.safeBins, place)))
    return { kind: "covered", by: [] };
  const match = await matchAllowList(planned, place.entries, place);
  return match.kind === "match" ? { kind: "covered", by: match.entries } : { kind: "open", why: match.why };
}

/** What no entry of any list can make good. A whole sentence. */
function findObstacle({ plan, programs }: Planned, place: JudgePlace): string | undefined {
  const odd = findOddVariable(plan.env, place.environment);
  if (odd !== undefined)
    return `The variable ${showEverything(odd)} is set for this command and could change what it does.`;
  for (const program of programs) {
    if (program.doubt !== undefined) return `The program ${showEverything(program.doubt)}.`;
    const ownFile = sayOwnFile(program, place);
    if (ownFile !== undefined) return ownFile;
  }
  return undefined;
}

/** A whole sentence, where an argument leads to files of the gateway. */
export function sayOwnFile(program: FoundProgram, place: JudgePlace): string | undefined {
  const ownFile = findOwnFileArgument(program, place);
  if (ownFile === undefined) return undefined;
  return `The argument ${showEverything(ownFile)} leads to files of the gateway itself, or to where they cannot be told from others.`;
}
