// Lists the session files of a state directory, with what their names tell.
import { createHash } from "node:crypto";
import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { errnoOf } from "@chela/sdk/files";
import {
  archiveOf,
  archiveStamp,
  isAgentId,
  isFileName,
  isSessionId,
  liveName,
  sessionsDirectory,
} from "../mirror/paths.ts";

export interface FoundTranscript {
  readonly agentId: string;
  readonly file: string;
  readonly path: string;
  readonly archived?: { readonly reason: "reset" | "deleted"; readonly at: number };
}

const TRANSCRIPT = /^[^.].*\.jsonl(?:\.(?:reset|deleted)\..+)?$/;

/** Agents that have a directory. */
export async function findAgents(stateDir: string): Promise<string[]> {
  return (await listDirectory(join(stateDir, "agents"))).filter(isAgentId).sort();
}

/** Live files first, archived ones after: a live conversation has the first right to its id. */
export async function findTranscripts(stateDir: string, agentId: string): Promise<FoundTranscript[]> {
  const directory = sessionsDirectory(stateDir, agentId);
  if (directory === undefined) return [];
  const found = (await listDirectory(directory))
    .filter((file) => TRANSCRIPT.test(file) && isFileName(file))
    .map((file) => describeFile(agentId, directory, file));
  found.push(...(await findArchived(agentId, join(directory, "archived"))));
  return found.sort((a, b) => rank(a) - rank(b) || (a.file < b.file ? -1 : 1));
}

/** Some versions moved ended conversations into a folder; when they ended, only the file's own time tells. */
async function findArchived(agentId: string, directory: string): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  for (const name of (await listDirectory(directory)).filter((file) => TRANSCRIPT.test(file) && isFileName(file))) {
    const path = join(directory, name);
    const at = Math.round((await sizeOf(path))?.mtimeMs ?? 0);
    const archived = archiveOf(name) ?? { reason: "reset" as const, at };
    found.push({ agentId, file: `${liveName(name)}.${archived.reason}.${archiveStamp(archived.at)}`, path, archived });
  }
  return found;
}

export function describeFile(agentId: string, directory: string, file: string): FoundTranscript {
  const archived = archiveOf(file);
  return { agentId, file, path: join(directory, file), ...(archived ? { archived } : {}) };
}

const rank = ({ file, archived }: FoundTranscript): number => (archived ? 2 : file.includes("-topic-") ? 1 : 0);

/** The session id a file name carries: `<id>.jsonl`, `<id>-topic-<thread>.jsonl`, `<time>_<id>.jsonl`. */
export function sessionIdOfFile(file: string): string | undefined {
  const base = liveName(file).replace(/\.jsonl$/, "");
  const id = base.replace(/-topic-.*$/, "").replace(/^\d{4}-\d\d-\d\dT[\d.Z-]+_/, "");
  return isSessionId(id) ? id : undefined;
}

/** An id of its own for a second file of one session id. */
export const ownIdOfFile = (file: string): string =>
  file
    .replace(/\.jsonl/, "")
    .replace(/[^a-z0-9._-]/gi, "-")
    .slice(0, 128);

/** Undefined for what is no file, links included: they could lead out of the state directory. */
export async function sizeOf(path: string): Promise<{ size: number; mtimeMs: number } | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() ? { size: found.size, mtimeMs: found.mtimeMs } : undefined;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function listDirectory(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return [];
    throw error;
  }
}

/** Names one state of one file, so that it is not imported twice; undefined when there is no file. */
export async function sealOf(stateDir: string, path: string): Promise<string | undefined> {
  const found = await sizeOf(path);
  if (!found) return undefined;
  const text = `${relative(stateDir, path)}\n${found.size}\n${found.mtimeMs}`;
  return `import:${createHash("sha256").update(text).digest("hex")}`;
}
