// Block for prompts of what was learned, from the ledger: with what it comes from, which may be deleted or forgotten.
import { hash } from "node:crypto";
import * as z from "zod";
import { once, type Change, type Ledger } from "@chela/sdk";
import { areAllThere } from "./deleted-sessions.ts";
import { BLOCK_KEY, TOMBS_KEY } from "./ledger-keys.ts";

interface MadeBlock {
  readonly text: string;
  readonly sessionIds: readonly string[];
}

export interface LearnedBlock extends MadeBlock {
  /** The mark of all that was forgotten when it was read. */
  readonly forgotten: string;
}

interface LearnedBlocksParts {
  readonly ledger: Pick<Ledger, "value" | "commit">;
  make(agentId: string): Promise<MadeBlock>;
}

const Kept = once(() => z.object({ text: z.string(), sessionIds: z.array(z.string()) }));

export const NO_BLOCK: LearnedBlock = { text: "", sessionIds: [], forgotten: "" };

/** Nothing when there is none, or when one of its conversations was deleted: it is made anew without that one. */
export async function readBlock(
  ledger: Pick<Ledger, "value" | "transcript" | "transcripts">,
  agentId: string,
): Promise<LearnedBlock> {
  // Before the block: what is forgotten in between makes it one that is no longer known, and not the other way round.
  const forgotten = await forgottenMark(ledger, agentId);
  const kept = await ledger.value(BLOCK_KEY + agentId);
  if (!kept) return NO_BLOCK;
  const block = Kept().parse(JSON.parse(kept));
  return (await areAllThere(ledger, block.sessionIds)) ? { ...block, forgotten } : NO_BLOCK;
}

/** Whether a conversation that was told it may be told it again. */
export async function isStillKnown(
  ledger: Pick<Ledger, "value" | "transcript" | "transcripts">,
  agentId: string,
  { text, sessionIds, forgotten }: LearnedBlock,
): Promise<boolean> {
  if (text === "") return true;
  return (await forgottenMark(ledger, agentId)) === forgotten && (await areAllThere(ledger, sessionIds));
}

/** Makes blocks anew and keeps them, one after the other: what was made before something was forgotten is not kept after it. */
export class LearnedBlocks {
  readonly #parts: LearnedBlocksParts;
  #work: Promise<void> = Promise.resolve();

  constructor(parts: LearnedBlocksParts) {
    this.#parts = parts;
  }

  renew(agentId: string): Promise<void> {
    return this.#enqueue(async () => {
      const change = blockChange(agentId, await this.#parts.make(agentId));
      if ((await this.#parts.ledger.value(change.key)) !== change.value) await this.#parts.ledger.commit([change]);
    });
  }

  /** What is left of it, in one commit with the list of what was forgotten. */
  keepForgotten(agentId: string, tombs: string, left: MadeBlock): Promise<void> {
    const changes: Change[] = [
      { kind: "value-put", key: TOMBS_KEY + agentId, value: tombs },
      blockChange(agentId, left),
    ];
    return this.#enqueue(() => this.#parts.ledger.commit(changes));
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }
}

function blockChange(agentId: string, { text, sessionIds }: MadeBlock): Change & { kind: "value-put" } {
  return { kind: "value-put", key: BLOCK_KEY + agentId, value: JSON.stringify({ text, sessionIds }) };
}

async function forgottenMark(ledger: Pick<Ledger, "value">, agentId: string): Promise<string> {
  return hash("sha256", (await ledger.value(TOMBS_KEY + agentId)) ?? "");
}
