// The ways to look for a note that are compared: by words alone, by vectors alone, and by both together.
import { fillIndex, openIndex, USUAL, type OpenedIndex, type QueryWish, type Tier } from "./open-index.ts";
import { askAll, type Answered, type Question } from "./ranks.ts";

export const WAYS = ["words", "static", "local", "fused static", "fused local"] as const;
export type Way = (typeof WAYS)[number];

/** The parts leave nothing out; what a search gives by default does. */
const ONLY_VECTORS: QueryWish = { vectorWeight: 1, textWeight: 0, minScore: 0 };
const HOW: Readonly<Record<Way, { readonly tier: Tier; readonly query: QueryWish }>> = {
  words: { tier: "words", query: { ...USUAL, minScore: 0 } },
  static: { tier: "static", query: ONLY_VECTORS },
  local: { tier: "local", query: ONLY_VECTORS },
  "fused static": { tier: "static", query: USUAL },
  "fused local": { tier: "local", query: USUAL },
};

export interface Comparison {
  readonly chunks: number;
  readonly ways: ReadonlyMap<Way, readonly Answered[]>;
}

/** One index for each tier, asked in each way; what was made once is not made again. */
export async function compareWays(
  folder: string,
  questions: readonly Question[],
  say: (text: string) => void,
): Promise<Comparison> {
  const ways = new Map<Way, readonly Answered[]>();
  let chunks = 0;
  for (const tier of ["words", "static", "local"] as const) {
    say(`  ${tier} …`);
    const filled = await fill(folder, tier);
    chunks = filled.chunks;
    try {
      for (const way of WAYS) {
        if (HOW[way].tier !== tier) continue;
        await using opened = openIndex(folder, tier, { query: HOW[way].query, embedders: filled.embedders });
        ways.set(way, await askAll(opened, questions));
      }
    } finally {
      await filled.embedders.main?.unload();
    }
  }
  return { chunks, ways };
}

export async function fill(folder: string, tier: Tier): Promise<Pick<OpenedIndex, "embedders"> & { chunks: number }> {
  await using opened = openIndex(folder, tier);
  await fillIndex(opened);
  return { embedders: opened.embedders, chunks: opened.index.status().chunks };
}
