// State of a workspace's beginning, as it remembers it: `.openclaw/workspace-state.json`.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { GatewayError, once, type Parsed } from "@chela/sdk";
import * as z from "zod";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import type { FileContent } from "./read-file.ts";

const FOLDER = ".openclaw";
export const STATE_FILE = join(FOLDER, "workspace-state.json");

/** Loose: what other versions wrote survives. */
const WorkspaceState = once(() =>
  z.looseObject({
    version: z.literal(1),
    /** Set while the first files are being written; a start that finds it goes on with them. */
    seedingSince: z.string().optional(),
    bootstrapSeededAt: z.string().optional(),
    onboardingCompletedAt: z.string().optional(),
  }),
);
export type WorkspaceState = Parsed<typeof WorkspaceState>;

/** A missing or damaged file says nothing. */
export function parseState(content: FileContent): WorkspaceState {
  if (content.kind !== "text") return { version: 1 };
  try {
    return WorkspaceState().parse(JSON.parse(content.text));
  } catch {
    return { version: 1 };
  }
}

export function writeState(directory: string, state: WorkspaceState): void {
  const folder = join(directory, FOLDER);
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) throw new GatewayError("WORKSPACE_DISK", `${folder} is not a directory`);
  writeFileAtomic(join(directory, STATE_FILE), `${JSON.stringify(state, null, 2)}\n`);
}

/** What the disk refused, as a failure that names the place. */
export function diskFailure(error: unknown, path: string): GatewayError {
  if (GatewayError.is(error)) return error;
  return new GatewayError("WORKSPACE_DISK", `${path} (${errnoOf(error) ?? "unknown error"})`, { cause: error });
}
