// Waits until the platform has answered for each row, or until patience or the turn is over.
import type { Clock, Ledger, OutboxItem } from "@chela/sdk";
import type { DeliveryQueue } from "../../rooms/delivery/room.ts";

const PATIENCE_MS = 20_000;

export interface ReceiptParts {
  readonly ledger: Pick<Ledger, "delivery">;
  readonly clock: Clock;
  readonly queue: Pick<DeliveryQueue, "onSettled">;
}

/** The rows as they are then. What is still under way is sent all the same. */
export async function waitForReceipts(
  ids: readonly string[],
  { ledger, clock, queue }: ReceiptParts,
  signal?: AbortSignal,
): Promise<OutboxItem[]> {
  const open = new Set(ids);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const settled = (id: string): void => {
    open.delete(id);
    if (open.size === 0) end();
  };
  // Listening begins before the rows are read, so that no receipt falls between.
  const stopListening = queue.onSettled(settled);
  const cancel = clock.after(PATIENCE_MS, end);
  const stop = (): void => end();
  if (signal?.aborted) end();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for (const row of await readRows(ids, ledger)) if (row.state !== "pending") settled(row.id);
    await over;
  } finally {
    stopListening();
    cancel();
    signal?.removeEventListener("abort", stop);
  }
  return readRows(ids, ledger);
}

async function readRows(ids: readonly string[], ledger: Pick<Ledger, "delivery">): Promise<OutboxItem[]> {
  const rows = await Promise.all(ids.map((id) => ledger.delivery(id)));
  return rows.filter((row) => row !== undefined);
}
