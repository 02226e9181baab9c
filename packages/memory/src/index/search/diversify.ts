// Orders results so that each says something the ones before it do not: maximal marginal relevance over their words.
import { wordsOf } from "@chela/sdk/base";

export interface Rated {
  readonly score: number;
  readonly snippet: string;
}

/** `lambda` 1: by score alone; 0: as different as can be. Takes the best first. */
export function diversify<T extends Rated>(results: readonly T[], lambda: number, most: number): T[] {
  const left = results.map((result) => ({
    result,
    words: new Set(Array.from(wordsOf(result.snippet), ({ word }) => word)),
  }));
  const nearest = left.map(() => 0);
  const chosen: T[] = [];
  while (chosen.length < most && left.length > 0) {
    const at = indexOfBest(
      left.map(({ result }, index) => lambda * result.score - (1 - lambda) * (nearest[index] ?? 0)),
    );
    const [taken] = left.splice(at, 1);
    nearest.splice(at, 1);
    if (!taken) break;
    chosen.push(taken.result);
    for (const [index, { words }] of left.entries()) {
      nearest[index] = Math.max(nearest[index] ?? 0, likeness(words, taken.words));
    }
  }
  return chosen;
}

/** How much of the words of both is in both. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

function indexOfBest(values: readonly number[]): number {
  let best = 0;
  for (const [index, value] of values.entries()) if (value > (values[best] ?? -Infinity)) best = index;
  return best;
}
