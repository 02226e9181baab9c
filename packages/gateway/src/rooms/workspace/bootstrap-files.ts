// Chooses the files of a workspace that an agent is given at the start of a conversation.
import { FileCache } from "./file-cache.ts";
import { FIRST_MEETING, namesOf, type FileSet, type WorkspaceFileName } from "./file-names.ts";
import { FILE_LIMITS, fitFiles, type FileLimits, type InjectedFile, type WholeFile } from "./fit-files.ts";
import { isEmptyHeartbeat } from "./heartbeat-file.ts";
import { parseState, STATE_FILE } from "./state-file.ts";

export interface BootstrapOptions {
  readonly set?: FileSet;
  readonly limits?: FileLimits;
  /** Without one every file is read anew. */
  readonly cache?: FileCache;
}

/** A file that has something to say, and what tells its versions apart. */
export interface SpeakingFile extends WholeFile {
  readonly name: WorkspaceFileName;
  readonly digest: string;
}

/** In the order of the prompt. Files that are missing, empty or refused are left out. */
export async function bootstrapFiles(directory: string, options: BootstrapOptions = {}): Promise<InjectedFile[]> {
  const { set = "full", limits = FILE_LIMITS, cache = new FileCache() } = options;
  return fitFiles(readBootstrap(directory, set, cache), limits);
}

export function readBootstrap(directory: string, set: FileSet, cache: FileCache): SpeakingFile[] {
  const found: SpeakingFile[] = [];
  const identities = new Set<string>();
  for (const name of namesOf(set)) {
    const content = cache.read(directory, name);
    // Where names ignore case, MEMORY.md and memory.md are one file.
    if (content.kind !== "text" || identities.has(content.identity)) continue;
    if (isSilent(name, content.text) || (name === FIRST_MEETING && wasMet(directory, cache))) continue;
    identities.add(content.identity);
    found.push({ name, path: cache.pathOf(directory, name), text: content.text, digest: content.digest });
  }
  return found;
}

/** Whether the first meeting is over. */
export function wasMet(directory: string, cache: FileCache): boolean {
  return parseState(cache.read(directory, STATE_FILE)).onboardingCompletedAt !== undefined;
}

function isSilent(name: WorkspaceFileName, text: string): boolean {
  return name === "HEARTBEAT.md" ? isEmptyHeartbeat(text) : text.trim() === "";
}
