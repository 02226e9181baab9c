// Seals for approved commands: one stands for every thing that was decided upon and is good for one run, of which
// every step is compared with it before it starts.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { realpath, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Clock, ExecPlan, ExecProgram, ExecRequest, ExecStep, Ids, PreparedStep } from "@chela/sdk";
import { digestArguments } from "./allow-list.ts";
import { digestIn, type DigestFile, type DigestMemory } from "./digest-files.ts";
import { showEverything } from "./plan/hidden-characters.ts";
import { isLoose, type LoosePlace } from "./plan/lasting.ts";
import { findRunsOthers } from "./plan/programs-that-run-others.ts";
import { isExactUse } from "./plan/exact-uses.ts";
import { isPlainName, onlyReads } from "./plan/plain-programs.ts";
import {
  codePlaces,
  fedPlaces,
  moduleFiles,
  runsItsInput,
  TEXT_FOLLOWS,
  type CodePlace,
} from "./plan/script-argument.ts";
import { codeWordsOf } from "./plan/shell-text.ts";
import { createVerifiedCopies, type VerifiedCopies } from "./verified-copies.ts";
import { watchArguments } from "./watch-arguments.ts";

export interface Seals {
  /**
   * What runs from where agents write is copied first. `object` is asked again before each step, since links may have
   * changed; it answers with a sentence.
   */
  put(plan: ExecPlan, request: ExecRequest, place: LoosePlace, object?: Objection): Promise<string>;
  /** Undefined when all is as it was sealed. The seal is used up either way; its steps can be prepared after it. */
  check(seal: string, plan: ExecPlan, request: ExecRequest): Promise<string | undefined>;
  prepare(seal: string, plan: ExecPlan, step: number): Promise<PreparedStep>;
  release(seal: string): void;
}

/** Why a program of a plan must not start now; undefined when it may. */
export type Objection = (program: ExecProgram) => string | undefined;

/** Digests by what they stand for, in words for people. */
type SealedParts = Readonly<Record<string, string>>;

/** Of one program: itself, and the files its arguments name where these are code. */
interface ProgramFacts {
  readonly file: string;
  readonly sha256?: string;
  readonly code: Readonly<Record<string, string>>;
  /** What of it is run, and so may be a copy; other words are taken for what they are. */
  readonly places: readonly CodePlace[];
}

/** Where a program of a plan stands. */
interface Standpoint {
  readonly cwd: string;
  /** The value of PATH. */
  readonly search: string | undefined;
  /** What it prints is run by one behind it. */
  readonly isFeeding: boolean;
}

interface Sealed {
  readonly facts: SealedParts;
  /** For each step, for each program. */
  readonly steps: readonly (readonly ProgramFacts[])[];
  readonly place: LoosePlace;
  readonly object: Objection;
  readonly expiresAt: number;
}

interface Running extends Sealed {
  readonly copies: VerifiedCopies;
}

/** A decision that is not followed by its run within this time is forgotten. */
const GOOD_FOR_MS = 10 * 60_000;
const TOO_OLD = "This approval was already used or is too old. Ask for the command again.";

export function createSeals(parts: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly digests: DigestMemory;
  /** A folder of the gateway's own. */
  readonly copiesFolder: string;
  readonly home: string;
}): Seals {
  const { digests } = parts;
  const open = new Map<string, Sealed>();
  const running = new Map<string, Running>();
  /** What a gateway that was killed has left behind is nobody's any more. */
  let sweeping: Promise<void> | undefined;
  const sweep = (): Promise<void> =>
    (sweeping ??= rm(parts.copiesFolder, { recursive: true, force: true }).catch(() => {}));
  return {
    async put(plan, request, place, object = () => undefined) {
      const now = parts.clock.steady();
      for (const [seal, { expiresAt }] of open) if (expiresAt <= now) open.delete(seal);
      const steps = await gatherSteps(plan, digestIn(digests, place));
      const facts = await gatherFacts(plan, request, steps);
      const seal = digest([parts.ids.secretHex(16), facts]);
      open.set(seal, { facts, steps, place, object, expiresAt: now + GOOD_FOR_MS });
      return seal;
    },
    async check(seal, plan, request) {
      const sealed = open.get(seal);
      open.delete(seal);
      if (!sealed || sealed.expiresAt <= parts.clock.steady()) return TOO_OLD;
      const digestFile = digestIn(digests, sealed.place);
      const now = await gatherFacts(plan, request, await gatherSteps(plan, digestFile));
      const changed = Object.keys(sealed.facts).filter((name) => sealed.facts[name] !== now[name]);
      if (changed.length > 0) return sayChanged(changed.join(", "));
      await sweep();
      running.set(seal, { ...sealed, copies: createVerifiedCopies(parts.copiesFolder, parts.ids, digestFile) });
      return undefined;
    },
    async prepare(seal, plan, index) {
      const sealed = running.get(seal);
      const step = stepsOf(plan)[index];
      const facts = sealed?.steps[index];
      if (!sealed || !step || !facts) return { kind: "refused", why: TOO_OLD };
      const digestFile = digestIn(digests, sealed.place);
      const pipeline: ExecProgram[] = [];
      for (const [at, program] of step.pipeline.entries()) {
        const expected = facts[at];
        if (!expected) return { kind: "refused", why: TOO_OLD };
        const ready = await prepareProgram(program, expected, standpointOf(plan, step, at), sealed, digestFile);
        if (ready.kind === "changed") return { kind: "refused", why: sayChanged(ready.what) };
        pipeline.push(ready.program);
      }
      // It begins before names are judged, so that there is no moment in between.
      const watch = await watchArguments(step.pipeline.filter(isReader), {
        cwd: plan.cwd,
        home: parts.home,
        writable: sealed.place.writable,
        ownFolder: parts.copiesFolder,
      });
      if (watch?.kind === "unsteady") return { kind: "refused", why: sayChanged(showEverything(watch.path)) };
      for (const program of step.pipeline) {
        const why = sealed.object(program);
        if (why !== undefined) return { kind: "refused", why: `${why} Nothing was run.` };
      }
      return { kind: "ready", pipeline, ...(watch ? { replaced: watch.replaced } : {}) };
    },
    release(seal) {
      const sealed = running.get(seal);
      running.delete(seal);
      void sealed?.copies.release();
    },
  };
}

/** What a program writes by itself is no replacement. */
function isReader(program: ExecProgram): boolean {
  return onlyReads(program) || isExactUse({ ...program, file: program.file });
}

function sayChanged(what: string): string {
  return `What was approved is no longer what would run: ${what} changed in between. Nothing was run. Ask for the command again.`;
}

type PreparedProgram =
  | { readonly kind: "ready"; readonly program: ExecProgram }
  /** The program, or code it is given, is not what was approved. */
  | { readonly kind: "changed"; readonly what: string };

async function prepareProgram(
  program: ExecProgram,
  expected: ProgramFacts,
  standpoint: Standpoint,
  { copies, place }: Running,
  digestFile: DigestFile,
): Promise<PreparedProgram> {
  const changed = findChanged(program, expected, await factsOf(program, standpoint, digestFile));
  if (changed.length > 0) return { kind: "changed", what: showEverything(changed.join(", ")) };
  let { file } = program;
  if (isLoose(file, place) && expected.sha256 !== undefined) {
    const copy = await copies.take(file, expected.sha256);
    if (copy === undefined) return { kind: "changed", what: showEverything(file) };
    file = copy;
  }
  const argv = [...program.argv];
  // From behind, so that what stands before a place stays where it is.
  for (const code of expected.places.toSorted((one, other) => other.from - one.from)) {
    const path = await realpath(code.path).catch(() => undefined);
    const sha256 = expected.code[code.path];
    if (path === undefined || sha256 === undefined || !isLoose(path, place)) continue;
    const copy = await copies.take(path, sha256);
    if (copy === undefined) return { kind: "changed", what: showEverything(code.path) };
    const written = writeCopy(copy, code);
    if (written === undefined) continue;
    const word = argv[code.at] ?? "";
    argv[code.at] = word.slice(0, code.from) + written + word.slice(code.to);
  }
  return { kind: "ready", program: { file, argv } };
}

/** In a text for a shell it must be one word, whatever is in its path. */
function writeCopy(copy: string, { inText }: CodePlace): string | undefined {
  if (inText === undefined || /^[A-Za-z0-9_./+,:@%=-]+$/.test(copy)) return copy;
  return inText === "bare" && !copy.includes("'") ? `'${copy}'` : undefined;
}

/** By their names: the program itself, and files of code that are other ones, new or gone. */
function findChanged(program: ExecProgram, before: ProgramFacts, now: ProgramFacts): string[] {
  const isSame = now.file === before.file && now.sha256 === before.sha256;
  const words = new Set([...Object.keys(before.code), ...Object.keys(now.code)]);
  return [...(isSame ? [] : [program.file]), ...[...words].filter((word) => now.code[word] !== before.code[word])];
}

async function gatherFacts(
  plan: ExecPlan,
  request: ExecRequest,
  steps: readonly (readonly ProgramFacts[])[],
): Promise<SealedParts> {
  const programs = steps.flat();
  const { channel, account, id, isOwner, standing, work, askedIn } = request.requester;
  return {
    "the command": digest([plan.command, request.command]),
    "the programs and their arguments": digest(plan.how),
    "the program files": digest(programs.map(({ file }) => file)),
    "the files of code it is given": digest(programs.map(({ code }) => sortEntries(code))),
    "the working directory": digest([
      plan.cwd,
      request.cwd,
      await describeDirectory(request.cwd),
      await describeDirectory(plan.cwd),
    ]),
    "the environment": digest([
      sortEntries(plan.env),
      sortEntries(request.env),
      request.chosen ?? [],
      sortEntries(request.given ?? {}),
    ]),
    "the sender": digest([channel, account, id, isOwner, standing, work, askedIn]),
    "the agent": digest(request.agentId),
    "the session": digest(request.sessionKey),
    "the run": digest(request.runId),
    "the sandbox": digest(request.sandbox ?? null),
    "what was asked for": digest([request.security ?? null, request.ask ?? null, request.elevated ?? null]),
  };
}

function stepsOf({ how }: ExecPlan): readonly ExecStep[] {
  if (how.kind === "sandbox") return [];
  return how.kind === "shell" ? [{ when: "always", pipeline: [how.program] }] : how.steps;
}

function gatherSteps(plan: ExecPlan, digestFile: DigestFile): Promise<ProgramFacts[][]> {
  return Promise.all(
    stepsOf(plan).map((step) =>
      Promise.all(step.pipeline.map((program, at) => factsOf(program, standpointOf(plan, step, at), digestFile))),
    ),
  );
}

function standpointOf({ cwd, env }: ExecPlan, { pipeline }: ExecStep, at: number): Standpoint {
  const isFeeding = pipeline.slice(at + 1).some(({ argv }) => runsItsInput(argv));
  return { cwd, search: env["PATH"], isFeeding };
}

async function factsOf(program: ExecProgram, standpoint: Standpoint, digestFile: DigestFile): Promise<ProgramFacts> {
  const { cwd, isFeeding } = standpoint;
  const runsOthers = findRunsOthers({ ...program, foundAt: program.file });
  // Whoever starts another program hands its files on: `env sh x.sh`, `timeout 5 sh x.sh`.
  const words = runsOthers
    ? { argv: [...program.argv, ...wordsOfShell(program), ...moduleFiles(program.argv)] }
    : undefined;
  const found = await digestFile(program.file);
  const places = [
    ...codePlaces(program.argv, { cwd, isProgram: (word) => isInSearchPath(word, standpoint.search) }),
    ...(isFeeding && isPlainName(basename(program.argv[0] ?? "")) ? fedPlaces(program.argv, { cwd }) : []),
  ];
  return {
    file: digest(await describeFile(program.file, found?.sha256)),
    ...(found ? { sha256: found.sha256 } : {}),
    code: {
      ...(words ? await digestArguments(words, cwd, digestFile) : {}),
      ...(await digestPlaces(places, digestFile)),
    },
    places,
  };
}

async function digestPlaces(places: readonly CodePlace[], digestFile: DigestFile): Promise<Record<string, string>> {
  const found = await Promise.all(places.map(async ({ path }) => [path, (await digestFile(path))?.sha256] as const));
  return Object.fromEntries(found.flatMap(([path, sha256]) => (sha256 === undefined ? [] : [[path, sha256]])));
}

function isInSearchPath(word: string, search: string | undefined): boolean {
  return (search ?? "").split(":").some((folder) => folder.startsWith("/") && existsSync(`${folder}/${word}`));
}

/** In a text for a shell nearly every word may be a file of code. */
function wordsOfShell({ argv, file }: ExecProgram): string[] {
  return argv.flatMap((word, at) => (TEXT_FOLLOWS.test(word) ? codeWordsOf(argv[at + 1] ?? "", file) : []));
}

async function describeFile(path: string, sha256: string | undefined): Promise<unknown> {
  try {
    const facts = await stat(path, { bigint: true });
    // A program that may be run but not read is known by its times.
    const content = sha256 ?? `${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}`;
    return [await realpath(path), String(facts.dev), String(facts.ino), String(facts.mode), content];
  } catch {
    return "missing";
  }
}

async function describeDirectory(path: string): Promise<unknown> {
  try {
    const followed = await realpath(path);
    const facts = await stat(followed, { bigint: true });
    return [followed, String(facts.dev), String(facts.ino)];
  } catch {
    return "missing";
  }
}

function sortEntries(record: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1));
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
