// Turns a request into the plan that would run: directly where every word is understood, else through one shell.
import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { ExecPlan, ExecRequest } from "@chela/sdk";
import { findProgram, type FoundProgram } from "./find-program.ts";
import { understandCommand, type UnderstoodStep } from "./grammar.ts";
import { showEverything } from "./hidden-characters.ts";

export type Planning =
  | {
      readonly kind: "planned";
      readonly plan: ExecPlan;
      /** Every program of the plan, in order. */
      readonly programs: readonly FoundProgram[];
      /** Why a shell is needed; undefined when the plan is direct. */
      readonly unclear?: string;
    }
  | { readonly kind: "impossible"; readonly why: string };

export async function makePlan(request: ExecRequest, shell: string): Promise<Planning> {
  const flaw = findFlaw(request);
  if (flaw !== undefined) return { kind: "impossible", why: flaw };
  if (request.sandbox !== undefined) return planInside(request, request.sandbox);
  const cwd = await followDirectory(request.cwd);
  if (cwd === undefined) {
    return {
      kind: "impossible",
      why: `The working directory ${showEverything(request.cwd)} is not there. Choose one that exists.`,
    };
  }
  const base = { command: request.command, cwd, env: { ...request.env } };
  const understanding = understandCommand(request.command);
  return understanding.kind === "understood"
    ? planDirect(base, understanding.steps)
    : planShell(base, shell, understanding.why);
}

/** What runs inside can reach nothing that was not put there, so no program has to be looked at. */
function planInside({ command, cwd, env }: ExecRequest, scope: string): Planning {
  return { kind: "planned", plan: { command, cwd, env, how: { kind: "sandbox", scope } }, programs: [] };
}

type PlanBase = Pick<ExecPlan, "command" | "cwd" | "env">;

async function planDirect(base: PlanBase, steps: readonly UnderstoodStep[]): Promise<Planning> {
  const place = { cwd: base.cwd, path: base.env["PATH"] };
  const programs: FoundProgram[] = [];
  const planned = [];
  for (const { when, pipeline } of steps) {
    const found: FoundProgram[] = [];
    for (const words of pipeline) {
      const program = await findProgram(words, place);
      if (!program) return { kind: "impossible", why: sayNotFound(words[0] ?? "", place.path) };
      found.push(program);
    }
    programs.push(...found);
    planned.push({ when, pipeline: found.map(({ file, argv }) => ({ file, argv })) });
  }
  return { kind: "planned", plan: { ...base, how: { kind: "direct", steps: planned } }, programs };
}

async function planShell(base: PlanBase, shell: string, unclear: string): Promise<Planning> {
  const program = await findProgram([shell, "-c", base.command], { cwd: base.cwd, path: undefined });
  if (!program) return { kind: "impossible", why: `The command needs a shell, and ${shell} is not there.` };
  const { file, argv } = program;
  const plan: ExecPlan = { ...base, how: { kind: "shell", program: { file, argv } } };
  return { kind: "planned", plan, programs: [program], unclear };
}

/** What no program could be given as it was written. */
function findFlaw(request: ExecRequest): string | undefined {
  if (request.command.trim() === "") return "The command is empty. Write the program and its arguments.";
  const texts = [request.command, request.cwd, ...Object.entries(request.env).flat()];
  if (texts.some((text) => text.includes("\0") || !text.isWellFormed())) {
    return "The command, its directory or its environment contains a zero byte or broken Unicode. Write plain text.";
  }
  if (!isAbsolute(request.cwd)) return `The working directory ${request.cwd} is not an absolute path.`;
  return undefined;
}

async function followDirectory(path: string): Promise<string | undefined> {
  try {
    const followed = await realpath(path);
    return (await stat(followed)).isDirectory() ? followed : undefined;
  } catch {
    return undefined;
  }
}

function sayNotFound(word: string, path: string | undefined): string {
  const shown = showEverything(word);
  if (word.includes("/")) return `There is no program at ${shown}, or this user may not run it.`;
  return `There is no program named "${shown}" in the directories of PATH (${path ? showEverything(path) : "which is not set"}). Install it, or write its full path.`;
}
