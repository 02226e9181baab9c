// Opens memory when there is something to remember, or to forget: some time after people talked or deleted a session, and
// right after notes were saved.
import type { Clock, Ledger, Logger } from "@chela/sdk";
// Past the room, which would load all of memory with every start.
import { hasUntoldDeletions, isDeletion } from "../rooms/memory/deletions-mark.ts";
import type { Memory } from "../rooms/memory/room.ts";
import type { Lazy } from "../base/lazy.ts";

export interface MemoryWakerParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Pick<Ledger, "onCommit" | "value" | "archives" | "countArchives">;
  readonly memory: Lazy<Memory>;
  /** Agents with a memory. */
  agentIds(): readonly string[];
  /** Something was learned once, whether memory is switched on now or not. */
  hasIndex(): boolean;
  /** Somebody named a model that reads conversations. */
  isReadByModel(): boolean;
}

/** An idle gateway loads nothing, and nobody who is being answered waits for it. */
const QUIET_MS = 20_000;

/** The returned function ends it. */
export function wakeMemory({ clock, log, ledger, memory, ...parts }: MemoryWakerParts): () => void {
  const { agentIds, hasIndex, isReadByModel } = parts;
  let cancel: (() => void) | undefined;
  // What was said before the start may be over now, and unread.
  const cancelReading = clock.after(QUIET_MS, () => {
    if (isReadByModel()) void open().catch(failed);
  });
  // Whoever ended the gateway right after a deletion wants it to be one.
  let cancelForgetting: (() => void) | undefined = clock.after(QUIET_MS, () => void leaveOutDeleted().catch(failed));
  const failed = (error: unknown): void => log.warn("memory could not be opened", { error: String(error) });
  const leave = ledger.onCommit(({ commits }) => {
    for (const change of commits.flat()) {
      if (change.kind === "turn-end" && change.runId.startsWith("flush:")) void saved().catch(failed);
      if (isDeletion(change)) cancelForgetting ??= clock.after(QUIET_MS, () => void leaveOutDeleted().catch(failed));
      if (change.kind !== "entries-append" || memory.known() || agentIds().length === 0) continue;
      cancel ??= clock.after(QUIET_MS, () => void open().catch(failed));
    }
  });
  async function open(): Promise<void> {
    cancel = undefined;
    (await memory()).learnSoon();
  }
  async function leaveOutDeleted(): Promise<void> {
    cancelForgetting = undefined;
    if (hasIndex() && (await hasUntoldDeletions(ledger))) await (await memory()).leaveOutDeleted();
  }
  async function saved(): Promise<void> {
    const room = agentIds().length > 0 ? await memory() : undefined;
    for (const agentId of agentIds()) await room?.notesWritten(agentId);
  }
  return () => {
    cancel?.();
    cancelForgetting?.();
    cancelReading();
    leave();
  };
}
