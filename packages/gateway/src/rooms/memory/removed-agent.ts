// Deletes what the ledger keeps of a memory when its agent goes.
import type { Ledger } from "@chela/sdk";
import { BLOCK_KEY, TOMBS_KEY } from "./ledger-keys.ts";

/** An agent of the same name begins with nothing. */
export async function forgetAgent(ledger: Pick<Ledger, "value" | "commit">, agentId: string): Promise<void> {
  for (const key of [BLOCK_KEY + agentId, TOMBS_KEY + agentId]) {
    if (await ledger.value(key)) await ledger.commit([{ kind: "value-put", key, value: "" }]);
  }
}
