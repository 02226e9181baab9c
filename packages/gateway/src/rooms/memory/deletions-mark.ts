// Tells whether sessions were deleted or restored that memory was not told of yet, without opening it.
import type { Change, Ledger } from "@chela/sdk";
import { DELETIONS_KEY } from "./ledger-keys.ts";

type Archives = Pick<Ledger, "archives" | "countArchives">;

const NONE = "0";

/** A session is gone, or back. */
export function isDeletion(change: Change): boolean {
  return change.kind === "transcript-restore" || (change.kind === "transcript-archive" && change.reason === "deleted");
}

/** Another one after every deletion, and after every return. */
export async function deletionsMark(ledger: Archives): Promise<string> {
  const [newest] = await ledger.archives({ reason: "deleted", limit: 1 });
  if (!newest) return NONE;
  const { sessionId, archived } = newest.transcript;
  return `${await ledger.countArchives({ reason: "deleted" })} ${sessionId} ${archived.at}`;
}

export async function hasUntoldDeletions(ledger: Archives & Pick<Ledger, "value">): Promise<boolean> {
  return ((await ledger.value(DELETIONS_KEY)) ?? NONE) !== (await deletionsMark(ledger));
}
