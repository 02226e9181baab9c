// Finds deleted conversations in the ledger, and takes what they taught out of memory, whenever it is opened.
import type { Ledger, Transcript } from "@chela/sdk";
import { isDeletion } from "./deletions-mark.ts";
import type { KeeperProcess } from "./keeper-process.ts";
import type { KeeperCalls } from "@chela/memory";

type Transcripts = Pick<Ledger, "transcript" | "transcripts">;

export interface DeletedSessionsParts {
  readonly ledger: Pick<Ledger, "transcripts" | "onCommit">;
  readonly keeper: Pick<KeeperProcess, "ask">;
}

/**
 * The ledger is the truth, and the keeper keeps the list it was told last: whatever was deleted or restored while it did
 * not run, or while nobody listened, shows when the two are compared. That is done once, and after each change.
 */
export class DeletedSessions {
  readonly #parts: DeletedSessionsParts;
  readonly #leave: () => void;
  /** How many changes there were; and by agent, how many of them its keeper knows of. */
  #changes = 0;
  readonly #told = new Map<string, number>();

  constructor(parts: DeletedSessionsParts) {
    this.#parts = parts;
    this.#leave = parts.ledger.onCommit(({ commits }) => {
      if (commits.flat().some(isDeletion)) this.#changes += 1;
    });
  }

  /** Whether memory knows less, or has to learn again. `isNew`: an index that may not know what was told before. */
  async leaveOut(agentId: string, isNew = false): Promise<KeeperCalls["leaveOut"]["gives"]["change"]> {
    const { ledger, keeper } = this.#parts;
    const changes = this.#changes;
    if (!isNew && this.#told.get(agentId) === changes) return "same";
    const sessionIds = goneAmong(await ledger.transcripts({ agentId }));
    const { change } = await keeper.ask("leaveOut", { agentId, sessionIds });
    this.#told.set(agentId, changes);
    return change;
  }

  close(): void {
    this.#leave();
  }
}

/** Whether what was said in all of these conversations may still be told. */
export async function areAllThere(ledger: Transcripts, sessionIds: readonly string[]): Promise<boolean> {
  for (const id of sessionIds) {
    const transcript = await ledger.transcript(id);
    if (!transcript || transcript.archived?.reason === "deleted") return false;
    if (!transcript.archived) continue;
    const ofSession = await ledger.transcripts({ sessionKey: transcript.sessionKey });
    if (goneAmong(ofSession).includes(id)) return false;
  }
  return true;
}

/** With a session goes all that was said in it before it was started anew. */
function goneAmong(transcripts: readonly Transcript[]): string[] {
  const deletedAt = new Map<string, number>();
  for (const { sessionKey, archived } of transcripts) {
    if (archived?.reason !== "deleted") continue;
    deletedAt.set(sessionKey, Math.max(archived.at, deletedAt.get(sessionKey) ?? 0));
  }
  return transcripts
    .filter(({ sessionKey, archived }) => archived !== undefined && archived.at <= (deletedAt.get(sessionKey) ?? -1))
    .map(({ sessionId }) => sessionId);
}
