// What prompts are told of what was learned, as the ledger keeps it: with the conversations it comes from, which may be gone.
import * as z from "zod";
import { once, type Ledger } from "@chela/sdk";
import { areAllThere } from "./deleted-sessions.ts";
import { BLOCK_KEY } from "./ledger-keys.ts";

export interface LearnedBlock {
  readonly text: string;
  readonly sessionIds: readonly string[];
}

const Kept = once(() => z.object({ text: z.string(), sessionIds: z.array(z.string()) }));

/** Undefined when there is none, or when one of its conversations was deleted: it is made anew without that one. */
export async function readBlock(
  ledger: Pick<Ledger, "value" | "transcript" | "transcripts">,
  agentId: string,
): Promise<LearnedBlock | undefined> {
  const kept = await ledger.value(BLOCK_KEY + agentId);
  if (!kept) return undefined;
  const block = Kept().parse(JSON.parse(kept));
  return (await areAllThere(ledger, block.sessionIds)) ? block : undefined;
}

export async function keepBlock(
  ledger: Pick<Ledger, "value" | "commit">,
  agentId: string,
  { text, sessionIds }: LearnedBlock,
): Promise<void> {
  const value = JSON.stringify({ text, sessionIds });
  if ((await ledger.value(BLOCK_KEY + agentId)) === value) return;
  await ledger.commit([{ kind: "value-put", key: BLOCK_KEY + agentId, value }]);
}
