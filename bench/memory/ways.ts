// The ways to look for a note that are compared: words alone, vectors alone, and both together.
import { fillIndex, openIndex, USUAL_WEIGHTS, type OpenedIndex, type Tier, type Weights } from "./open-index.ts";
import { askAll, type Answered, type Question } from "./ranks.ts";

export const WAYS = ["BM25", "static", "local", "hybrid static", "hybrid local"] as const;
export type Way = (typeof WAYS)[number];

const ONLY_VECTORS: Weights = { vector: 1, text: 0 };
const HOW: Readonly<Record<Way, { readonly tier: Tier; readonly weights: Weights }>> = {
  BM25: { tier: "words", weights: USUAL_WEIGHTS },
  static: { tier: "static", weights: ONLY_VECTORS },
  local: { tier: "local", weights: ONLY_VECTORS },
  "hybrid static": { tier: "static", weights: USUAL_WEIGHTS },
  "hybrid local": { tier: "local", weights: USUAL_WEIGHTS },
};

export interface Comparison {
  readonly chunks: number;
  readonly ways: ReadonlyMap<Way, readonly Answered[]>;
  /** Words against vectors, where that was asked for: the answers for each weight of the words. */
  readonly weights: ReadonlyMap<number, readonly Answered[]>;
}

/** One index for each tier, asked with several weights; what was made once is not made again. */
export async function compareWays(
  folder: string,
  questions: readonly Question[],
  { textWeights, say }: { readonly textWeights: readonly number[]; say(text: string): void },
): Promise<Comparison> {
  const ways = new Map<Way, readonly Answered[]>();
  const weights = new Map<number, readonly Answered[]>();
  let chunks = 0;
  for (const tier of ["words", "static", "local"] as const) {
    say(`  ${tier} …`);
    const filled = await fill(folder, tier);
    chunks = filled.chunks;
    const ask = async (wish: Weights): Promise<Answered[]> => {
      await using opened = openIndex(folder, tier, { weights: wish, embedders: filled.embedders });
      return await askAll(opened, questions);
    };
    try {
      for (const way of WAYS) if (HOW[way].tier === tier) ways.set(way, await ask(HOW[way].weights));
      if (tier !== "local") continue;
      for (const text of textWeights) weights.set(text, await ask({ vector: 1, text }));
    } finally {
      await filled.embedders.main?.unload();
    }
  }
  return { chunks, ways, weights };
}

async function fill(folder: string, tier: Tier): Promise<Pick<OpenedIndex, "embedders"> & { chunks: number }> {
  await using opened = openIndex(folder, tier);
  await fillIndex(opened);
  return { embedders: opened.embedders, chunks: opened.index.status().chunks };
}
