// Says whether the allow-list covers a command, and writes the entry that covers exactly this one.
import type { AllowedPlan, AllowEntry } from "./approvals-schema.ts";
import { argumentsFit } from "./plan/argument-pattern.ts";
import type { DigestFile } from "./digest-files.ts";
import { calledName, type FoundProgram } from "./plan/find-program.ts";
import { showEverything } from "./plan/hidden-characters.ts";
import { isLoose, standingOf, type LastingPlace, type Standing } from "./plan/lasting.ts";
import type { Planning } from "./plan/make-plan.ts";
import { isInTrustedDirectory, patternMeans } from "./plan/path-pattern.ts";
import { isSafeBin } from "./plan/safe-bins.ts";
import { placeOf } from "./plan/script-argument.ts";
import { walkPath } from "./plan/walk-path.ts";

export interface MatchPlace extends LastingPlace {
  readonly digestFile: DigestFile;
}

export type Match =
  | { readonly kind: "match"; readonly entries: readonly AllowEntry[] }
  /** `why` is a whole sentence. */
  | { readonly kind: "miss"; readonly why: string };

type Planned = Extract<Planning, { kind: "planned" }>;

/** Before what is written for people to read: no path begins like this. */
const PLAN_MARK = "= ";

export async function matchAllowList(
  planned: Planned,
  entries: readonly AllowEntry[],
  place: MatchPlace,
): Promise<Match> {
  const standings = await Promise.all(planned.programs.map((program) => standingOf(program, place)));
  const known = standings.findIndex(({ kind }) => kind === "never");
  const never = standings[known];
  if (never?.kind === "never") return miss(planned.programs[known], `cannot be allowed for good: ${never.why}`);
  for (const entry of entries) {
    if (entry.plan && (await planFits(entry.plan, planned, place))) return { kind: "match", entries: [entry] };
  }
  const byPrograms: AllowEntry[] = [];
  for (const [at, program] of planned.programs.entries()) {
    const match = await matchProgram(program, standings[at] ?? { kind: "unknown" }, planned, entries, place);
    if (match.kind === "miss") return match;
    byPrograms.push(...match.entries);
  }
  return { kind: "match", entries: byPrograms };
}

/** Entries for single programs: by path for the plain ones, in any company; with arguments for a program that stands alone. */
async function matchProgram(
  program: FoundProgram,
  standing: Standing,
  planned: Planned,
  entries: readonly AllowEntry[],
  place: MatchPlace,
): Promise<Match> {
  if (isSafeBin(program, place.cwd, place.safeBins, place)) return { kind: "match", entries: [] };
  const named = entries.filter((entry) => patternMeansEntry(entry, program, place));
  for (const entry of named) {
    if (isPathOnly(entry) || !(await entryFits(entry, program, place))) continue;
    if (standing.kind === "plain") return { kind: "match", entries: [entry] };
    if (planned.programs.length > 1) return miss(program, "is allowed with these arguments only when it stands alone");
    const loose = standing.kind === "unknown" && entry.files === undefined && (await findLooseFile(program, place));
    if (loose) return miss(program, `is given ${showEverything(loose)}, which agents can write`);
    return { kind: "match", entries: [entry] };
  }
  const byPath = named.find(isPathOnly);
  if (!byPath)
    return miss(program, named.length > 0 ? "is allowed with other arguments only" : "is not on the allow-list");
  if (standing.kind !== "plain")
    return miss(
      program,
      "can only be allowed with exact arguments: it is none of the few that any arguments are fine for",
    );
  return (await entryFits(byPath, program, place))
    ? { kind: "match", entries: [byPath] }
    : miss(program, "has changed since it was allowed");
}

/** An argument that names a file in which an agent could say what the program does. */
async function findLooseFile(program: FoundProgram, place: MatchPlace): Promise<string | undefined> {
  const files = Object.keys(await digestArguments(program, place.cwd, place.digestFile));
  return files.find((name) => {
    const walked = walkPath(name, place.cwd);
    return walked.kind === "anywhere" || isLoose(walked.path, place);
  });
}

function miss(program: FoundProgram | undefined, why: string): Match {
  if (!program) return { kind: "miss", why: `A program ${why}.` };
  return { kind: "miss", why: `${showEverything(calledName(program))} (${showEverything(program.file)}) ${why}.` };
}

/** The whole plan, and where it depends on it the directory and the files: nothing more. */
export async function writeEntry(planned: Planned, at: number, place: MatchPlace): Promise<AllowEntry | undefined> {
  const { how, command, cwd } = planned.plan;
  if (how.kind !== "direct") return undefined;
  const standings = await Promise.all(planned.programs.map((program) => standingOf(program, place)));
  const isPlain = standings.every(({ kind }) => kind === "plain");
  const files = standings.some(({ kind }) => kind === "unknown") ? await filesOf(planned, place) : {};
  let index = 0;
  const steps: AllowedPlan["steps"] = [];
  for (const { when, pipeline } of how.steps) {
    const programs = [];
    for (const { file, argv } of pipeline) {
      const found = planned.programs[index++];
      const isTrusted = found !== undefined && isInTrustedDirectory(found, place);
      const digest = isTrusted ? undefined : await place.digestFile(file);
      programs.push({ file, argv: [...argv], ...(digest ? { sha256: digest.sha256 } : {}) });
    }
    steps.push({ when, pipeline: programs });
  }
  return {
    pattern: `${PLAN_MARK}${showEverything(command)}`.slice(0, 4096),
    plan: { ...(isPlain ? {} : { cwd }), steps, ...(Object.keys(files).length > 0 ? { files } : {}) },
    lastUsedAt: at,
    lastUsedCommand: command,
    lastResolvedPath: planned.programs[0]?.file ?? "",
  };
}

async function planFits(plan: AllowedPlan, planned: Planned, place: MatchPlace): Promise<boolean> {
  const { how, cwd } = planned.plan;
  if (how.kind !== "direct" || how.steps.length !== plan.steps.length) return false;
  if (plan.cwd !== undefined && plan.cwd !== cwd) return false;
  for (const [at, step] of how.steps.entries()) {
    const allowed = plan.steps[at];
    if (allowed?.when !== step.when || allowed.pipeline.length !== step.pipeline.length) return false;
    for (const [inPipe, { file, argv }] of step.pipeline.entries()) {
      const program = allowed.pipeline[inPipe];
      if (program?.file !== file || !isSameList(program.argv, argv)) return false;
      if (program.sha256 !== undefined && (await place.digestFile(file))?.sha256 !== program.sha256) return false;
    }
  }
  const standings = await Promise.all(planned.programs.map((program) => standingOf(program, place)));
  // Every program that is no longer plain since then needs what it was allowed with.
  if (plan.cwd === undefined && standings.some(({ kind }) => kind !== "plain")) return false;
  if (!standings.some(({ kind }) => kind === "unknown")) return true;
  return isSameRecord(plan.files ?? {}, await filesOf(planned, place));
}

/** Every argument of the plan that names a file, with what is in it. */
async function filesOf(planned: Planned, place: MatchPlace): Promise<Record<string, string>> {
  const all = await Promise.all(
    planned.programs.map((program) => digestArguments(program, planned.plan.cwd, place.digestFile)),
  );
  return Object.fromEntries(all.flatMap((files) => Object.entries(files)));
}

/** Every argument that names a file, with what is in it. */
export async function digestArguments(
  program: FoundProgram | { readonly argv: readonly string[] },
  cwd: string,
  digestFile: DigestFile,
): Promise<Record<string, string>> {
  const digests = new Map<string, string>();
  for (const word of program.argv.slice(1)) {
    // `--config=file` and `-ffile` name one, too.
    const names = [word, word.slice(word.indexOf("=") + 1), word.replace(/^-[A-Za-z]/, ""), word.replace(/^@/, "")];
    for (const name of new Set(names)) {
      const digest = name === "" ? undefined : await digestFile(placeOf(name, cwd));
      if (digest) digests.set(name, digest.sha256);
    }
  }
  // A file may be called "__proto__", too.
  return Object.fromEntries(digests);
}

function isPathOnly(entry: AllowEntry): boolean {
  return entry.argv === undefined && entry.argPattern === undefined && entry.plan === undefined;
}

function patternMeansEntry(entry: AllowEntry, program: FoundProgram, place: MatchPlace): boolean {
  if (entry.plan !== undefined) return false;
  if (entry.name === undefined) return patternMeans(entry.pattern, program, place);
  return entry.name === calledName(program) && entry.pattern === program.file;
}

async function entryFits(entry: AllowEntry, program: FoundProgram, place: MatchPlace): Promise<boolean> {
  const args = program.argv.slice(1);
  if (entry.argv !== undefined && !isSameList(entry.argv, args)) return false;
  if (entry.argPattern !== undefined && !argumentsFit(entry.argPattern, args)) return false;
  if (entry.cwd !== undefined && entry.cwd !== place.cwd) return false;
  if (entry.sha256 !== undefined && (await place.digestFile(program.file))?.sha256 !== entry.sha256) return false;
  if (entry.files === undefined) return true;
  return isSameRecord(entry.files, await digestArguments(program, place.cwd, place.digestFile));
}

function isSameRecord(left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((name) => left[name] === right[name]);
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, index) => word === right[index]);
}
