// Tokens that reading conversations took today, in the ledger: counted before they are spent, and put right afterwards.
import * as z from "zod";
import { once, type Change, type Ledger } from "@chela/sdk";
import { SPENT_KEY } from "./ledger-keys.ts";

export interface SpentTokensParts {
  readonly ledger: Pick<Ledger, "value" | "commit">;
  /** The day where the owner is, as YYYY-MM-DD. */
  today(agentId: string): string;
}

const Spent = once(() => z.object({ day: z.string(), tokens: z.int().min(0) }));

export class SpentTokens {
  readonly #parts: SpentTokensParts;

  constructor(parts: SpentTokensParts) {
    this.#parts = parts;
  }

  async today(agentId: string): Promise<number> {
    const { day, tokens } = await this.#read(agentId);
    return day === this.#parts.today(agentId) ? tokens : 0;
  }

  /** Whether it fits; it then counts as spent, whatever happens to this process. */
  async take(agentId: string, tokens: number, most: number): Promise<boolean> {
    const spent = (await this.today(agentId)) + tokens;
    if (spent > most) return false;
    await this.#parts.ledger.commit([toChange(agentId, this.#parts.today(agentId), spent)]);
    return true;
  }

  /** What it really took; undefined when nobody knows. `changes` are written with it. */
  async settle(
    agentId: string,
    { taken, really }: { readonly taken: number; readonly really: number | undefined },
    changes: readonly Change[],
  ): Promise<void> {
    const { day, tokens } = await this.#read(agentId);
    const spent = Math.max(0, tokens - taken + (really ?? taken));
    await this.#parts.ledger.commit([toChange(agentId, day, spent), ...changes]);
  }

  async #read(agentId: string): Promise<{ day: string; tokens: number }> {
    const kept = await this.#parts.ledger.value(SPENT_KEY + agentId);
    return kept === undefined ? { day: "", tokens: 0 } : Spent().parse(JSON.parse(kept));
  }
}

function toChange(agentId: string, day: string, tokens: number): Change {
  return { kind: "value-put", key: SPENT_KEY + agentId, value: JSON.stringify({ day, tokens }) };
}
