// Facts by the sentence they were drawn from: people read sentences, and forget them as a whole.
import type { Fact } from "./forget.ts";

export interface Sentence {
  /** The one that is surest. */
  readonly fact: Fact;
  readonly kinds: ReadonlyArray<Fact["kind"]>;
  readonly isInPrompt: boolean;
  /** No rule found anything in it. */
  readonly isReadByModel: boolean;
}

/** In the order of the first fact of each. */
export function bySentence(facts: readonly Fact[]): Sentence[] {
  const groups = Map.groupBy(facts, ({ sessionId, entryId, text }) => `${sessionId} ${entryId} ${text}`);
  return [...groups.values()].map((group) => ({
    fact: group.reduce((best, fact) => (fact.confidence > best.confidence ? fact : best)),
    kinds: [...new Set(group.map(({ kind }) => kind))],
    isInPrompt: group.some((fact) => fact.isInPrompt),
    isReadByModel: group.every(({ by }) => by === "model"),
  }));
}
