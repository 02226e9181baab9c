// The beginning of a workspace: it is made, gets its first files once, and loses the first meeting when it was held.
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "@chela/sdk/files";
import { FIRST_MEETING } from "./file-names.ts";
import { readFile } from "./read-file.ts";
import { SEEDS } from "./seeds.ts";
import { diskFailure, parseState, STATE_FILE, writeState, type WorkspaceState } from "./state-file.ts";

export interface EnsureOptions {
  /** Makes the directory and leaves it empty. */
  readonly skipBootstrap: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** `kept`: somebody's files are in it, and none was touched. */
export type EnsureOutcome = { readonly kind: "seeded" } | { readonly kind: "empty" } | { readonly kind: "kept" };

/** Gives first files to a directory that is missing or empty, and to one where a crash stopped that. Overwrites nothing. */
export async function ensureWorkspace(directory: string, options: EnsureOptions): Promise<EnsureOutcome> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const isEmpty = readdirSync(directory).length === 0;
    if (options.skipBootstrap) return { kind: isEmpty ? "empty" : "kept" };
    const state = stateOf(directory);
    if (!isEmpty && state.seedingSince === undefined) return { kind: "kept" };
    seed(directory, state, new Date(options.now).toISOString());
    return { kind: "seeded" };
  } catch (error) {
    throw diskFailure(error, directory);
  }
}

/** The first meeting was held: its text goes, and is not shown again even if it could not be removed. */
export async function completeBootstrap(directory: string, now: number): Promise<void> {
  try {
    const state = stateOf(directory);
    const onboardingCompletedAt = state.onboardingCompletedAt ?? new Date(now).toISOString();
    if (!state.onboardingCompletedAt) writeState(directory, { ...state, onboardingCompletedAt });
    rmSync(join(directory, FIRST_MEETING), { force: true });
  } catch (error) {
    throw diskFailure(error, join(directory, FIRST_MEETING));
  }
}

function seed(directory: string, state: WorkspaceState, at: string): void {
  const { seedingSince = at, ...rest } = state;
  writeState(directory, { ...rest, seedingSince });
  for (const [name, text] of SEEDS) {
    const path = join(directory, name);
    if (!lstatSync(path, { throwIfNoEntry: false })) writeFileAtomic(path, text);
  }
  writeState(directory, { ...rest, bootstrapSeededAt: at });
}

function stateOf(directory: string): WorkspaceState {
  return parseState(readFile(directory, STATE_FILE));
}
