// Decides what of a command can be allowed for good: how each program stands to what it reads, and why some never can.
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { isExactUse } from "./exact-uses.ts";
import { calledName, type FoundProgram } from "./find-program.ts";
import { showEverything } from "./hidden-characters.ts";
import type { Planning } from "./make-plan.ts";
import type { PatternPlace } from "./path-pattern.ts";
import { isPlainProgram, isPlainUse } from "./plain-programs.ts";
import { findRunsOthers } from "./programs-that-run-others.ts";
import { isSafeBin, type SafeBinSettings } from "./safe-bins.ts";
import { isInside } from "@chela/sdk/files";

export interface LastingPlace extends PatternPlace {
  readonly cwd: string;
  readonly safeBins: SafeBinSettings;
  /** Where agents write: their workspaces, and what sandboxes share with them. */
  readonly writable: readonly string[];
}

export type LoosePlace = Pick<LastingPlace, "writable" | "trustedDirectories">;

export type Standing =
  /** It takes all it reads for data: fine in any company. */
  | { readonly kind: "plain" }
  /** Its arguments say all it does; what it reads is data. */
  | { readonly kind: "exact" }
  /** Nobody knows what it makes of what it reads, so its files and its input are part of what is allowed. */
  | { readonly kind: "unknown" }
  /** What it does is written in files or comes from its input: a yes for good would be a yes to anything. `why` completes "because …". */
  | { readonly kind: "never"; readonly why: string };

export async function standingOf(program: FoundProgram, place: LastingPlace): Promise<Standing> {
  const name = showEverything(calledName(program));
  if (isPlainProgram(program, place) || isSafeBin(program, place.cwd, place.safeBins, place)) return { kind: "plain" };
  const runsOthers = findRunsOthers(program);
  if (isExactUse(program) || isPlainUse(program, place)) return { kind: "exact" };
  if (runsOthers) return { kind: "never", why: `${name} ${runsOthers.reason}` };
  if (isLoose(program.file, place) && (await isScript(program.file)))
    return { kind: "never", why: `${name} is a script among files that agents can write` };
  return { kind: "unknown" };
}

type Planned = Extract<Planning, { kind: "planned" }>;

/** Why a plan cannot be allowed for good; completes "because …". Undefined when it can. */
export async function whyNotForGood(planned: Planned, place: LastingPlace): Promise<string | undefined> {
  if (planned.plan.how.kind === "sandbox") return "it is kept in a sandbox anyway";
  if (planned.unclear !== undefined || planned.plan.how.kind === "shell") return "it needs a shell";
  let at = 0;
  for (const { pipeline } of planned.plan.how.steps) {
    for (let inPipe = 0; inPipe < pipeline.length; inPipe += 1, at += 1) {
      const program = planned.programs[at];
      if (!program) continue;
      const standing = await standingOf(program, place);
      if (standing.kind === "never") return standing.why;
      if (standing.kind === "unknown" && inPipe > 0)
        return `${showEverything(calledName(program))} is fed by another program, and nobody knows what it makes of that`;
      if (program.doubt !== undefined) return `the program ${showEverything(program.doubt)}`;
    }
  }
  return undefined;
}

/** Whether everything that could be typed into the command is data to all of its programs. */
export async function takesInputAsData(planned: Planned, place: LastingPlace): Promise<boolean> {
  if (planned.plan.how.kind !== "direct") return false;
  for (const program of planned.programs) if ((await standingOf(program, place)).kind !== "plain") return false;
  return true;
}

async function isScript(path: string): Promise<boolean> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return true;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead < 2 || buffer.toString("latin1") === "#!" || !isBinaryStart(buffer);
  } finally {
    await file.close();
  }
}

/** ELF and Mach-O; what is neither is handed to a shell by most systems. */
function isBinaryStart(buffer: Buffer): boolean {
  return buffer[0] === 0x7f || buffer[0] === 0xcf || buffer[0] === 0xca || buffer[0] === 0xfe;
}

/** Whether agents can write it: it lies where they write, and not in a folder the owner vouches for. */
export function isLoose(path: string, { writable, trustedDirectories }: LoosePlace): boolean {
  return writable.some((folder) => isInside(folder, path)) && !trustedDirectories.includes(dirname(path));
}
