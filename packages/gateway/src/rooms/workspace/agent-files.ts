// The files of an agent as operators see and change them.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { GatewayError } from "@chela/sdk";
import { writeFileAtomic } from "@chela/sdk/files";
import { wasMet } from "./bootstrap-files.ts";
import { FileCache } from "./file-cache.ts";
import { FIRST_MEETING, isWorkspaceFile, WORKSPACE_FILES, type WorkspaceFileName } from "./file-names.ts";
import { MAX_FILE_BYTES, readFile, type FileContent } from "./read-file.ts";
import { diskFailure } from "./state-file.ts";

/** A type and not an interface, so that it can go into an answer that allows more fields. */
type AgentFile = {
  readonly name: string;
  readonly path: string;
  readonly missing: boolean;
  readonly size?: number;
  readonly updatedAtMs?: number;
  readonly content?: string;
};

export interface AgentFiles {
  /** Without contents. The first meeting is left out once it was held. */
  list(): Promise<AgentFile[]>;
  get(name: string): Promise<AgentFile>;
  /** Replaces the whole file at once. */
  set(name: string, content: string): Promise<AgentFile>;
}

export function agentFiles(directory: string): AgentFiles {
  return {
    list: async () => listFiles(directory),
    get: async (name) => getFile(directory, name),
    set: async (name, content) => setFile(directory, name, content),
  };
}

function listFiles(directory: string): AgentFile[] {
  const isMet = wasMet(directory, new FileCache());
  const identities = new Set<string>();
  return WORKSPACE_FILES.flatMap((name) => {
    const content = readFile(directory, name);
    if (name === FIRST_MEETING && isMet) return [];
    // The second spelling is only of interest where somebody uses it.
    if (name === "memory.md" && (content.kind === "missing" || identities.has(identityOf(content)))) return [];
    identities.add(identityOf(content));
    return [describe(directory, name, content)];
  });
}

function getFile(directory: string, name: string): AgentFile {
  const known = knownName(name);
  const content = readFile(directory, known);
  if (content.kind === "refused") throw new GatewayError("WORKSPACE_FILE", `${join(directory, known)} ${content.why}.`);
  const file = describe(directory, known, content);
  return content.kind === "text" ? { ...file, content: content.text } : file;
}

function setFile(directory: string, name: string, content: string): AgentFile {
  const known = knownName(name);
  const path = join(directory, known);
  const size = Buffer.byteLength(content);
  if (size > MAX_FILE_BYTES) {
    throw new GatewayError(
      "WORKSPACE_FILE",
      `${known} may have at most ${MAX_FILE_BYTES} bytes; this text has ${size}.`,
    );
  }
  try {
    const before = lstatSync(path, { throwIfNoEntry: false });
    if (before && !before.isFile()) {
      throw new GatewayError(
        "WORKSPACE_FILE",
        `${path} is not a regular file, so it is not replaced. Change it by hand.`,
      );
    }
    writeFileAtomic(path, content, before ? before.mode & 0o777 : 0o600);
  } catch (error) {
    throw diskFailure(error, path);
  }
  return getFile(directory, known);
}

function knownName(name: string): WorkspaceFileName {
  if (isWorkspaceFile(name)) return name;
  throw new GatewayError("WORKSPACE_FILE", `unsupported file "${name}"`);
}

function describe(directory: string, name: WorkspaceFileName, content: FileContent): AgentFile {
  const file = { name, path: join(directory, name) };
  if (content.kind !== "text") return { ...file, missing: content.kind === "missing" };
  return { ...file, missing: false, size: content.size, updatedAtMs: content.updatedAtMs };
}

function identityOf(content: FileContent): string {
  return content.kind === "text" ? content.identity : "";
}
