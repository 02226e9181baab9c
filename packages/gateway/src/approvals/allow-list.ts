// Says whether the allow-list covers a program with its arguments, and writes the entry that covers exactly this use.
import { basename, resolve } from "node:path";
import type { AllowEntry } from "./approvals-schema.ts";
import { argumentsFit } from "./argument-pattern.ts";
import type { DigestFile } from "./digest-files.ts";
import { calledName, type FoundProgram } from "./find-program.ts";
import { isInTrustedDirectory, isPlainPattern, patternMeans, type PatternPlace } from "./path-pattern.ts";
import { findRunsOthers } from "./programs-that-run-others.ts";

export interface MatchPlace extends PatternPlace {
  readonly cwd: string;
  readonly digestFile: DigestFile;
}

export type Match =
  | { readonly kind: "match"; readonly entry: AllowEntry }
  /** `why` completes "<program> …". */
  | { readonly kind: "miss"; readonly why: string };

export async function matchAllowList(
  program: FoundProgram,
  entries: readonly AllowEntry[],
  place: MatchPlace,
): Promise<Match> {
  const named = entries.filter((entry) => patternMeansEntry(entry, program, place));
  for (const entry of named) {
    if (!isPathOnly(entry) && (await entryFits(entry, program, place))) return { kind: "match", entry };
  }
  const byPath = named.find(isPathOnly);
  if (!byPath)
    return {
      kind: "miss",
      why: named.length > 0 ? "is allowed with other arguments only" : "is not on the allow-list",
    };
  const runsOthers = findRunsOthers(program);
  if (runsOthers) return { kind: "miss", why: `${runsOthers.reason}, so it can only be allowed with exact arguments` };
  return (await entryFits(byPath, program, place))
    ? { kind: "match", entry: byPath }
    : { kind: "miss", why: "has changed since it was allowed" };
}

/** The program, these arguments, and where they depend on it the directory and the files: nothing more. */
export async function writeEntry(
  program: FoundProgram,
  command: string,
  at: number,
  place: MatchPlace,
): Promise<AllowEntry | undefined> {
  if (!isPlainPattern(program.file)) return undefined;
  const name = calledName(program);
  const runsOthers = findRunsOthers(program);
  const files = runsOthers?.runsFiles ? await digestArguments(program, place.cwd, place.digestFile) : {};
  const digest = isInTrustedDirectory(program, place) ? undefined : await place.digestFile(program.file);
  return {
    pattern: program.file,
    argv: program.argv.slice(1),
    ...(name === basename(program.file) ? {} : { name }),
    ...(runsOthers ? { cwd: place.cwd } : {}),
    ...(digest ? { sha256: digest.sha256 } : {}),
    ...(Object.keys(files).length > 0 ? { files } : {}),
    lastUsedAt: at,
    lastUsedCommand: command,
    lastResolvedPath: program.file,
  };
}

/** Every argument that names a file, with what is in it. */
export async function digestArguments(
  program: FoundProgram | { readonly argv: readonly string[] },
  cwd: string,
  digestFile: DigestFile,
): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const word of program.argv.slice(1)) {
    const digest = word === "" ? undefined : await digestFile(resolve(cwd, word));
    if (digest) digests[word] = digest.sha256;
  }
  return digests;
}

function isPathOnly(entry: AllowEntry): boolean {
  return entry.argv === undefined && entry.argPattern === undefined;
}

function patternMeansEntry(entry: AllowEntry, program: FoundProgram, place: MatchPlace): boolean {
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
  const now = await digestArguments(program, place.cwd, place.digestFile);
  const words = new Set([...Object.keys(entry.files), ...Object.keys(now)]);
  return [...words].every((word) => entry.files?.[word] === now[word]);
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, index) => word === right[index]);
}
