// Follows the ledger's commits and keeps OpenClaw's files current. It never holds up a turn and never fails one.
import { readdir } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change, CommitNote, Transcript } from "@chela/sdk";
import { errnoOf } from "../../base/files.ts";
import { FileTroubles } from "./file-troubles.ts";
import { writeHomeSession } from "./home-session.ts";
import { readMark, writeMark } from "./mark.ts";
import { sessionsDirectory } from "./paths.ts";
import { reconcile, requirePath, type FileContext } from "./reconcile.ts";
import { ownerOf, writeSessionIndex } from "./session-index.ts";
import { appendEntries, flushToDisk, type Position } from "./transcript-file.ts";

export interface MirrorOptions extends FileContext {
  readonly homeSessionKey: () => string;
}

export interface Mirror {
  /** Begins to follow; the files of an earlier run are put right in the background. */
  start(): void;
  /** Resolves when the files are what the ledger is, or cannot be written. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const WRITE_AFTER_MS = 100;
const RECORD_AFTER_MS = 5_000;
const INDEX_PAUSE_MS = 200;
/** An index rewrite may take a twentieth of the time. */
const INDEX_SHARE = 20;
const KNOWN_FILES = 5_000;
const ROWS_AT_ONCE = 200;

interface KnownFile extends Position {
  readonly file: string;
  readonly cutSeq: number;
}

export function createMirror(options: MirrorOptions): Mirror {
  return new FileMirror(options);
}

class FileMirror implements Mirror {
  readonly #options: MirrorOptions;
  readonly #troubles: FileTroubles;
  /** What we know of files we wrote, so that an append need not read them. */
  readonly #files = new Map<string, KnownFile>();
  #dirtySessions = new Set<string>();
  readonly #dirtyKeys = new Map<string, Set<string>>();
  readonly #indexAllowedAt = new Map<string, number>();
  readonly #unrecorded = new Set<string>();
  #homeIsDirty = false;
  #isChecked = false;
  #leave: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;
  #recordAt = Number.POSITIVE_INFINITY;
  #work: Promise<void> = Promise.resolve();
  #mark = 0;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#troubles = new FileTroubles(options.clock, options.log);
  }

  start(): void {
    this.#leave ??= this.#options.ledger.onCommit((note) => this.#noteCommit(note));
    this.#homeIsDirty = true;
    this.#plan(WRITE_AFTER_MS);
  }

  async flush(): Promise<void> {
    await this.#enqueue(async () => {
      this.#troubles.forgiveAll();
      await this.#writeOut({ urgent: true });
      await this.#record();
    });
  }

  async stop(): Promise<void> {
    this.#leave?.();
    this.#leave = undefined;
    await this.flush();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #noteCommit(note: CommitNote): void {
    if (note.sessionIds.length + note.sessionKeys.length === 0) return;
    for (const id of note.sessionIds) this.#dirtySessions.add(id);
    for (const key of note.sessionKeys) this.#dirtyIndex(ownerOf(key)).add(key);
    if (note.sessionKeys.includes(this.#options.homeSessionKey())) this.#homeIsDirty = true;
    this.#plan(WRITE_AFTER_MS);
  }

  #dirtyIndex(agentId: string): Set<string> {
    const known = this.#dirtyKeys.get(agentId);
    if (known) return known;
    const keys = new Set<string>();
    this.#dirtyKeys.set(agentId, keys);
    return keys;
  }

  #plan(ms: number): void {
    this.#cancelTimer ??= this.#options.clock.after(ms, () => {
      this.#cancelTimer = undefined;
      void this.#enqueue(() => this.#cycle());
    });
  }

  /** One piece of work after the other: two writers never meet in one file. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => this.#troubles.report("the mirror", error));
    return this.#work;
  }

  async #cycle(): Promise<void> {
    try {
      await this.#writeOut({ urgent: false });
      if (this.#options.clock.now() >= this.#recordAt) await this.#record();
    } finally {
      this.#planNext();
    }
  }

  #planNext(): void {
    if (!this.#leave) return;
    const now = this.#options.clock.now();
    const times = [this.#recordAt, this.#troubles.nextTry];
    if (this.#dirtySessions.size > 0) times.push(now + WRITE_AFTER_MS);
    for (const agentId of this.#dirtyKeys.keys()) {
      if (this.#troubles.isWaiting(`index:${agentId}`)) continue;
      times.push(Math.max(now + WRITE_AFTER_MS, this.#indexAllowedAt.get(agentId) ?? 0));
    }
    const next = Math.min(...times);
    if (Number.isFinite(next)) this.#plan(Math.max(1, next - now));
  }

  async #writeOut({ urgent }: { readonly urgent: boolean }): Promise<void> {
    for (const id of this.#troubles.due()) this.#noteDue(id);
    if (!this.#isChecked) await this.#checkOnce();
    const sessions = this.#dirtySessions;
    this.#dirtySessions = new Set();
    for (const id of sessions) await this.#attempt(`session:${id}`, () => this.#writeSession(id));
    const now = this.#options.clock.now();
    // A copy: keys that become dirty while one index is written wait for the next round.
    for (const agentId of Array.from(this.#dirtyKeys.keys())) {
      if (!urgent && now < (this.#indexAllowedAt.get(agentId) ?? 0)) continue;
      await this.#attempt(`index:${agentId}`, () => this.#writeIndex(agentId));
    }
    if (this.#homeIsDirty) await this.#attempt("home:", () => this.#writeHome());
  }

  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    if (this.#troubles.isWaiting(what)) return;
    try {
      await work();
      this.#troubles.succeeded(what);
    } catch (error) {
      this.#troubles.failed(what, error);
    }
  }

  #noteDue(what: string): void {
    const [kind, name] = [what.slice(0, what.indexOf(":")), what.slice(what.indexOf(":") + 1)];
    if (kind === "session") this.#dirtySessions.add(name);
    else if (kind === "index") this.#dirtyIndex(name);
    else if (kind === "home") this.#homeIsDirty = true;
    else this.#isChecked = false;
  }

  async #writeSession(sessionId: string): Promise<void> {
    const transcript = await this.#options.ledger.transcript(sessionId);
    if (!transcript) return;
    if (transcript.sessionKey === this.#options.homeSessionKey()) this.#homeIsDirty = true;
    const known = this.#files.get(sessionId);
    if (
      known &&
      known.seq >= transcript.lastSeq &&
      known.file === transcript.file &&
      known.cutSeq === transcript.cutSeq
    )
      return;
    await this.#raiseMark(transcript.lastSeq);
    this.#files.delete(sessionId);
    const position =
      (await this.#append(transcript, known)) ??
      (await this.#reconcile(transcript, known?.file ?? transcript.mirroredFile));
    if (position) this.#remember(transcript, position);
  }

  async #append(transcript: Transcript, known: KnownFile | undefined): Promise<Position | undefined> {
    if (!known || known.file !== transcript.file || known.cutSeq !== transcript.cutSeq) return undefined;
    const path = requirePath(this.#options.stateDir, transcript);
    return appendEntries(path, this.#options.ledger, transcript, known);
  }

  #reconcile(transcript: Transcript, previous: string | undefined): Promise<Position | undefined> {
    return reconcile(this.#options, transcript, previous === undefined ? [] : [previous]);
  }

  #remember(transcript: Transcript, position: Position): void {
    const { sessionId, file, cutSeq } = transcript;
    this.#files.set(sessionId, { ...position, file, cutSeq });
    const oldest = this.#files.size > KNOWN_FILES ? this.#files.keys().next().value : undefined;
    if (oldest !== undefined) this.#files.delete(oldest);
    this.#unrecorded.add(sessionId);
    if (this.#recordAt === Number.POSITIVE_INFINITY) this.#recordAt = this.#options.clock.now() + RECORD_AFTER_MS;
  }

  async #raiseMark(seq: number): Promise<void> {
    if (seq <= this.#mark) return;
    this.#mark = seq;
    await writeMark(this.#options.stateDir, seq);
  }

  async #writeIndex(agentId: string): Promise<void> {
    const { ledger, stateDir, clock } = this.#options;
    const began = clock.now();
    this.#dirtyKeys.delete(agentId);
    // What changes from here on is noted in a new set, which the writer looks at as it goes.
    const changed = new Set<string>();
    const leave = ledger.onCommit((note) => note.sessionKeys.forEach((key) => changed.add(key)));
    try {
      await writeSessionIndex({ ledger, stateDir, agentId, changed, replacesAt: began });
    } finally {
      leave();
      const ended = clock.now();
      this.#indexAllowedAt.set(agentId, ended + Math.max(INDEX_PAUSE_MS, INDEX_SHARE * (ended - began)));
    }
  }

  async #writeHome(): Promise<void> {
    this.#homeIsDirty = false;
    const { ledger, stateDir, homeSessionKey } = this.#options;
    await writeHomeSession(ledger, stateDir, homeSessionKey());
  }

  /** Once per run: finds what an earlier one left undone, and files that are gone although they were written. */
  async #checkOnce(): Promise<void> {
    this.#isChecked = true;
    await this.#attempt("check:", async () => {
      this.#mark = Math.max(this.#mark, await readMark(this.#options.stateDir));
      await this.#catchUp();
      await this.#findMissing();
    });
  }

  /** In batches: a recorded file leaves the list, one that failed stays and makes the next batch longer. */
  async #catchUp(): Promise<void> {
    const seen = new Set<string>();
    for (let stuck = 0; ;) {
      const rows = await this.#options.ledger.unmirrored(ROWS_AT_ONCE + stuck);
      const fresh = rows.filter(({ sessionId }) => !seen.has(sessionId));
      if (fresh.length === 0) return;
      for (const { sessionId } of fresh) {
        seen.add(sessionId);
        await this.#attempt(`session:${sessionId}`, () => this.#writeSession(sessionId));
        if (!this.#unrecorded.has(sessionId)) stuck += 1;
      }
      await this.#record();
    }
  }

  async #findMissing(): Promise<void> {
    const present = new Map<string, Set<string>>();
    for (let offset = 0; ; offset += ROWS_AT_ONCE) {
      const rows = await this.#options.ledger.sessions({
        includeGlobal: true,
        includeUnknown: true,
        includeHidden: true,
        limit: ROWS_AT_ONCE,
        offset,
      });
      for (const { key, entry } of rows) {
        const agentId = ownerOf(key);
        this.#dirtyIndex(agentId);
        const files = present.get(agentId) ?? (await this.#listFiles(agentId));
        present.set(agentId, files);
        const transcript = await this.#options.ledger.transcript(entry.sessionId);
        if (transcript && !files.has(transcript.file)) this.#dirtySessions.add(entry.sessionId);
      }
      if (rows.length < ROWS_AT_ONCE) return;
      await nextTurn();
    }
  }

  async #listFiles(agentId: string): Promise<Set<string>> {
    const directory = sessionsDirectory(this.#options.stateDir, agentId);
    try {
      return new Set(directory === undefined ? [] : await readdir(directory));
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return new Set();
      throw error;
    }
  }

  /** Tells the ledger how far the files are, once they are on the disk and not only with the operating system. */
  async #record(): Promise<void> {
    this.#recordAt = this.#options.clock.now() + RECORD_AFTER_MS;
    const changes: Change[] = [];
    for (const sessionId of this.#unrecorded) {
      const known = this.#files.get(sessionId);
      const transcript = known && (await this.#options.ledger.transcript(sessionId));
      // Cut meanwhile: recording now would hide that the file still has to be written again.
      if (!known || !transcript || known.cutSeq !== transcript.cutSeq) continue;
      if (!(await this.#isOnDisk(requirePath(this.#options.stateDir, transcript, known.file)))) continue;
      changes.push({ kind: "mirrored", sessionId, seq: known.seq, file: known.file });
    }
    if (changes.length > 0) await this.#options.ledger.commit(changes);
    this.#unrecorded.clear();
    this.#recordAt = Number.POSITIVE_INFINITY;
  }

  async #isOnDisk(path: string): Promise<boolean> {
    try {
      await flushToDisk(path);
      return true;
    } catch (error) {
      // Not recorded, so the next start looks at this file again.
      this.#troubles.report(path, error);
      return false;
    }
  }
}
