// Chunks of what was said: one line for each message; only the last chunk of a session changes when it goes on.
import type { FedEntry, IndexSettings } from "../../messages.ts";
import type { ChunkTable } from "./chunk-table.ts";
import { quartersOf } from "./estimate-tokens.ts";
import type { Store } from "../store/opened-store.ts";
import { splitSentences } from "./split-sentences.ts";

/** The chunk that may still grow. */
interface OpenChunk {
  readonly id: string;
  /** Of the row that is to be replaced. */
  readonly number?: number;
  readonly startLine: number;
  endLine: number;
  readonly lines: string[];
  /** The entry of each line. */
  readonly entries: string[];
  quarters: number;
  at: number;
}

interface Session {
  readonly path: string;
  readonly sessionKey: string;
  readonly sessionId: string;
}

export class ConversationChunks {
  readonly #store: Store;
  readonly #chunks: ChunkTable;
  readonly #most: number;
  readonly #overlap: number;

  constructor(store: Store, chunks: ChunkTable, { tokens, overlap }: IndexSettings["chunking"]) {
    this.#store = store;
    this.#chunks = chunks;
    this.#most = Math.max(8, tokens * 4);
    this.#overlap = Math.min(overlap * 4, this.#most / 2);
  }

  /** In the order of the ledger; whatever the portions they come in, the chunks are the same. */
  add(entries: readonly FedEntry[]): void {
    for (const [sessionId, said] of Map.groupBy(entries, (entry) => entry.sessionId)) {
      const [first] = said;
      if (!first) continue;
      const session = { path: `sessions/${sessionId}.jsonl`, sessionKey: first.sessionKey, sessionId };
      let open = this.#lastOf(session);
      const linesBefore = open?.lines.length;
      for (const entry of said) open = this.#say(session, open, entry);
      const isSame = open?.number !== undefined && open.lines.length === linesBefore;
      if (open && !isSame) this.#write(session, open);
    }
  }

  /** Numbers of the chunks of a conversation, or of all of them. */
  numbers(sessionKey?: string): number[] {
    const rows =
      sessionKey === undefined
        ? this.#store.statement("SELECT number FROM said").all()
        : this.#store.statement("SELECT number FROM said WHERE session_key = ?").all(sessionKey);
    return rows.map(({ number }) => Number(number));
  }

  /** Numbers of the chunks of these conversations. */
  numbersIn(sessionIds: ReadonlySet<string>): number[] {
    const rows = this.#store.statement("SELECT number, session_id FROM said").all();
    return rows.filter((row) => sessionIds.has(String(row["session_id"]))).map(({ number }) => Number(number));
  }

  /** Files that no chunk is left of. */
  removeEmptyFiles(): void {
    this.#store
      .statement(
        "DELETE FROM files WHERE source = 'sessions' AND NOT EXISTS (SELECT 1 FROM chunks WHERE path = files.path)",
      )
      .run();
  }

  #say(session: Session, before: OpenChunk | undefined, entry: FedEntry): OpenChunk | undefined {
    const said = entry.text.replace(/\s+/g, " ").trim();
    if (said === "") return before;
    const line = `${entry.role === "user" ? "User" : "Assistant"}: ${said}`;
    const number = (before?.endLine ?? 0) + 1;
    const [first = line, ...rest] = splitSentences(line, this.#most - 1).reduce(this.#join, []);
    let open = this.#append(session, before, { line: first, number, entry });
    for (const [at, piece] of rest.entries()) {
      this.#write(session, open);
      open = startChunk(`${session.sessionId}:${number}:${at + 1}`, { line: piece, number, entry });
    }
    return open;
  }

  /** Sentences of a message that is too long for one chunk, put together as far as they fit. */
  readonly #join = (pieces: string[], sentence: string): string[] => {
    const last = pieces.at(-1);
    if (last !== undefined && quartersOf(last) + quartersOf(sentence) < this.#most)
      pieces[pieces.length - 1] = last + sentence;
    else pieces.push(sentence);
    return pieces;
  };

  #append(session: Session, open: OpenChunk | undefined, next: SaidLine): OpenChunk {
    if (!open) return startChunk(`${session.sessionId}:${next.number}:0`, next);
    const quarters = quartersOf(next.line) + 1;
    if (open.quarters + quarters <= this.#most) return addLine(open, next);
    this.#write(session, open);
    return addLine(this.#tailOf(session, open, this.#most - quarters), next);
  }

  /** The last lines of a chunk that is full, said again at the beginning of the next. */
  #tailOf({ sessionId }: Session, { lines, entries, endLine, at }: OpenChunk, room: number): OpenChunk {
    let left = Math.min(this.#overlap, room);
    let from = lines.length;
    while (from > 1) {
      const quarters = quartersOf(lines[from - 1] ?? "") + 1;
      if (quarters > left) break;
      left -= quarters;
      from--;
    }
    const tail = lines.slice(from);
    const startLine = endLine - tail.length + 1;
    return {
      id: `${sessionId}:${startLine}:0`,
      startLine,
      endLine,
      lines: tail,
      entries: entries.slice(from),
      quarters: tail.reduce((sum, line) => sum + quartersOf(line) + 1, 0),
      at,
    };
  }

  #lastOf({ path }: Session): OpenChunk | undefined {
    const row = this.#store
      .statement(
        `SELECT id, number, start_line, end_line, text, entries, at FROM chunks JOIN said USING (number)
         WHERE path = ? ORDER BY start_line DESC, number DESC LIMIT 1`,
      )
      .get(path);
    if (!row) return undefined;
    const lines = String(row["text"]).split("\n");
    return {
      id: String(row["id"]),
      number: Number(row["number"]),
      startLine: Number(row["start_line"]),
      endLine: Number(row["end_line"]),
      lines,
      entries: String(row["entries"]).split(" "),
      quarters: lines.reduce((sum, line) => sum + quartersOf(line) + 1, 0),
      at: Number(row["at"]),
    };
  }

  #write({ path, sessionKey, sessionId }: Session, open: OpenChunk): void {
    const { id, startLine, endLine, lines, entries, at } = open;
    if (open.number !== undefined) this.#chunks.forget([open.number]);
    const number = this.#chunks.add({
      id,
      path,
      source: "sessions",
      startLine,
      endLine,
      text: lines.join("\n"),
      headings: "",
    });
    this.#store
      .statement("INSERT INTO said VALUES (?, ?, ?, ?, ?)")
      .run(number, sessionKey, sessionId, entries.join(" "), at);
    this.#store
      .statement("INSERT OR REPLACE INTO files (path, source, hash, mtime, size) VALUES (?, 'sessions', ?, ?, ?)")
      .run(path, entries.at(-1) ?? "", at, endLine);
  }
}

interface SaidLine {
  readonly line: string;
  readonly number: number;
  readonly entry: FedEntry;
}

function startChunk(id: string, { line, number, entry }: SaidLine): OpenChunk {
  return {
    id,
    startLine: number,
    endLine: number,
    lines: [line],
    entries: [entry.entryId],
    quarters: quartersOf(line) + 1,
    at: entry.at,
  };
}

function addLine(open: OpenChunk, { line, number, entry }: SaidLine): OpenChunk {
  open.lines.push(line);
  open.entries.push(entry.entryId);
  open.endLine = number;
  open.quarters += quartersOf(line) + 1;
  open.at = entry.at;
  return open;
}
