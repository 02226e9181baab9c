// Finds bubblewrap and learns what this version of it can do.
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { findProgram } from "./find-program.ts";

export interface BubblewrapProgram {
  readonly path: string;
  readonly version: string;
  /** Private folders have a size of their own. */
  readonly hasSize: boolean;
  /** No further user namespaces inside: a second lock beside the filter. */
  readonly hasDisableUserns: boolean;
}

export type ProgramSearch =
  | { readonly kind: "found"; readonly program: BubblewrapProgram }
  | { readonly kind: "missing" }
  /** It is there, and could not be asked. */
  | { readonly kind: "silent" }
  | { readonly kind: "too old"; readonly version: string };

/** The first version with a clean environment and permissions of folders. */
const OLDEST = 5;

export async function findBubblewrap(places?: readonly string[]): Promise<ProgramSearch> {
  const path = findProgram("bwrap", places);
  if (path === undefined) return { kind: "missing" };
  const said = await askProgram(path, "--version");
  if (said === "") return { kind: "silent" };
  const [, version, major, minor] = /(([0-9]+)\.([0-9]+)(?:\.[0-9]+)?)/.exec(said) ?? [];
  if (version === undefined) return { kind: "missing" };
  const age = Number(major) > 0 ? Infinity : Number(minor);
  if (age < OLDEST) return { kind: "too old", version };
  // Installed with the set-user-id bit it knows fewer options.
  const isSetUserId = (statSync(path).mode & 0o4000) !== 0;
  const hasNewer = age >= 8 && !isSetUserId;
  return { kind: "found", program: { path, version, hasSize: hasNewer, hasDisableUserns: hasNewer } };
}

/** What it says to a question; nothing when it fails. */
export function askProgram(path: string, question: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(path, [question], { env: {}, timeout: 5_000 }, (error, stdout) => resolve(error ? "" : stdout));
  });
}
