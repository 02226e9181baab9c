// Saves the events that fit as lines of JSON. The file is what `chela audit verify --against` compares the trail with.
import type { World } from "../../app/world.ts";
import { downloadBlob } from "../../conversations/blob-url.ts";
import type { AuditQuestion } from "./filter.ts";

const PIECE = 1000;
/** The hash before the very first event. */
const NO_HASH = "0".repeat(64);

/** Resolves to the number of events, or to nothing when `signal` said stop. */
export async function exportTrail(
  { wire }: World,
  question: AuditQuestion,
  progress: (done: number, all: number) => void,
  signal: AbortSignal,
): Promise<number | undefined> {
  // Up to what is there now: the file ends with the hash of that.
  const [last] = (await wire.call("audit.list", { limit: 1 })).records;
  const head = { seq: last?.seq ?? 0, hash: last?.hash ?? NO_HASH };
  const lines: string[] = [];
  let count = 0;
  for (let after = 0, hasMore = true; hasMore && !signal.aborted;) {
    const place = { after, before: head.seq + 1, order: "oldest", limit: PIECE } as const;
    const page = await wire.call("audit.list", { ...question, ...place });
    lines.push(...page.records.map((record) => `${JSON.stringify(record)}\n`));
    count += page.records.length;
    progress(count, page.total);
    after = page.records.at(-1)?.seq ?? head.seq;
    ({ hasMore } = page);
  }
  if (signal.aborted) return undefined;
  lines.push(`${JSON.stringify({ head, count, exportedAt: Date.now() })}\n`);
  downloadBlob(new Blob(lines), `chela-audit-${new Date().toISOString().slice(0, 10)}.jsonl`);
  return count;
}
