// Tries again and again to hand something to the gateway, until it is taken or nobody wants it any more.
import type { ChannelHost } from "../channel.ts";
import { pause } from "../pause.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

export type Handed<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "over" };

/**
 * For what the platform hands out once, or not soon again. `work` rejects as long as nothing can be written, such as with
 * `host.receive`; between two tries it waits longer each time. "over": the connection ended first, and nothing was accepted.
 */
export async function untilAccepted<T>(
  { clock, log }: Pick<ChannelHost, "clock" | "log">,
  over: AbortSignal,
  work: () => Promise<T>,
): Promise<Handed<T>> {
  for (let waitMs = FIRST_WAIT_MS; !over.aborted; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return { kind: "done", value: await work() };
    } catch (error) {
      if (over.aborted) break;
      log.warn("a message could not be written down, and is tried again", { error: String(error), waitMs });
      await pause(clock, waitMs, over);
    }
  }
  return { kind: "over" };
}
