// Finds the file behind a program word, and says whether somebody else could have put it there.
import { defined } from "@chela/sdk/base";
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { ExecProgram } from "@chela/sdk";

export interface FoundProgram extends ExecProgram {
  /** Where the word led before links were followed. */
  readonly foundAt: string;
  /** Why this file should not be trusted by any list; completes "The program …". */
  readonly doubt?: string;
}

export interface SearchPlace {
  /** Absolute, links resolved. */
  readonly cwd: string;
  readonly path: string | undefined;
}

export async function findProgram(argv: readonly string[], place: SearchPlace): Promise<FoundProgram | undefined> {
  for (const candidate of candidatesFor(argv[0] ?? "", place)) {
    const file = await followToExecutable(candidate);
    if (file === undefined) continue;
    const doubt = await findDoubt(file);
    return { file, argv, foundAt: candidate, ...defined({ doubt }) };
  }
  return undefined;
}

/** The name a program was called by decides what many programs do. */
export function calledName(program: ExecProgram): string {
  return basename(program.argv[0] ?? "");
}

function candidatesFor(word: string, place: SearchPlace): string[] {
  // Not `resolve`: it would take `link/..` for nothing, while the system follows the link first.
  if (word.includes("/")) return [isAbsolute(word) ? word : `${place.cwd}/${word}`];
  if (word === "" || word === "." || word === "..") return [];
  return (place.path ?? "")
    .split(":")
    .filter((directory) => isAbsolute(directory))
    .map((directory) => join(directory, word));
}

async function followToExecutable(candidate: string): Promise<string | undefined> {
  try {
    const file = await realpath(candidate);
    const facts = await stat(file);
    if (!facts.isFile() || (facts.mode & 0o111) === 0) return undefined;
    await access(file, constants.X_OK);
    return file;
  } catch {
    // Not there or not ours to run: the search goes on as the system's own would.
    return undefined;
  }
}

async function findDoubt(file: string): Promise<string | undefined> {
  const facts = await stat(file);
  if (!isOwnedByUsOrRoot(facts.uid)) return `${file} belongs to another user`;
  if ((facts.mode & 0o002) !== 0) return `${file} can be written by every user`;
  const directory = await stat(dirname(file));
  const isSticky = (directory.mode & 0o1000) !== 0;
  if ((directory.mode & 0o002) !== 0 && !isSticky) return `${file} lies in a directory that every user can write`;
  return undefined;
}

function isOwnedByUsOrRoot(uid: number): boolean {
  return uid === 0 || uid === process.getuid?.();
}
