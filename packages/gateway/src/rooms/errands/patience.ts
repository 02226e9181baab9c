// Patience with a full disk: what could not be written is tried again, and nothing is lost meanwhile.
import { GatewayError, type Clock, type ErrandRecord, type Logger } from "@chela/sdk";

export interface Patience {
  /** Nothing is lost because the disk is full for a while. Only for what may be done again. */
  patiently<T>(record: ErrandRecord, work: () => Promise<T>): Promise<T>;
  /** Says what an errand waits for, and waits a while. */
  pause(record: ErrandRecord, error: unknown): Promise<void>;
}

/** What could not be written is tried again: the disk may have room again. */
const AGAIN_MS = 5_000;

/** Nobody waits any longer once `isClosed`. */
export function createPatience(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  isClosed: () => boolean,
): Patience {
  async function patiently<T>(record: ErrandRecord, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (isClosed() || !hasNoRoom(error)) throw error;
        await pause(record, error);
      }
    }
  }

  function pause({ runId }: ErrandRecord, error: unknown): Promise<void> {
    log.error("an errand waits, because nothing can be written", { run: runId, error: String(error) });
    return new Promise<void>((resolve) => clock.after(AGAIN_MS, resolve));
  }

  return { patiently, pause };
}

export function hasNoRoom(error: unknown): boolean {
  return GatewayError.is(error) && error.code.startsWith("STORE_") && error.row.retry === "later";
}
