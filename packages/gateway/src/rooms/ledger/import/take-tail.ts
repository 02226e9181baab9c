// Takes over what another program wrote into a transcript file behind our back, as the continuation of the conversation.
import type { Ledger, NewEntry, Transcript } from "@chela/sdk";
import { parseObject, readLines } from "../mirror/read-lines.ts";
import { allEntries, idOf } from "../mirror/stored-entries.ts";
import { createNormaliser } from "./normalise-entry.ts";

export interface TakenTail {
  /** How many entries were taken over. */
  readonly entries: number;
  /** Whether the file holds lines that are no records: they stay in the file alone. */
  readonly hasOthers: boolean;
}

/**
 * Two programs that talk in one conversation each hang their words on the last they know, which would make two branches.
 * What is taken over now is later than what the ledger has, so it is hung on the end of that: one conversation, in order.
 */
export async function takeTail(ledger: Ledger, transcript: Transcript, path: string): Promise<TakenTail> {
  const { sessionId } = transcript;
  const { entries, hasOthers } = await readTail(ledger, transcript, path);
  if (entries.length > 0) await ledger.commit([{ kind: "entries-append", sessionId, entries }]);
  return { entries: entries.length, hasOthers };
}

/** Whether the file has entries that the ledger does not. */
export async function hasNews(ledger: Ledger, transcript: Transcript, path: string): Promise<boolean> {
  return (await readTail(ledger, transcript, path)).entries.length > 0;
}

export interface Tail {
  /** What the ledger does not have, hung on the end of what it has. */
  readonly entries: readonly NewEntry[];
  readonly hasOthers: boolean;
  /** Whether the file is of this conversation: it has an entry of it, or hangs on one. */
  readonly isShared: boolean;
}

export async function readTail(ledger: Ledger, transcript: Transcript, path: string): Promise<Tail> {
  const { sessionId } = transcript;
  const known = new Set<string>();
  for await (const entry of allEntries(ledger, sessionId)) known.add(idOf(entry.line));
  const [newest] = await ledger.entries(sessionId, { newest: 1 });
  const normaliser = createNormaliser(sessionId, transcript.header.timestamp);
  const taken = new Set<string>();
  const entries: NewEntry[] = [];
  let leaf = newest === undefined ? null : idOf(newest.line);
  let hasOthers = false;
  let isShared = newest === undefined;
  for await (const line of readLines(path)) {
    const text = line.bytes.toString("utf8");
    const value = parseObject(text);
    if (!value) hasOthers ||= line.whole && text.trim() !== "";
    if (!value || (line.start === 0 && value["type"] === "session")) continue;
    const entry = normaliser.entry(value, text);
    if (known.has(entry.id)) {
      isShared ||= !taken.has(entry.id);
      continue;
    }
    // As the file says it: the normaliser hangs on nothing that the file does not have.
    isShared ||= known.has(String(value["parentId"])) && !taken.has(String(value["parentId"]));
    const follows = entry.parentId === leaf || (entry.parentId !== null && taken.has(entry.parentId));
    entries.push({ id: entry.id, line: follows ? entry.line : hangOn(entry.line, leaf) });
    known.add(entry.id);
    taken.add(entry.id);
    leaf = entry.id;
  }
  return { entries, hasOthers, isShared };
}

const hangOn = (line: string, parentId: string | null): string => JSON.stringify({ ...parseObject(line), parentId });
