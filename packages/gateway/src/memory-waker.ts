// Opens memory when there is something to remember: some time after people talked, and right after notes were saved.
import type { Clock, Ledger, Logger } from "@chela/sdk";
import type { Memory } from "./memory/room.ts";
import type { Opened } from "./opened.ts";

export interface MemoryWakerParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Pick<Ledger, "onCommit">;
  readonly memory: Opened<Memory>;
  /** Agents with a memory. */
  agentIds(): readonly string[];
}

/** An idle gateway loads nothing, and nobody who is being answered waits for it. */
const QUIET_MS = 20_000;

/** The returned function ends it. */
export function wakeMemory({ clock, log, ledger, memory, agentIds }: MemoryWakerParts): () => void {
  let cancel: (() => void) | undefined;
  const failed = (error: unknown): void => log.warn("memory could not be opened", { error: String(error) });
  const leave = ledger.onCommit(({ commits }) => {
    for (const change of commits.flat()) {
      if (change.kind === "turn-end" && change.runId.startsWith("flush:")) void saved().catch(failed);
      if (change.kind !== "entries-append" || memory.known() || agentIds().length === 0) continue;
      cancel ??= clock.after(QUIET_MS, () => void open().catch(failed));
    }
  });
  async function open(): Promise<void> {
    cancel = undefined;
    (await memory.open()).learnSoon();
  }
  async function saved(): Promise<void> {
    const room = agentIds().length > 0 ? await memory.open() : undefined;
    for (const agentId of agentIds()) await room?.notesWritten(agentId);
  }
  return () => {
    cancel?.();
    leave();
  };
}
