// Walks the entries the ledger has of one transcript.
import type { Ledger } from "@chela/sdk";
import { parseObject } from "./read-lines.ts";

const AT_ONCE = 500;

/** Those that were cut included. */
export async function* allEntries(
  ledger: Ledger,
  sessionId: string,
): AsyncGenerator<{ readonly seq: number; readonly line: string }> {
  for (let afterSeq = 0; ;) {
    const entries = await ledger.entries(sessionId, { afterSeq, limit: AT_ONCE, all: true });
    yield* entries;
    const last = entries.at(-1);
    if (!last || entries.length < AT_ONCE) return;
    afterSeq = last.seq;
  }
}

export const idOf = (line: string): string => String(parseObject(line)?.["id"]);
