// Opens memory when there is something to remember, or to forget: some time after people talked or deleted a session, and
// right after notes were saved.
import { existsSync } from "node:fs";
import type { RunningService } from "@chela/sdk";
import type { House } from "../../house/house.ts";
// Past the room, which would load all of memory with every start.
import { hasUntoldDeletions, isDeletion } from "./deletions-mark.ts";

/** An idle gateway loads nothing, and nobody who is being answered waits for it. */
const QUIET_MS = 20_000;

type WakerHouse = Pick<House, "clock" | "log" | "ledger" | "memory" | "agents" | "memorySettings">;

export function wakeMemory(house: WakerHouse): RunningService {
  const { clock, log, ledger, memory } = house;
  const all = () => house.agents().map(({ id }) => ({ id, ...house.memorySettings(id) }));
  /** Those with a memory. */
  const agentIds = () => all().flatMap(({ id, isOn }) => (isOn ? [id] : []));
  /** Something was learned once, whether memory is switched on now or not. */
  const hasIndex = () => all().some(({ path }) => existsSync(path));
  /** Somebody named a model that reads conversations. */
  const isReadByModel = () => all().some(({ isOn, reads }) => isOn && reads);
  let cancel: (() => void) | undefined;
  // What was said before the start may be over now, and unread.
  const cancelReading = clock.after(QUIET_MS, () => {
    if (isReadByModel()) void open().catch(failed);
  });
  // Whoever ended the gateway right after a deletion wants it to be one.
  let cancelForgetting: (() => void) | undefined = clock.after(QUIET_MS, () => void leaveOutDeleted().catch(failed));
  const failed = (error: unknown): void => log.warn("memory could not be opened", { error: String(error) });
  const stopListening = ledger.onCommit(({ commits }) => {
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
  return {
    leave() {
      cancel?.();
      cancelForgetting?.();
      cancelReading();
      stopListening();
    },
  };
}
