// Reads a page of a session's active branch, newest first, as far as it fits into one answer.
import { defined } from "@chela/sdk/base";
import type { HistoryReads } from "./parts.ts";
import { showEntry, type ShownEntry, type ShownMessage, type Showing } from "./shown-message.ts";
import type { VisibleSession } from "./visible-sessions.ts";

export interface PageWish extends Showing {
  readonly limit: number;
  /** The page ends with this entry; otherwise with the newest one. */
  readonly entryId?: string | undefined;
}

export interface HistoryPage {
  /** Oldest first. */
  readonly messages: readonly ShownMessage[];
  /** The page before this one ends with it; undefined at the beginning of the session. */
  readonly olderEntryId?: string;
  /** Fewer messages than wished, because more would not fit. */
  readonly droppedMessages: boolean;
  readonly contentTruncated: boolean;
  readonly contentRedacted: boolean;
  readonly bytes: number;
}

const MOST_BYTES = 80 * 1024;
const ENTRIES_AT_ONCE = 200;
/** Ends the search in a session where a machine talked to itself for very long. */
const MOST_READS = 50;

interface Collected {
  readonly shown: ShownEntry[];
  bytes: number;
}

/** Undefined when the session has no entry of the wished id. */
export async function readPage(
  reads: HistoryReads,
  session: VisibleSession,
  wish: PageWish,
): Promise<HistoryPage | undefined> {
  const collected: Collected = { shown: [], bytes: 0 };
  let endsWith = wish.entryId;
  for (let read = 0; session.entry && read < MOST_READS; read++) {
    const entries = await reads.history({
      sessionId: session.entry.sessionId,
      limit: ENTRIES_AT_ONCE,
      ...defined({ entryId: endsWith }),
    });
    if (entries.length === 0 && read === 0 && wish.entryId !== undefined) return undefined;
    for (const entry of entries.toReversed()) {
      const shown = showEntry(entry, wish);
      if (!shown) continue;
      if (collected.shown.length >= wish.limit) return toPage(collected, { olderEntryId: entry.id });
      if (!collect(collected, shown)) return toPage(collected, { olderEntryId: entry.id, droppedMessages: true });
    }
    const parent = entries[0]?.parentId;
    if (!parent) return toPage(collected);
    endsWith = parent;
  }
  return toPage(collected, endsWith === undefined ? {} : { olderEntryId: endsWith });
}

/** False when the message does not fit any more. */
function collect(collected: Collected, shown: ShownEntry): boolean {
  const fitting = sizeOf(shown.message) > MOST_BYTES ? leaveOutContent(shown) : shown;
  const bytes = collected.bytes + sizeOf(fitting.message);
  if (bytes > MOST_BYTES) return false;
  collected.shown.push(fitting);
  collected.bytes = bytes;
  return true;
}

/** So that one message nobody can show does not hide everything before it. */
function leaveOutContent({ message, isRedacted }: ShownEntry): ShownEntry {
  const { id, role } = message;
  const text = `[This message of ${sizeOf(message)} bytes is too long to show.]`;
  return { message: { id, role, content: [{ type: "text", text }] }, isCut: true, isRedacted };
}

function sizeOf(message: ShownMessage): number {
  return Buffer.byteLength(JSON.stringify(message));
}

function toPage(
  { shown, bytes }: Collected,
  rest: { readonly olderEntryId?: string; readonly droppedMessages?: true } = {},
): HistoryPage {
  return {
    messages: shown.map(({ message }) => message).reverse(),
    droppedMessages: false,
    ...rest,
    contentTruncated: shown.some(({ isCut }) => isCut),
    contentRedacted: shown.some(({ isRedacted }) => isRedacted),
    bytes,
  };
}
