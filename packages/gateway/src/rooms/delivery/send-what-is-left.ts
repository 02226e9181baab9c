// Sending of what an earlier process left in the outbox, and of what comes, until the gateway stops.
import type { RunningService } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export function sendWhatIsLeft({ outbox, log }: Pick<House, "outbox" | "log">): RunningService {
  return {
    // It comes before what the turns will say now.
    start: async () => void (await outbox.recover()),
    // What is written from here on is sent by the next start. Channels are still connected: what is under way arrives.
    stop: () => outbox.queue.close(),
    close: () => outbox.flush().catch((error: unknown) => log.warn("receipts not written", { error: String(error) })),
  };
}
