// Hands out what is new in the files of a state directory, for collectors: lines once each, small files when they change.
import { createHash } from "node:crypto";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { pause, once, type Clock, type Parsed } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { isAgentId } from "./paths.ts";
import { readLines } from "./read-lines.ts";

export interface FollowOptions {
  readonly stateDir: string;
  /** Workspaces of agents, wherever they lie; asked in each round. */
  readonly workspaces?: () => readonly string[];
  /** Remembers how far each file was handed out. */
  readonly stateFile: string;
  readonly clock: Clock;
  /** Ends a following that otherwise never ends. */
  readonly signal?: AbortSignal;
  /** Without it: one round over everything that is new, then the end. */
  readonly follow?: { readonly everyMs: number };
}

type ExportKind = "transcript" | "session-index" | "cron-run" | "cron-jobs" | "memory" | "personality";

export type ExportRecord =
  | { readonly kind: ExportKind; readonly path: string; readonly offset: number; readonly line: string }
  | { readonly kind: ExportKind; readonly path: string; readonly offset: 0; readonly content: string };

interface Source {
  readonly kind: ExportKind;
  /** Below the state directory, with slashes; of a file elsewhere its whole path. */
  readonly path: string;
  readonly grows: boolean;
}

const Progress = once(() =>
  z.looseObject({
    files: z.record(
      z.string(),
      z.looseObject({ offset: z.number(), mtimeMs: z.number(), head: z.string().optional() }),
    ),
  }),
);
type Progress = Parsed<typeof Progress>;

const HEAD_BYTES = 256;
const PERSONALITY = ["SOUL.md", "IDENTITY.md", "USER.md"] as const;

/**
 * Each record is handed out at least once: progress is kept after the reader asked for what follows. A line appears when
 * its newline does. Credentials, device identities, reports and archived transcripts are never read.
 */
export async function* followExport(options: FollowOptions): AsyncGenerator<ExportRecord> {
  const progress = await readProgress(options.stateFile);
  for (;;) {
    for (const source of await findSources(options)) {
      if (options.signal?.aborted) return;
      const before = JSON.stringify(progress.files[source.path]);
      yield* source.grows ? readGrown(options, source, progress) : readChanged(options, source, progress);
      if (JSON.stringify(progress.files[source.path]) === before) continue;
      writeFileAtomic(options.stateFile, JSON.stringify(progress));
    }
    if (!options.follow || options.signal?.aborted) return;
    await pause(options.clock, options.follow.everyMs, options.signal);
  }
}

async function* readGrown(options: FollowOptions, source: Source, progress: Progress): AsyncGenerator<ExportRecord> {
  const path = resolve(options.stateDir, source.path);
  const found = await look(path);
  if (!found) return;
  const known = progress.files[source.path];
  const head = await readHead(path, known?.offset ?? found.size);
  // A file that shrank or begins otherwise is another one: it is read from its start.
  const isSame = known !== undefined && known.offset <= found.size && known.head === head;
  let offset = isSame ? known.offset : 0;
  if (offset === found.size) return;
  for await (const line of readLines(path, offset)) {
    if (!line.whole) break;
    yield { kind: source.kind, path: source.path, offset: line.start, line: line.bytes.toString("utf8") };
    offset = line.start + line.bytes.length + 1;
  }
  progress.files[source.path] = { offset, mtimeMs: found.mtimeMs, head: await readHead(path, offset) };
}

/** A fingerprint of the beginning that does not change while the file grows. */
async function readHead(path: string, upTo: number): Promise<string> {
  const bytes = Buffer.alloc(Math.min(HEAD_BYTES, upTo));
  const file = await open(path, "r");
  try {
    await file.read(bytes, 0, bytes.length, 0);
  } finally {
    await file.close();
  }
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

async function* readChanged(options: FollowOptions, source: Source, progress: Progress): AsyncGenerator<ExportRecord> {
  const path = resolve(options.stateDir, source.path);
  const found = await look(path);
  const known = progress.files[source.path];
  if (!found || (known?.mtimeMs === found.mtimeMs && known.offset === found.size)) return;
  yield { kind: source.kind, path: source.path, offset: 0, content: await readFile(path, "utf8") };
  progress.files[source.path] = { offset: found.size, mtimeMs: found.mtimeMs };
}

async function findSources({ stateDir, workspaces }: FollowOptions): Promise<Source[]> {
  const sources: Source[] = [];
  const add = (kind: ExportKind, path: string, grows = false): void => void sources.push({ kind, path, grows });
  for (const agentId of (await list(join(stateDir, "agents"))).filter(isAgentId)) {
    const sessions = `agents/${agentId}/sessions`;
    for (const file of await list(join(stateDir, sessions))) {
      if (file.endsWith(".jsonl")) add("transcript", `${sessions}/${file}`, true);
    }
    add("session-index", `${sessions}/sessions.json`);
  }
  for (const file of await list(join(stateDir, "cron/runs"))) {
    if (file.endsWith(".jsonl")) add("cron-run", `cron/runs/${file}`, true);
  }
  add("cron-jobs", "cron/jobs.json");
  const others = (await list(join(stateDir, "workspaces"))).map((name) => `workspaces/${name}`);
  const named = (workspaces?.() ?? []).map((path) => placeOf(stateDir, path));
  for (const workspace of new Set(["workspace", ...others, ...named])) {
    add("memory", `${workspace}/MEMORY.md`);
    for (const file of await list(resolve(stateDir, workspace, "memory"))) {
      if (file.endsWith(".md")) add("memory", `${workspace}/memory/${file}`);
    }
    for (const name of PERSONALITY) add("personality", `${workspace}/${name}`);
  }
  return sources;
}

function placeOf(stateDir: string, path: string): string {
  const below = relative(stateDir, path);
  return below.startsWith("..") || isAbsolute(below) ? path : below.split(sep).join("/");
}

async function list(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return [];
    throw error;
  }
}

async function look(path: string): Promise<{ size: number; mtimeMs: number } | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found : undefined;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A state file that cannot be read means everything is handed out again, which is safe. */
async function readProgress(path: string): Promise<Progress> {
  try {
    return Progress().parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return { files: {} };
  }
}
