// Brings the index in step with the notes on the disk: what is new or changed is read, what is gone leaves.
import { hash as hashOf } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { Clock } from "@chela/sdk";
import type { IndexSettings, Progress, SyncAnswer } from "../../messages.ts";
import { chunkText, hashOfChunk, TextChunker, type TextChunk } from "./chunk-text.ts";
import type { ChunkTable } from "./chunk-table.ts";
import { findNotes, type FoundNotes, type NoteFile } from "./find-notes.ts";
import { lookAhead, type LookedNote } from "./look-ahead.ts";
import type { Store } from "../store/opened-store.ts";
import { readTexts, type NoteLook } from "./read-note.ts";

export interface NoteSyncParts {
  readonly store: Store;
  readonly chunks: ChunkTable;
  readonly settings: IndexSettings;
  readonly clock: Clock;
  progressed(progress: Progress): void;
  /** Some more chunks are there, which have no vectors yet. */
  added(): void;
  isClosed(): boolean;
}

/** What the index knows of a file. No hash: it has to be read, whatever its time says. */
interface KnownFile {
  readonly hash: string;
  readonly mtime: number;
  readonly size: number;
  readonly note: string;
}

/** Another way to cut notes: they are cut anew. */
const CHUNKING_VERSION = 1;
const CHUNKING_KEY = "chunking";
const MOST_TOGETHER = 32;
const MOST_CHARS_TOGETHER = 100_000;
const PROGRESS_EVERY_MS = 1_000;

export class NoteSync {
  readonly #parts: NoteSyncParts;
  #notes: readonly string[] = [];
  #progress: Progress | undefined;
  #toldAt = -Infinity;
  #waiting: { writes: (() => void)[]; chars: number } = { writes: [], chars: 0 };

  constructor(parts: NoteSyncParts) {
    this.#parts = parts;
  }

  get progress(): Progress | undefined {
    return this.#progress;
  }

  /** What the last one had to say. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  async run(isForced: boolean): Promise<SyncAnswer> {
    const { settings, store, chunks } = this.#parts;
    try {
      const found = await findNotes(settings.workspace, settings.extraPaths);
      const known = this.#known();
      const removed = this.#removeGone(found, known);
      const { read, changed, notes } = await this.#readChanged(found, known, isForced);
      if (!this.#parts.isClosed()) store.setMeta(CHUNKING_KEY, this.#chunking);
      this.#notes = [...found.notes, ...notes];
      return { files: found.files.length, read, changed, removed, chunks: chunks.count, notes: this.#notes };
    } finally {
      this.#progress = undefined;
      this.#waiting = { writes: [], chars: 0 };
    }
  }

  get #chunking(): string {
    const { tokens, overlap } = this.#parts.settings.chunking;
    return `${CHUNKING_VERSION}/${tokens}/${overlap}`;
  }

  /** An index that was taken over keeps its chunks, however they were cut. */
  #known(): Map<string, KnownFile> {
    const { store } = this.#parts;
    const chunking = store.meta(CHUNKING_KEY) ?? this.#chunking;
    const isCutOtherwise = chunking !== this.#chunking;
    const rows = store.statement("SELECT path, hash, mtime, size, note FROM files WHERE source = 'memory'").all();
    return new Map(
      rows.map(({ path, hash, mtime, size, note }) => [
        String(path),
        {
          hash: isCutOtherwise ? "" : String(hash),
          mtime: Number(mtime),
          size: Number(size),
          note: String(note),
        },
      ]),
    );
  }

  #removeGone({ files, unread }: FoundNotes, known: ReadonlyMap<string, KnownFile>): number {
    const there = new Set(files.map(({ path }) => path));
    const mayBeThere = (path: string) => unread.some((folder) => path === folder || path.startsWith(`${folder}/`));
    const gone = [...known.keys()].filter((path) => !there.has(path) && !mayBeThere(path));
    for (const path of gone) {
      this.#parts.store.transaction(() => {
        this.#parts.chunks.remove(this.#parts.chunks.numbersOf(path));
        this.#parts.store.statement("DELETE FROM files WHERE path = ?").run(path);
      });
    }
    return gone.length;
  }

  async #readChanged({ files }: FoundNotes, known: ReadonlyMap<string, KnownFile>, isForced: boolean) {
    const isLeft = (file: NoteFile) => {
      const before = known.get(file.path);
      return before === undefined || isForced || !isSame(file, before);
    };
    const left = files.filter(isLeft);
    const notes = files.flatMap((file) => (isLeft(file) ? [] : (known.get(file.path)?.note ?? []))).filter(Boolean);
    let [done, read, changed] = [files.length - left.length, 0, 0];
    for await (const looked of lookAhead(left)) {
      if (this.#parts.isClosed()) break;
      const outcome = await this.#take(looked, known.get(looked.file.path));
      if (outcome.isRead) read++;
      if (outcome.isChanged) changed++;
      if (outcome.note !== undefined) notes.push(outcome.note);
      this.#tell({ phase: "text", done: (done += 1), of: files.length });
    }
    this.#commit();
    if (changed > 0) this.#tell({ phase: "text", done: files.length, of: files.length }, true);
    return { read, changed, notes };
  }

  async #take(
    looked: LookedNote,
    before: KnownFile | undefined,
  ): Promise<{ isRead: boolean; isChanged: boolean; note?: string }> {
    const { file } = looked;
    try {
      if (looked.kind === "failed") throw looked.error;
      const { look, handle } = looked;
      if (look.kind === "refused") return this.#refuse(file, look, before);
      if (look.hash === before?.hash && before.note === "") {
        if (!isSame(file, before)) this.#write(file, look.hash, "");
        return { isRead: true, isChanged: false };
      }
      const keepsSame = before?.hash !== "";
      if (look.kind === "text") this.#cutShort(file, look, keepsSame);
      else if (handle) await this.#cutLong(file, look.hash, handle, keepsSame);
      return { isRead: true, isChanged: true };
    } catch (error) {
      const code = typeof error === "object" && error && "code" in error ? error.code : undefined;
      // Of the disk, not of the index; what is known of the note stays.
      if (typeof code !== "string" || code.startsWith("ERR_SQLITE")) throw error;
      return { isRead: false, isChanged: false, note: `${file.path} cannot be read (${code}).` };
    }
  }

  #refuse(file: NoteFile, look: NoteLook & { kind: "refused" }, before: KnownFile | undefined) {
    const note = `${file.path} ${look.why}; it is not read.`;
    this.#parts.store.transaction(() => {
      this.#parts.chunks.remove(this.#parts.chunks.numbersOf(file.path));
      this.#write(file, look.hash, note);
    });
    return { isRead: true, isChanged: before?.note !== note, note };
  }

  #cutShort(file: NoteFile, { text, hash }: NoteLook & { kind: "text" }, keepsSame: boolean): void {
    const cut = chunkText(text, this.#parts.settings.chunking);
    this.#writeSoon(text.length, () => {
      const replacing = this.#replace(file.path, keepsSame);
      replacing.put(cut);
      replacing.removeRest();
      this.#write(file, hash, "");
    });
  }

  /** In several transactions; it counts as read after the last. */
  async #cutLong(file: NoteFile, hash: string, handle: FileHandle, keepsSame: boolean): Promise<void> {
    const { store } = this.#parts;
    const chunker = new TextChunker(this.#parts.settings.chunking);
    this.#commit();
    const replacing = store.transaction(() => {
      this.#write(file, "", "");
      return this.#replace(file.path, keepsSame);
    });
    for await (const text of readTexts(handle)) {
      if (this.#parts.isClosed()) return;
      const cut = chunker.write(text);
      store.transaction(() => replacing.put(cut));
    }
    store.transaction(() => {
      replacing.put(chunker.end());
      replacing.removeRest();
      this.#write(file, hash, "");
    });
  }

  /** Small notes are written together: a commit costs as much as a note does. */
  #writeSoon(chars: number, write: () => void): void {
    this.#waiting.writes.push(write);
    this.#waiting.chars += chars;
    if (this.#waiting.writes.length >= MOST_TOGETHER || this.#waiting.chars >= MOST_CHARS_TOGETHER) this.#commit();
  }

  #commit(): void {
    const { writes } = this.#waiting;
    this.#waiting = { writes: [], chars: 0 };
    if (writes.length === 0 || this.#parts.isClosed()) return;
    this.#parts.store.transaction(() => {
      for (const write of writes) write();
    });
    this.#parts.added();
  }

  /** Chunks that are the same as before stay, wherever they are in the note now; unless all is to be made anew. */
  #replace(path: string, keepsSame: boolean) {
    const { chunks } = this.#parts;
    if (!keepsSame) chunks.remove(chunks.numbersOf(path));
    const before = Map.groupBy(chunks.ofPath(path), ({ hash }) => hash);
    const seen = new Map<string, number>();
    return {
      put: (cut: readonly TextChunk[]): void => {
        for (const chunk of cut) {
          const hash = hashOfChunk(chunk);
          const occurrence = seen.get(hash) ?? 0;
          seen.set(hash, occurrence + 1);
          const same = before.get(hash)?.shift();
          const { startLine, endLine } = chunk;
          if (!same) chunks.add({ ...chunk, id: idOf(path, hash, occurrence), path, source: "memory" });
          else if (same.startLine !== startLine || same.endLine !== endLine)
            chunks.move(same.number, startLine, endLine);
        }
      },
      removeRest: (): void => chunks.remove([...before.values()].flat().map(({ number }) => number)),
    };
  }

  #write({ path, mtime, size }: NoteFile, hash: string, note: string): void {
    this.#parts.store
      .statement(
        "INSERT OR REPLACE INTO files (path, source, hash, mtime, size, note) VALUES (?, 'memory', ?, ?, ?, ?)",
      )
      .run(path, hash, mtime, size, note);
  }

  #tell(progress: Progress, isEnd = false): void {
    this.#progress = progress;
    const now = this.#parts.clock.steady();
    if (!isEnd && now - this.#toldAt < PROGRESS_EVERY_MS) return;
    this.#toldAt = now;
    this.#parts.progressed(progress);
  }
}

/** As far as can be told without reading it. */
function isSame(file: NoteFile, { mtime, size, hash, note }: KnownFile): boolean {
  return file.mtime === mtime && file.size === size && (hash || note) !== "";
}

function idOf(path: string, hash: string, occurrence: number): string {
  return hashOf("sha256", JSON.stringify([path, hash, occurrence])).slice(0, 32);
}
