// Brings one transcript file into the ledger: streamed, normalised once, continued where an earlier import ended.
import { TRANSCRIPT_VERSION, TranscriptHeader, type Change, type Ledger, type NewEntry } from "@chela/sdk";
import { isSessionId } from "../mirror/paths.ts";
import { parseObject, readLines } from "../mirror/read-lines.ts";
import { originalFlag } from "../mirror/reconcile.ts";
import { allEntries, idOf } from "../mirror/stored-entries.ts";
import { ownIdOfFile, sessionIdOfFile, type FoundTranscript } from "./find-files.ts";
import { createNormaliser, toIso, type CanonicalEntry, type Normaliser } from "./normalise-entry.ts";

export interface TranscriptImport {
  readonly sessionId: string;
  readonly entries: number;
  readonly unreadable: number;
  /** Time of the newest entry, in ms. */
  readonly newest: number;
}

export interface TranscriptOwner {
  /** The key of the session a file belongs to, told from its id. */
  keyOf(sessionId: string): Promise<string>;
  /** The session the index names for this file. */
  readonly sessionId?: string;
  /** Stands in for times a file does not tell. */
  readonly startedAt: number;
}

const COMMIT_ENTRIES = 400;
const COMMIT_CHARS = 1_000_000;

export async function importTranscriptFile(
  ledger: Ledger,
  found: FoundTranscript,
  owner: TranscriptOwner,
): Promise<TranscriptImport> {
  const intake = await openIntake(ledger, found, owner);
  for await (const line of readLines(found.path)) {
    // Before a line, not after it: so the last commit carries entries, which is what wakes the mirror.
    if (intake.isFull()) await intake.commit();
    const text = line.bytes.toString("utf8");
    if (text.trim() === "") {
      intake.isExact = false;
      continue;
    }
    const value = parseObject(text);
    const isHeader = line.start === 0 && value?.["type"] === "session";
    if (isHeader) intake.isExact &&= text === JSON.stringify(intake.header);
    else intake.take(value, text, line.bytes);
    intake.isExact &&= line.whole;
    intake.bytes = line.start + line.bytes.length + 1;
  }
  return intake.finish();
}

async function openIntake(ledger: Ledger, found: FoundTranscript, owner: TranscriptOwner): Promise<Intake> {
  const first = await readFirst(found.path);
  const headerId = first?.["type"] === "session" && isSessionId(first["id"]) ? first["id"] : undefined;
  const named = owner.sessionId ?? headerId ?? sessionIdOfFile(found.file) ?? ownIdOfFile(found.file);
  const sessionId = await freeSessionId(ledger, named, found);
  const header = TranscriptHeader().parse({
    ...(first?.["type"] === "session" ? first : { type: "session" }),
    version: TRANSCRIPT_VERSION,
    id: headerId ?? named,
    timestamp: keepIso(first?.["timestamp"]) ?? new Date(owner.startedAt).toISOString(),
    ...(typeof first?.["cwd"] === "string" || first?.["cwd"] === undefined ? {} : { cwd: String(first["cwd"]) }),
  });
  const open: Change[] = [
    {
      kind: "transcript-open",
      sessionId,
      sessionKey: await owner.keyOf(sessionId),
      agentId: found.agentId,
      header,
      file: found.file,
    },
    { kind: "value-put", key: originalFlag(sessionId), value: "importing" },
  ];
  if (found.archived) open.push({ kind: "transcript-archive", sessionId, ...found.archived, file: found.file });
  const known = new Set<string>();
  for await (const entry of allEntries(ledger, sessionId)) known.add(idOf(entry.line));
  return new Intake(ledger, sessionId, found.file, header, open, known);
}

/** A time that is already ISO keeps its spelling. */
const keepIso = (value: unknown): string | undefined =>
  typeof value === "string" && toIso(value) !== undefined ? value : toIso(value);

async function readFirst(path: string): Promise<Record<string, unknown> | undefined> {
  for await (const line of readLines(path)) return parseObject(line.bytes.toString("utf8"));
  return undefined;
}

/** Topics and archives may repeat the id of another file; each transcript needs one of its own. */
async function freeSessionId(ledger: Ledger, wanted: string, found: FoundTranscript): Promise<string> {
  const taken = await ledger.transcript(wanted);
  return !taken || taken.file === found.file ? wanted : ownIdOfFile(found.file);
}

class Intake {
  readonly #ledger: Ledger;
  readonly #sessionId: string;
  readonly #file: string;
  readonly #known: Set<string>;
  readonly #normaliser: Normaliser;
  readonly header: TranscriptHeader;
  /** Whether the file is, byte for byte, what the mirror would write. */
  isExact = true;
  /** How far the file was read, where it ends with a whole line. */
  bytes = 0;
  #waiting: NewEntry[] = [];
  #waitingChars = 0;
  #open: Change[];
  #entries = 0;
  #unreadable = 0;
  #newest: number;

  constructor(
    ledger: Ledger,
    sessionId: string,
    file: string,
    header: TranscriptHeader,
    open: Change[],
    known: Set<string>,
  ) {
    this.#ledger = ledger;
    this.#sessionId = sessionId;
    this.#file = file;
    this.header = header;
    this.#open = open;
    this.#known = known;
    // An import that goes on where another ended cannot tell whether the file is in our order.
    this.isExact = known.size === 0;
    this.#normaliser = createNormaliser(sessionId, header.timestamp);
    this.#newest = Date.parse(header.timestamp);
  }

  take(value: Record<string, unknown> | undefined, text: string, bytes: Buffer): void {
    if (!value) this.#unreadable += 1;
    const entry: CanonicalEntry = value ? this.#normaliser.entry(value, text) : this.#normaliser.unreadable(bytes);
    this.isExact &&= entry.line === text;
    this.#newest = Math.max(this.#newest, Date.parse(entry.timestamp));
    if (this.#known.has(entry.id)) return;
    this.#waiting.push({ id: entry.id, line: entry.line });
    this.#waitingChars += entry.line.length;
    this.#entries += 1;
  }

  isFull(): boolean {
    return this.#waiting.length >= COMMIT_ENTRIES || this.#waitingChars >= COMMIT_CHARS;
  }

  async commit(...more: Change[]): Promise<void> {
    const changes: Change[] = [...this.#open, ...more];
    if (this.#waiting.length > 0) {
      changes.push({ kind: "entries-append", sessionId: this.#sessionId, entries: this.#waiting });
    }
    if (changes.length > 0) await this.#ledger.commit(changes);
    this.#open = [];
    this.#waiting = [];
    this.#waitingChars = 0;
  }

  async finish(): Promise<TranscriptImport> {
    const wasFirst = this.#known.size === 0;
    const differs = !this.isExact && (wasFirst || this.#entries > 0);
    const key = originalFlag(this.#sessionId);
    await this.commit({ kind: "value-put", key, value: differs ? "1" : "" });
    const transcript = await this.#ledger.transcript(this.#sessionId);
    if (this.isExact && transcript) {
      const { sessionId, lastSeq } = transcript;
      await this.#ledger.commit([{ kind: "mirrored", sessionId, seq: lastSeq, file: this.#file, size: this.bytes }]);
    }
    return {
      sessionId: this.#sessionId,
      entries: this.#entries,
      unreadable: this.#unreadable,
      newest: this.#newest,
    };
  }
}
