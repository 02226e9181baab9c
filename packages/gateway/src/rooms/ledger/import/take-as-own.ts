// Tells files of our own under an older name from files of a stranger, and keeps what a stranger added to one of ours.
import type { Ledger, Transcript } from "@chela/sdk";
import { liveName } from "../mirror/paths.ts";
import { originalFlag } from "../mirror/reconcile.ts";
import type { FoundTranscript } from "./find-files.ts";
import { readTail, type Tail } from "./take-tail.ts";

export type OwnFile =
  /** Nothing in it is new; or its entries that were. */
  | { readonly kind: "ours"; readonly added: number }
  /** Another conversation in a file that has the name of an ended one. */
  | { readonly kind: "other" };

/**
 * A conversation is ended or restored in the ledger first, and its file is renamed afterwards. Killed in between, we find
 * the file under a name the ledger does not know any more. Undefined when it is none of the conversations in `known`.
 */
export async function takeAsOwn(
  ledger: Ledger,
  found: FoundTranscript,
  known: readonly Transcript[],
): Promise<OwnFile | undefined> {
  const namesakes = known.filter(({ file }) => liveName(file) === liveName(found.file));
  if (namesakes.some(({ file }) => file === found.file)) return undefined;
  let isOther = false;
  for (const own of namesakes) {
    // Its import was broken off and goes on where it was.
    if ((await ledger.value(originalFlag(own.sessionId))) === "importing") return undefined;
    const tail = await readTail(ledger, own, found.path);
    if (belongsTo(own, found, tail)) return append(ledger, own, tail);
    isOther = true;
  }
  // An archive has a name of its own, and so can become a conversation of its own.
  return isOther && !found.archived ? { kind: "other" } : undefined;
}

/** What an archive has beyond a conversation that goes on is older than its end and cannot be hung there. */
function belongsTo(own: Transcript, found: FoundTranscript, { entries, isShared }: Tail): boolean {
  return entries.length === 0 || (isShared && (!found.archived || own.archived !== undefined));
}

async function append(ledger: Ledger, { sessionId }: Transcript, { entries }: Tail): Promise<OwnFile> {
  if (entries.length > 0) await ledger.commit([{ kind: "entries-append", sessionId, entries }]);
  return { kind: "ours", added: entries.length };
}
