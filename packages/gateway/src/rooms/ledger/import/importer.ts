// Imports the OpenClaw files of a state directory into the ledger: indexes at once, transcripts all together or on demand.
// What reads them is loaded with the first file that nobody knows.
import { defined } from "@chela/sdk/base";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { GatewayError, type Clock, type Ids, type Ledger, type Logger, type Transcript } from "@chela/sdk";
import { DEFAULT_AGENT, indexPath, isFileName, isSessionId, sessionsDirectory } from "../mirror/paths.ts";
import { originalFlag } from "../mirror/reconcile.ts";
import { ownerOf } from "../mirror/session-index.ts";
import {
  describeFile,
  findAgents,
  findTranscripts,
  sealOf,
  sessionIdOfFile,
  sizeOf,
  type FoundTranscript,
} from "./find-files.ts";
import type { TranscriptImport } from "./import-transcript.ts";
import type { OwnFile } from "./take-as-own.ts";

export interface ImportOptions {
  readonly ledger: Ledger;
  readonly stateDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where the configuration says that the indexes are. */
  readonly store?: string;
  /** Something of another program was taken over after the first start, in a few words for people. */
  readonly merged?: (what: string) => Promise<void>;
}

export interface ImportReport {
  readonly sessions: number;
  readonly transcripts: number;
  readonly entries: number;
  /** Lines that are no records; each is kept as an entry. */
  readonly unreadableLines: number;
  /** Transcripts that no index named and that became sessions of their own. */
  readonly recoveredSessions: number;
  /** Files that were imported before and have not changed. */
  readonly skippedFiles: number;
  /** Sentences for the operator. */
  readonly warnings: readonly string[];
}

export interface Importer {
  /** Whether there are files nobody imported to the end. A fresh state directory is noted as done. */
  isNeeded(): Promise<boolean>;
  /** How much there is to read, without reading it. */
  survey(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** The indexes only: afterwards every known session can be listed. */
  importIndexes(): Promise<ImportReport>;
  /** The transcript of one session, unless the ledger has it. To be awaited before a turn of that session. */
  importTranscript(sessionId: string): Promise<void>;
  /** Transcripts of an agent that the ledger does not know by name: another program made them. */
  importStrays(agentId: string): Promise<void>;
  /** Everything that is not in the ledger yet. */
  importAll(): Promise<ImportReport>;
}

/** Below this a first start imports everything before the door opens. */
export const IMPORT_AT_START_BYTES = 20 * 1024 * 1024;
const ROWS_AT_ONCE = 200;
/** In the ledger, once the files of a first start were read. */
export const IMPORT_FINISHED = "import-finished";

export function createImporter(options: ImportOptions): Importer {
  return new FileImporter(options);
}

export function importState(options: ImportOptions): Promise<ImportReport> {
  return createImporter(options).importAll();
}

type Tally = { -readonly [K in keyof Omit<ImportReport, "warnings">]: number } & { warnings: string[] };

class FileImporter implements Importer {
  readonly #options: ImportOptions;
  /** One file at a time: two imports of it would append the same entries. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  async survey(): Promise<{ files: number; bytes: number }> {
    let files = 0;
    let bytes = 0;
    for (const agentId of await findAgents(this.#options.stateDir)) {
      const paths = (await findTranscripts(this.#options.stateDir, agentId)).map(({ path }) => path);
      const index = indexPath(this.#options.stateDir, agentId, this.#options.store);
      for (const path of index === undefined ? paths : [...paths, index]) {
        const found = await sizeOf(path);
        if (!found) continue;
        files += 1;
        bytes += found.size;
      }
    }
    return { files, bytes };
  }

  async isNeeded(): Promise<boolean> {
    if ((await this.#options.ledger.value(IMPORT_FINISHED)) !== undefined) return false;
    if ((await this.survey()).files > 0) return true;
    await this.#noteFinished();
    return false;
  }

  async importIndexes(): Promise<ImportReport> {
    const tally = newTally();
    for (const agentId of await findAgents(this.#options.stateDir)) {
      await this.#inTurn(() => this.#importIndex(agentId, tally));
    }
    return tally;
  }

  importTranscript(sessionId: string): Promise<void> {
    return this.#inTurn(async () => {
      const { ledger } = this.#options;
      const isHalfDone = (await ledger.value(originalFlag(sessionId))) === "importing";
      if (!isHalfDone && (await ledger.transcript(sessionId))) return;
      const key = await ledger.sessionKeyOf(sessionId);
      const found = await this.#findFileOf(sessionId, key === undefined ? DEFAULT_AGENT : ownerOf(key));
      if (found) await this.#importFile(found, newTally(), [], sessionId);
    });
  }

  async importAll(): Promise<ImportReport> {
    const { stateDir } = this.#options;
    const tally = newTally();
    const agents = await findAgents(stateDir);
    // All indexes first: one may name a file in the directory of another agent.
    for (const agentId of agents) await this.#inTurn(() => this.#importIndex(agentId, tally));
    for (const agentId of agents) {
      const owners = await this.#readOwners(agentId);
      const known = await this.#options.ledger.transcripts({ agentId });
      for (const found of await findTranscripts(stateDir, agentId)) {
        await this.#inTurn(() => this.#tryFile(found, tally, known, owners.get(found.file)));
        await nextTurn();
      }
    }
    await this.#noteFinished();
    return tally;
  }

  async importStrays(agentId: string): Promise<void> {
    const { ledger, stateDir, log, merged } = this.#options;
    const files = await findTranscripts(stateDir, agentId);
    const known = await ledger.transcripts({ agentId });
    const names = new Set(known.flatMap((one) => [one.file, one.mirroredFile]));
    const strays = files.filter(({ file }) => !names.has(file));
    if (strays.length === 0) return;
    const owners = await this.#readOwners(agentId);
    const tally = newTally();
    for (const found of strays) await this.#inTurn(() => this.#tryFile(found, tally, known, owners.get(found.file)));
    if (tally.transcripts > 0)
      log.info("Another program left conversations; they were taken over", { agentId, transcripts: tally.transcripts });
    const { recoveredSessions: count } = tally;
    if (count > 0) await merged?.(`${count} conversation${count === 1 ? "" : "s"} of ${agentId} that no index names`);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #noteFinished(): Promise<void> {
    const { ledger, clock } = this.#options;
    await ledger.commit([{ kind: "value-put", key: IMPORT_FINISHED, value: String(clock.now()) }]);
  }

  async #importIndex(agentId: string, tally: Tally): Promise<void> {
    const { importIndex } = await import("./import-index.ts");
    const outcome = await importIndex({ ...this.#options, agentId, warn: (text) => this.#warn(tally, text) });
    if (outcome.kind === "imported") tally.sessions += outcome.sessions;
    if (outcome.kind === "known") tally.skippedFiles += 1;
  }

  /** File name → session id, as the ledger's sessions tell. */
  async #readOwners(agentId: string): Promise<Map<string, string>> {
    const owners = new Map<string, string>();
    for (let offset = 0; ; offset += ROWS_AT_ONCE) {
      const rows = await this.#options.ledger.sessions({
        agentId,
        includeGlobal: true,
        includeUnknown: true,
        includeHidden: true,
        limit: ROWS_AT_ONCE,
        offset,
      });
      for (const { entry } of rows) {
        const file = entry.sessionFile === undefined ? `${entry.sessionId}.jsonl` : basename(entry.sessionFile);
        if (!owners.has(file)) owners.set(file, entry.sessionId);
      }
      if (rows.length < ROWS_AT_ONCE) return owners;
    }
  }

  async #findFileOf(sessionId: string, agentId: string): Promise<FoundTranscript | undefined> {
    const directory = sessionsDirectory(this.#options.stateDir, agentId);
    if (directory === undefined || !isSessionId(sessionId)) return undefined;
    const key = await this.#options.ledger.sessionKeyOf(sessionId);
    const named = key === undefined ? undefined : (await this.#options.ledger.session(key))?.sessionFile;
    for (const file of [named === undefined ? undefined : basename(named), `${sessionId}.jsonl`]) {
      if (file === undefined || !isFileName(file)) continue;
      if (await sizeOf(join(directory, file))) return describeFile(agentId, directory, file);
    }
    const all = await findTranscripts(this.#options.stateDir, agentId);
    return all.find(({ file, archived }) => !archived && sessionIdOfFile(file) === sessionId);
  }

  /** One file that cannot be read must not keep the others out. */
  async #tryFile(
    found: FoundTranscript,
    tally: Tally,
    known: readonly Transcript[],
    sessionId: string | undefined,
  ): Promise<void> {
    try {
      await this.#importFile(found, tally, known, sessionId);
    } catch (error) {
      if (!GatewayError.is(error) || error.code !== "IMPORT_FAILED") throw error;
      this.#warn(tally, error.message);
    }
  }

  async #importFile(
    found: FoundTranscript,
    tally: Tally,
    known: readonly Transcript[],
    sessionId: string | undefined,
  ): Promise<void> {
    const { ledger, clock } = this.#options;
    const seal = await sealOf(this.#options.stateDir, found.path);
    if (seal === undefined) return;
    if ((await ledger.value(seal)) !== undefined) {
      tally.skippedFiles += 1;
      return;
    }
    // A file that a session names is that session's, whatever else had its name.
    const namesakes = sessionId === undefined ? known : [];
    const { takeAsOwn } = await import("./take-as-own.ts");
    const own = await naming(found, () => takeAsOwn(ledger, found, namesakes));
    if (own) this.#countOwn(found, tally, own);
    else await this.#takeStranger(found, tally, sessionId);
    await ledger.commit([{ kind: "value-put", key: seal, value: String(clock.now()) }]);
  }

  #countOwn({ path }: FoundTranscript, tally: Tally, own: OwnFile): void {
    const added = own.kind === "ours" ? own.added : 0;
    tally.entries += added;
    if (added > 0) tally.transcripts += 1;
    else tally.skippedFiles += 1;
    if (own.kind === "other")
      this.#warn(tally, `${path} has the name of a conversation that was ended and holds another one; it stays a file`);
  }

  async #takeStranger(found: FoundTranscript, tally: Tally, sessionId: string | undefined): Promise<void> {
    const done = await this.#readInto(found, sessionId);
    tally.transcripts += 1;
    tally.entries += done.entries;
    tally.unreadableLines += done.unreadable;
    if (!found.archived && (await this.#ensureSession(found, done))) tally.recoveredSessions += 1;
  }

  async #readInto(found: FoundTranscript, sessionId: string | undefined): Promise<TranscriptImport> {
    const { ledger } = this.#options;
    const startedAt = (await sizeOf(found.path))?.mtimeMs ?? this.#options.clock.now();
    const keyOf = async (id: string): Promise<string> =>
      (await ledger.sessionKeyOf(id)) ?? recoveredKey(found.agentId, id);
    const owner = { startedAt, keyOf, ...defined({ sessionId }) };
    const { importTranscriptFile } = await import("./import-transcript.ts");
    return naming(found, () => importTranscriptFile(ledger, found, owner));
  }

  /** A transcript nobody names still is a conversation somebody had. */
  async #ensureSession(found: FoundTranscript, done: TranscriptImport): Promise<boolean> {
    const { ledger } = this.#options;
    if ((await ledger.sessionKeyOf(done.sessionId)) !== undefined) return false;
    // Ended while its import was under way: it can be restored, and must not go on by itself.
    if ((await ledger.transcript(done.sessionId))?.archived) return false;
    const key = recoveredKey(found.agentId, done.sessionId);
    const entry = { sessionId: done.sessionId, updatedAt: done.newest, sessionFile: found.file };
    await ledger.commit([{ kind: "session-put", key, entry }]);
    return true;
  }

  #warn(tally: Tally, text: string): void {
    tally.warnings.push(text);
    this.#options.log.warn(text);
  }
}

/** Whatever goes wrong with a file is told with its name. */
async function naming<T>({ path }: FoundTranscript, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (GatewayError.is(error)) throw error;
    throw new GatewayError("IMPORT_FAILED", `${path} (${String(error)})`, { cause: error });
  }
}

const newTally = (): Tally => ({
  sessions: 0,
  transcripts: 0,
  entries: 0,
  unreadableLines: 0,
  recoveredSessions: 0,
  skippedFiles: 0,
  warnings: [],
});

const recoveredKey = (agentId: string, sessionId: string): string => `agent:${agentId}:recovered:${sessionId}`;
