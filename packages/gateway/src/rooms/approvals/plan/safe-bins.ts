// Filters that are safe without asking: they read their input only, and every argument is known to be harmless.
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { calledName, type FoundProgram } from "./find-program.ts";
import { isPlainJqFilter } from "./jq-filter.ts";
import { isInTrustedDirectory, type PatternPlace } from "./path-pattern.ts";
import { findRunsOthers } from "./programs-that-run-others.ts";

/** As configured: only the options named here are allowed, each with a value. */
interface SafeBinProfile {
  readonly minPositional?: number | undefined;
  readonly maxPositional?: number | undefined;
  readonly allowedValueFlags?: readonly string[] | undefined;
  readonly deniedFlags?: readonly string[] | undefined;
}

export interface SafeBinSettings {
  /** undefined means the built-in list; an empty list means none. */
  readonly safeBins?: readonly string[] | undefined;
  readonly safeBinTrustedDirs?: readonly string[] | undefined;
  readonly safeBinProfiles?: Readonly<Record<string, SafeBinProfile>> | undefined;
}

interface Profile {
  /** Options without a value: letters that may stand together, and exact long ones. */
  readonly switches: readonly string[];
  /** Options with a value. */
  readonly values: readonly string[];
  readonly positional: readonly [min: number, max: number];
  accepts(operand: string): boolean;
  /** `-5` as in `head -5`. */
  readonly takesCount?: true;
}

const never = (): boolean => false;
const always = (): boolean => true;

const BUILT_IN: Readonly<Record<string, Profile>> = {
  cut: {
    switches: ["-s", "-z", "-n", "--complement", "--only-delimited", "--zero-terminated"],
    values: ["-b", "-c", "-d", "-f", "--bytes", "--characters", "--delimiter", "--fields", "--output-delimiter"],
    positional: [0, 0],
    accepts: never,
  },
  head: {
    switches: ["-q", "-v", "-z", "--quiet", "--silent", "--verbose", "--zero-terminated"],
    values: ["-n", "-c", "--lines", "--bytes"],
    positional: [0, 0],
    accepts: never,
    takesCount: true,
  },
  jq: {
    switches: [
      "-c",
      "-r",
      "-j",
      "-a",
      "-s",
      "-S",
      "-e",
      "-M",
      "-C",
      "-n",
      "--compact-output",
      "--raw-output",
      "--join-output",
    ]
      .concat([
        "--ascii-output",
        "--slurp",
        "--sort-keys",
        "--exit-status",
        "--monochrome-output",
        "--color-output",
        "--tab",
      ])
      .concat(["--null-input"]),
    values: ["--indent"],
    positional: [1, 1],
    accepts: isPlainJqFilter,
  },
  tail: {
    switches: ["-q", "-v", "-z", "--quiet", "--silent", "--verbose", "--zero-terminated"],
    values: ["-n", "-c", "--lines", "--bytes"],
    positional: [0, 0],
    accepts: never,
    takesCount: true,
  },
  tr: {
    switches: ["-c", "-C", "-d", "-s", "-t", "--complement", "--delete", "--squeeze-repeats", "--truncate-set1"],
    values: [],
    positional: [1, 2],
    accepts: always,
  },
  uniq: {
    switches: [
      "-c",
      "-d",
      "-D",
      "-i",
      "-u",
      "-z",
      "--count",
      "--repeated",
      "--ignore-case",
      "--unique",
      "--zero-terminated",
    ],
    values: ["-f", "-s", "-w", "--skip-fields", "--skip-chars", "--check-chars"],
    positional: [0, 0],
    accepts: never,
  },
  wc: {
    switches: ["-c", "-l", "-L", "-m", "-w", "--bytes", "--chars", "--lines", "--max-line-length", "--words"],
    values: [],
    positional: [0, 0],
    accepts: never,
  },
};

export function isSafeBin(program: FoundProgram, cwd: string, settings: SafeBinSettings, place: PatternPlace): boolean {
  const name = calledName(program);
  const isListed = (settings.safeBins ?? Object.keys(BUILT_IN)).includes(name);
  if (!isListed || basename(program.file) !== name || findRunsOthers(program)) return false;
  if (!isInTrustedDirectory(program, place)) return false;
  const profile = profileFor(name, settings, cwd);
  return profile !== undefined && argumentsFit(program.argv.slice(1), profile);
}

function profileFor(name: string, settings: SafeBinSettings, cwd: string): Profile | undefined {
  if (Object.hasOwn(BUILT_IN, name)) return BUILT_IN[name];
  const profiles = settings.safeBinProfiles ?? {};
  const written = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!written) return undefined;
  const denied = written.deniedFlags ?? [];
  return {
    switches: [],
    values: (written.allowedValueFlags ?? []).filter((flag) => !denied.includes(flag)),
    positional: [written.minPositional ?? 0, written.maxPositional ?? 0],
    accepts: (operand) => !looksLikeFile(operand, cwd),
  };
}

function looksLikeFile(operand: string, cwd: string): boolean {
  return operand.includes("/") || /^[.~@]/.test(operand) || existsSync(resolve(cwd, operand));
}

function argumentsFit(args: readonly string[], profile: Profile): boolean {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (!word.startsWith("-")) {
      operands.push(word);
      continue;
    }
    const option = readOption(word, profile);
    if (option === "unknown") return false;
    if (option === "wants-value" && (at += 1) >= args.length) return false;
  }
  const [min, max] = profile.positional;
  return operands.length >= min && operands.length <= max && operands.every((operand) => profile.accepts(operand));
}

/** Exact options only: GNU programs also take any beginning of a long one, which is how the wrong ones slip in. */
function readOption(word: string, profile: Profile): "fits" | "wants-value" | "unknown" {
  if (profile.switches.includes(word)) return "fits";
  if (profile.values.includes(word)) return "wants-value";
  if (profile.takesCount && /^-\d+$/.test(word)) return "fits";
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    return equals > 0 && profile.values.includes(word.slice(0, equals)) ? "fits" : "unknown";
  }
  // `-d,` and `-f1`, or letters that stand together as in `-cd`.
  if (word.length > 2 && profile.values.includes(word.slice(0, 2))) return "fits";
  const letters = word.slice(1).split("");
  return letters.length > 0 && letters.every((letter) => profile.switches.includes(`-${letter}`)) ? "fits" : "unknown";
}
