// Paths of OpenClaw's session files, and which names may become a path at all.
import { join } from "node:path";
import { AGENT_ID } from "@chela/sdk";

/** Sessions of no agent (`global`, hooks) are filed under this one. */
export const DEFAULT_AGENT = "main";

const SESSION_ID = /^[a-z0-9][a-z0-9._-]{0,127}$/i;
/** What encodeURIComponent leaves, so no separator and no leading dot: the name stays inside its directory. */
const FILE_NAME = /^[a-z0-9][a-z0-9._%~!'()*-]{0,249}$/i;
const ARCHIVE_SUFFIX = /\.(reset|deleted)\.[^.]+(?:\.\d+Z)?$/;

export const isSessionId = (value: unknown): value is string => typeof value === "string" && SESSION_ID.test(value);
export const isAgentId = (value: string): boolean => AGENT_ID.test(value);
export const isFileName = (value: string): boolean => FILE_NAME.test(value);

/** The directory that owns the sessions of an agent; undefined when the id could lead elsewhere. */
export function sessionsDirectory(stateDir: string, agentId: string): string | undefined {
  const owner = agentId || DEFAULT_AGENT;
  return isAgentId(owner) ? join(stateDir, "agents", owner, "sessions") : undefined;
}

/**
 * The session index of an agent. `named` is what the configuration names instead of the usual place: `{agentId}` stands
 * for the agent, and without it all agents share one file. Transcripts stay in the agent's sessions directory.
 */
export function indexPath(stateDir: string, agentId: string, named?: string): string | undefined {
  const directory = sessionsDirectory(stateDir, agentId);
  if (directory === undefined || named === undefined) return directory && join(directory, "sessions.json");
  return named.replaceAll("{agentId}", agentId || DEFAULT_AGENT);
}

export const isSharedIndex = (store: string | undefined): boolean =>
  store !== undefined && !store.includes("{agentId}");

/** Undefined when agent or name could lead out of the sessions directory. */
export function transcriptPath(stateDir: string, agentId: string, file: string): string | undefined {
  const directory = sessionsDirectory(stateDir, agentId);
  return directory !== undefined && isFileName(file) ? join(directory, file) : undefined;
}

/** ISO-8601 in UTC without colons, as file names carry it. */
export const archiveStamp = (at: number): string => new Date(at).toISOString().replaceAll(":", "-");

/** `x.jsonl.reset.<ts>` → `x.jsonl`; a live name stays as it is. */
export const liveName = (file: string): string => file.replace(ARCHIVE_SUFFIX, "");

/** When and why a file was archived, as its name tells. */
export function archiveOf(file: string): { reason: "reset" | "deleted"; at: number } | undefined {
  const found = /\.jsonl\.(reset|deleted)\.(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d(?:\.\d+)?Z)$/.exec(file);
  if (found) {
    const at = Date.parse(`${found[2]}:${found[3]}:${found[4]}`);
    return { reason: found[1] as "reset" | "deleted", at };
  }
  const other = /\.jsonl\.(reset|deleted)\.(.+)$/.exec(file);
  if (!other) return undefined;
  const at = /^\d{10,}$/.test(other[2] ?? "") ? Number(other[2]) : Date.parse(other[2] ?? "");
  return { reason: other[1] as "reset" | "deleted", at: Number.isFinite(at) ? at : 0 };
}
