// What was approved is what runs: a seal stands for every thing that was decided upon and is good for one run.
import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import type { Clock, ExecPlan, ExecProgram, ExecRequest, Ids } from "@chela/sdk";
import { digestArguments } from "./allow-list.ts";
import type { DigestFile } from "./digest-files.ts";
import { findRunsOthers } from "./programs-that-run-others.ts";

export interface Seals {
  put(plan: ExecPlan, request: ExecRequest): Promise<string>;
  /** Undefined when all is as it was sealed. The seal is used up either way. */
  check(seal: string, plan: ExecPlan, request: ExecRequest): Promise<string | undefined>;
}

/** Digests by what they stand for, in words for people. */
type Parts = Readonly<Record<string, string>>;

/** A decision that is not followed by its run within this time is forgotten. */
const GOOD_FOR_MS = 10 * 60_000;

export function createSeals(parts: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly digestFile: DigestFile;
}): Seals {
  const open = new Map<string, { readonly facts: Parts; readonly expiresAt: number }>();
  return {
    async put(plan, request) {
      const now = parts.clock.now();
      for (const [seal, { expiresAt }] of open) if (expiresAt <= now) open.delete(seal);
      const facts = await gatherFacts(plan, request, parts.digestFile);
      const seal = digest([parts.ids.secretHex(16), facts]);
      open.set(seal, { facts, expiresAt: now + GOOD_FOR_MS });
      return seal;
    },
    async check(seal, plan, request) {
      const sealed = open.get(seal);
      open.delete(seal);
      if (!sealed || sealed.expiresAt <= parts.clock.now()) {
        return "This approval was already used or is too old. Ask for the command again.";
      }
      const now = await gatherFacts(plan, request, parts.digestFile);
      const changed = Object.keys(sealed.facts).filter((name) => sealed.facts[name] !== now[name]);
      if (changed.length === 0) return undefined;
      return `What was approved is no longer what would run: ${changed.join(", ")} changed in between. Nothing was run. Ask for the command again.`;
    },
  };
}

async function gatherFacts(plan: ExecPlan, request: ExecRequest, digestFile: DigestFile): Promise<Parts> {
  const programs = programsOf(plan);
  const { channel, account, id, isOwner } = request.requester;
  return {
    "the command": digest([plan.command, request.command]),
    "the programs and their arguments": digest(plan.how),
    "the program files": digest(await Promise.all(programs.map((program) => describeFile(program.file, digestFile)))),
    "the files of code it is given": digest(await describeCode(programs, plan.cwd, digestFile)),
    "the working directory": digest([
      plan.cwd,
      request.cwd,
      await describeDirectory(request.cwd),
      await describeDirectory(plan.cwd),
    ]),
    "the environment": digest([sortEntries(plan.env), sortEntries(request.env)]),
    "the sender": digest([channel, account, id, isOwner]),
    "the agent": digest(request.agentId),
    "the session": digest(request.sessionKey),
    "the run": digest(request.runId),
    "the sandbox": digest(request.sandbox ?? null),
    "what was asked for": digest([request.security ?? null, request.ask ?? null, request.elevated ?? null]),
  };
}

function programsOf(plan: ExecPlan): ExecProgram[] {
  if (plan.how.kind === "sandbox") return [];
  return plan.how.kind === "shell" ? [plan.how.program] : plan.how.steps.flatMap((step) => [...step.pipeline]);
}

async function describeFile(path: string, digestFile: DigestFile): Promise<unknown> {
  try {
    const facts = await stat(path, { bigint: true });
    const found = await digestFile(path);
    // A program that may be run but not read is known by its times.
    const content = found?.sha256 ?? `${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}`;
    return [await realpath(path), String(facts.dev), String(facts.ino), String(facts.mode), content];
  } catch {
    return "missing";
  }
}

async function describeCode(programs: readonly ExecProgram[], cwd: string, digestFile: DigestFile): Promise<unknown> {
  const runners = programs.filter((program) => findRunsOthers({ ...program, foundAt: program.file })?.runsFiles);
  return Promise.all(runners.map(async (program) => sortEntries(await digestArguments(program, cwd, digestFile))));
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
