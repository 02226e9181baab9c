// Follows the ledger's commits and keeps OpenClaw's files current. It never holds up a turn and never fails one.
import { mkdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change, CommitNote, Ids, Transcript } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { findAgents, sessionIdOfFile } from "../import/find-files.ts";
import type { Importer } from "../import/importer.ts";
import type { Guards } from "../import/merge-index.ts";
import { OPENCLAW_HELD_AT_MOST_MS, tryLock } from "../../../base/locks/lock-file.ts";
import { bytesOf } from "./file-stamp.ts";
import { FileTroubles } from "./file-troubles.ts";
import { HomeFile } from "./home-file.ts";
import { IndexFiles } from "./index-files.ts";
import { readMark, writeMark } from "./mark.ts";
import { liveName, sessionsDirectory, transcriptPath } from "./paths.ts";
import { reconcile, requirePath, takeNews, type FileContext } from "./reconcile.ts";
import { ownerOf } from "./session-index.ts";
import { appendEntries, flushToDisk, type Position } from "./transcript-file.ts";
import { watchSessions, type SessionsWatch } from "./watch-sessions.ts";

export interface MirrorOptions extends Omit<FileContext, "guards"> {
  readonly homeSessionKey: () => string;
  readonly ids: Ids;
  /** Where the configuration says that the session indexes are. */
  readonly store?: string;
  /** Nobody is kept out where there is nobody else: in a program that only mirrors. */
  readonly guards?: Guards;
  /** Brings files into the ledger that another program made. */
  readonly strangers?: Pick<Importer, "importTranscript" | "importStrays">;
}

const NOBODY_ELSE: Guards = { session: (_, work) => work(), transcript: (_, work) => work(), isBusy: () => false };

export interface Mirror {
  /** Takes over what other programs wrote since the last run. */
  takeOver(): Promise<void>;
  /** The same for the file of the home session alone. */
  takeOverHome(): Promise<void>;
  /** Takes over what another program wrote of this session a moment ago. To be awaited before a turn of it. */
  heed(sessionKey: string): Promise<void>;
  /** Begins to follow; the files of an earlier run are put right in the background. */
  start(): void;
  /** Resolves when the files are what the ledger is, or cannot be written. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const INDEX_FILE = "sessions.json";
const WRITE_AFTER_MS = 100;
/** Only spares the next start a look at the files; each time costs a flush of theirs and one of the ledger. */
const RECORD_AFTER_MS = 30_000;
const INDEX_PAUSE_MS = 200;
/** Another program's write is a matter of milliseconds; several of them are looked at together. */
const LOOK_AFTER_MS = 250;
/** How soon a file is tried again that another program holds: an index for a moment, a transcript for a turn. */
const HELD_PAUSE_MS = { index: 100, transcript: 500 };
/**
 * How long an index rests for each of its bytes, so that writing it (some ten milliseconds per megabyte) takes no more than
 * a twentieth of the time. By its size and not by the clock: on a busy machine a small one would rest for seconds.
 */
const INDEX_PAUSE_PER_BYTE_MS = 200 / 1_000_000;
/** Files of different sessions do not wait for each other. */
const SESSIONS_AT_ONCE = 16;
/** How long files are written before others have their turn. */
const AT_A_TIME_MS = 5;
/**
 * The same as a share of the time others had: on a busy loop a turn of theirs may be half a second, and with five
 * milliseconds in between the files of some hundred sessions would be further behind with each turn.
 */
const SHARE = 1 / 4;
/** Flushing a file takes three turns of the loop. What changed meanwhile is written before the next ones are flushed. */
const RECORDED_AT_ONCE = 16;
const KNOWN_FILES = 5_000;
const ROWS_AT_ONCE = 200;

interface KnownFile extends Position {
  readonly file: string;
  readonly cutSeq: number;
}

function isCurrent(known: KnownFile, { lastSeq, file, cutSeq }: Transcript): boolean {
  return known.seq >= lastSeq && known.file === file && known.cutSeq === cutSeq;
}

export function createMirror(options: MirrorOptions): Mirror {
  return new FileMirror(options);
}

class FileMirror implements Mirror {
  readonly #options: MirrorOptions & FileContext;
  readonly #troubles: FileTroubles;
  readonly #indexes: IndexFiles;
  readonly #home: HomeFile;
  #watch: SessionsWatch | undefined;
  /** Agents whose index, and files that somebody may have written: `<agent>/<file>`. */
  readonly #noticed = new Set<string>();
  /** Sessions whose file is being written by ourselves, until it is. */
  readonly #writing = new Map<string, Promise<void>>();
  /** Agents whose index is. */
  readonly #writingIndex = new Set<string>();
  /** What we know of files we wrote, so that an append need not read them. */
  readonly #files = new Map<string, KnownFile>();
  #dirtySessions = new Set<string>();
  /** Sessions whose file another program holds, with the length it had when we read it last. */
  readonly #held = new Map<string, number | undefined>();
  readonly #dirtyKeys = new Map<string, Set<string>>();
  readonly #indexAllowedAt = new Map<string, number>();
  readonly #unrecorded = new Set<string>();
  #homeIsDirty = false;
  #isChecked = false;
  #leave: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;
  #timerAt = 0;
  #isCycleQueued = false;
  #recordAt = Number.POSITIVE_INFINITY;
  #work: Promise<void> = Promise.resolve();
  #mark = 0;

  constructor(options: MirrorOptions) {
    this.#options = { guards: NOBODY_ELSE, ...options };
    this.#indexes = new IndexFiles({
      ...this.#options,
      takeTranscript: async (sessionId) => options.strangers?.importTranscript(sessionId),
    });
    this.#home = new HomeFile(this.#options);
    this.#troubles = new FileTroubles(options.clock, options.log);
  }

  async takeOver(): Promise<void> {
    await this.#enqueue(async () => {
      for (const agentId of await findAgents(this.#options.stateDir)) {
        await this.#attempt(`heed:${agentId}`, () => this.#takeOverAgent(agentId));
      }
    });
  }

  async takeOverHome(): Promise<void> {
    await this.#enqueue(() => this.#attempt("home:", () => this.#home.takeOver(this.#options.homeSessionKey())));
  }

  async heed(sessionKey: string): Promise<void> {
    const agentId = ownerOf(sessionKey);
    const entry = await this.#options.ledger.session(sessionKey);
    // While it is written nobody can tell whether somebody else wrote into it as well.
    if (entry) await this.#writing.get(entry.sessionId);
    const isOurs = this.#writingIndex.has(agentId) || (await this.#indexes.isOurs(agentId));
    if (isOurs && (!entry || (await this.#isFileOurs(entry.sessionId, agentId)))) return;
    await this.#enqueue(async () => {
      await this.#heedIndex(agentId);
      const now = await this.#options.ledger.session(sessionKey);
      if (now) await this.#look(now.sessionId);
    });
  }

  start(): void {
    this.#watch ??= watchSessions({ ...this.#options, changed: (agentId, file) => this.#notice(agentId, file) });
    this.#leave ??= this.#options.ledger.onCommit((note) => this.#noteCommit(note));
    this.#homeIsDirty = true;
    this.#plan(WRITE_AFTER_MS);
  }

  async flush(): Promise<void> {
    await this.#enqueue(async () => {
      this.#troubles.forgiveAll();
      await this.#writeOut({ urgent: true });
      await this.#recordAll();
    });
  }

  async stop(): Promise<void> {
    this.#watch?.[Symbol.dispose]();
    this.#watch = undefined;
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

  /** What is planned for later does not hold up what is due sooner. */
  #plan(ms: number): void {
    const at = this.#options.clock.steady() + ms;
    if (this.#cancelTimer && this.#timerAt <= at) return;
    this.#cancelTimer?.();
    this.#timerAt = at;
    this.#cancelTimer = this.#options.clock.after(ms, () => {
      this.#cancelTimer = undefined;
      // One that waits behind a long one does for all that came meanwhile.
      if (this.#isCycleQueued) return;
      this.#isCycleQueued = true;
      void this.#enqueue(() => this.#cycle());
    });
  }

  #notice(agentId: string, file: string | undefined): void {
    if (file !== undefined && file !== INDEX_FILE && !file.endsWith(".jsonl")) return;
    this.#noticed.add(`${agentId}/${file ?? INDEX_FILE}`);
    this.#plan(LOOK_AFTER_MS);
  }

  /** One piece of work after the other: two writers never meet in one file. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => this.#troubles.report("the mirror", error));
    return this.#work;
  }

  async #cycle(): Promise<void> {
    this.#isCycleQueued = false;
    try {
      await this.#writeOut({ urgent: false });
      if (this.#options.clock.steady() >= this.#recordAt) await this.#recordSome();
    } finally {
      this.#planNext();
    }
  }

  #planNext(): void {
    if (!this.#leave) return;
    const now = this.#options.clock.steady();
    const times = [this.#recordAt, this.#troubles.nextTry];
    if (this.#dirtySessions.size > 0) times.push(now + WRITE_AFTER_MS);
    if (this.#held.size > 0) times.push(now + HELD_PAUSE_MS.transcript);
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
    await this.#lookAtNoticed();
    for (const agentId of this.#dirtyKeys.keys()) await this.#heedIndex(agentId);
    const sessions = new Set([...this.#dirtySessions, ...this.#held.keys()]);
    this.#dirtySessions = new Set();
    await this.#writeSessions([...sessions]);
    const now = this.#options.clock.steady();
    // A copy: keys that become dirty while one index is written wait for the next round.
    for (const agentId of Array.from(this.#dirtyKeys.keys())) {
      if (!urgent && now < (this.#indexAllowedAt.get(agentId) ?? 0)) continue;
      await this.#attempt(`index:${agentId}`, () => this.#writeIndex(agentId));
    }
    if (this.#homeIsDirty) await this.#attempt("home:", () => this.#writeHome());
  }

  async #heedIndex(agentId: string): Promise<void> {
    await this.#attempt(`heed:${agentId}`, async () => {
      // What is only here, or has to be hung anew, is written with the next round.
      if (await this.#indexes.heed(agentId)) this.#dirtyIndex(agentId);
    });
  }

  async #lookAtNoticed(): Promise<void> {
    const noticed = [...this.#noticed];
    this.#noticed.clear();
    for (const what of noticed) {
      const [agentId = "", file = ""] = what.split("/");
      if (file === INDEX_FILE) await this.#heedIndex(agentId);
      const sessionId = file === INDEX_FILE ? undefined : sessionIdOfFile(file);
      if (sessionId !== undefined && !(await this.#isFileOurs(sessionId, agentId))) await this.#look(sessionId);
    }
  }

  async #look(sessionId: string): Promise<void> {
    await this.#attempt(`session:${sessionId}`, async () => {
      const { ledger, strangers } = this.#options;
      // Its row may have been there long before its file.
      const isKnown = (await ledger.transcript(sessionId)) || (await ledger.sessionKeyOf(sessionId)) === undefined;
      if (isKnown) await this.#writeSession(sessionId);
      else await strangers?.importTranscript(sessionId);
    });
  }

  async #takeOverAgent(agentId: string): Promise<void> {
    await this.#heedIndex(agentId);
    for (const { sessionId } of await this.#options.ledger.transcripts({ agentId })) {
      if (!(await this.#isFileOurs(sessionId, agentId))) await this.#look(sessionId);
    }
    await this.#options.strangers?.importStrays(agentId);
  }

  /** Whether the file is as long as we left it. One that is gone was put away or has to be written: not here. */
  async #isFileOurs(sessionId: string, agentId: string): Promise<boolean> {
    if (this.#writing.has(sessionId)) return true;
    const { ledger, stateDir } = this.#options;
    const transcript = await ledger.transcript(sessionId);
    if (!transcript) return bytesOf(transcriptPath(stateDir, agentId, `${sessionId}.jsonl`) ?? "") === undefined;
    const known = this.#files.get(sessionId);
    const path = requirePath(stateDir, transcript, known?.file ?? transcript.mirroredFile);
    const size = bytesOf(path);
    return size === undefined || size === (known?.size ?? transcript.mirroredSize);
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
    else if (kind === "index" || kind === "heed") this.#dirtyIndex(name);
    else if (kind === "home") this.#homeIsDirty = true;
    else this.#isChecked = false;
  }

  async #writeSessions(ids: readonly string[]): Promise<void> {
    const { clock } = this.#options;
    const left = ids.values();
    let since = clock.steady();
    let mayTakeMs = AT_A_TIME_MS;
    const worker = async (): Promise<void> => {
      for (const id of left) {
        await this.#attempt(`session:${id}`, () => this.#writeSession(id));
        const paused = clock.steady();
        if (paused - since < mayTakeMs) continue;
        await nextTurn();
        since = clock.steady();
        mayTakeMs = Math.max(AT_A_TIME_MS, (since - paused) * SHARE);
      }
    };
    await Promise.all(Array.from({ length: SESSIONS_AT_ONCE }, worker));
  }

  async #writeSession(sessionId: string): Promise<void> {
    const transcript = await this.#options.ledger.transcript(sessionId);
    if (!transcript) return;
    if (transcript.sessionKey === this.#options.homeSessionKey()) this.#homeIsDirty = true;
    const known = this.#files.get(sessionId);
    if (known && isCurrent(known, transcript) && (await this.#isFileOurs(sessionId, transcript.agentId))) return;
    this.#raiseMark(transcript.lastSeq);
    const written = Promise.withResolvers<void>();
    this.#writing.set(sessionId, written.promise);
    try {
      this.#files.delete(sessionId);
      const position =
        (await this.#append(transcript, known)) ??
        (await this.#reconcile(transcript, known?.file ?? transcript.mirroredFile));
      // As it was when it was written: one that was archived or cut meanwhile is seen to be behind, and comes again.
      if (position) this.#remember(transcript, position);
    } finally {
      this.#writing.delete(sessionId);
      written.resolve();
    }
  }

  async #append(transcript: Transcript, known: KnownFile | undefined): Promise<Position | undefined> {
    if (!known || known.file !== transcript.file || known.cutSeq !== transcript.cutSeq) return undefined;
    const path = requirePath(this.#options.stateDir, transcript);
    return appendEntries(path, this.#options.ledger, transcript, known);
  }

  /** May replace the file, so not while another program is at it: what that one appends would be lost. */
  async #reconcile(transcript: Transcript, previous = transcript.file): Promise<Position | undefined> {
    const { sessionId } = transcript;
    const path = requirePath(this.#options.stateDir, transcript, liveName(previous));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const release = tryLock(`${path}.lock`, this.#options.clock, OPENCLAW_HELD_AT_MOST_MS.transcript);
    if (!release) return this.#readHeld(transcript, path);
    this.#held.delete(sessionId);
    try {
      return await reconcile(this.#options, transcript, [previous]);
    } finally {
      release();
    }
  }

  /** Tried again until it is free; what is in it can be known before. */
  async #readHeld(transcript: Transcript, path: string): Promise<undefined> {
    const { sessionId } = transcript;
    const size = bytesOf(path);
    if (size !== undefined && size !== this.#held.get(sessionId)) await takeNews(this.#options, transcript, path);
    this.#held.set(sessionId, size);
  }

  #remember(transcript: Transcript, position: Position): void {
    const { sessionId, file, cutSeq } = transcript;
    this.#files.set(sessionId, { ...position, file, cutSeq });
    const oldest = this.#files.size > KNOWN_FILES ? this.#files.keys().next().value : undefined;
    if (oldest !== undefined) this.#files.delete(oldest);
    this.#unrecorded.add(sessionId);
    this.#planRecord();
  }

  #planRecord(): void {
    if (this.#recordAt === Number.POSITIVE_INFINITY) this.#recordAt = this.#options.clock.steady() + RECORD_AFTER_MS;
  }

  #raiseMark(seq: number): void {
    if (seq <= this.#mark) return;
    writeMark(this.#options.stateDir, seq);
    this.#mark = seq;
  }

  async #writeIndex(agentId: string): Promise<void> {
    const { ledger, clock } = this.#options;
    this.#watch?.follow(agentId);
    this.#dirtyKeys.delete(agentId);
    // What changes from here on is noted in a new set, which the writer looks at as it goes.
    const changed = new Set<string>();
    const leave = ledger.onCommit((note) => note.sessionKeys.forEach((key) => changed.add(key)));
    this.#writingIndex.add(agentId);
    try {
      if ((await this.#indexes.write(agentId, changed)) === "held") this.#dirtyIndex(agentId);
      this.#planRecord();
    } finally {
      this.#writingIndex.delete(agentId);
      leave();
      const pause = this.#dirtyKeys.has(agentId) ? HELD_PAUSE_MS.index : INDEX_PAUSE_MS;
      const forSize = this.#indexes.bytesOf(agentId) * INDEX_PAUSE_PER_BYTE_MS;
      this.#indexAllowedAt.set(agentId, clock.steady() + Math.max(pause, forSize));
    }
  }

  async #writeHome(): Promise<void> {
    this.#homeIsDirty = false;
    await this.#home.write(this.#options.homeSessionKey());
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
      const ids = fresh.map(({ sessionId }) => sessionId);
      for (const id of ids) seen.add(id);
      await this.#writeSessions(ids);
      stuck += ids.filter((id) => !this.#unrecorded.has(id)).length;
      await this.#recordAll();
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

  async #recordAll(): Promise<void> {
    do await this.#recordSome();
    while (this.#unrecorded.size > 0);
  }

  /** Tells the ledger how far the files are, the oldest first, once they are on the disk and not only with the operating system. */
  async #recordSome(): Promise<void> {
    const { clock, ledger } = this.#options;
    this.#recordAt = clock.steady() + RECORD_AFTER_MS;
    const sessionIds = [...this.#unrecorded].slice(0, RECORDED_AT_ONCE);
    const recorded = await Promise.all(sessionIds.map((sessionId) => this.#recordOf(sessionId)));
    const changes = [...this.#indexes.takeUnrecorded(), ...this.#home.takeUnrecorded(), ...recorded.flat()];
    if (changes.length > 0) await ledger.commit(changes);
    for (const sessionId of sessionIds) this.#unrecorded.delete(sessionId);
    this.#recordAt = this.#unrecorded.size > 0 ? clock.steady() : Number.POSITIVE_INFINITY;
  }

  async #recordOf(sessionId: string): Promise<Change[]> {
    const known = this.#files.get(sessionId);
    const transcript = known && (await this.#options.ledger.transcript(sessionId));
    // Cut meanwhile: recording now would hide that the file still has to be written again.
    if (!known || !transcript || known.cutSeq !== transcript.cutSeq) return [];
    if (!(await this.#isOnDisk(requirePath(this.#options.stateDir, transcript, known.file)))) return [];
    return [{ kind: "mirrored", sessionId, seq: known.seq, file: known.file, size: known.size }];
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
