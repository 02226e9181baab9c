// Opens the real index over a folder of notes with one of the real embedders, and waits until it is complete.
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@chela/sdk/base";
import { createLocalEmbedder } from "../../packages/memory/src/embedding/local-embedder.ts";
import { createStaticEmbedder } from "../../packages/memory/src/embedding/static-embedder.ts";
import { MemoryIndex, type EmbedderSet } from "../../packages/memory/src/index/memory-index.ts";
import { openStore } from "../../packages/memory/src/index/store/store.ts";
import type { IndexSettings } from "../../packages/memory/src/messages.ts";

export const TIERS = ["words", "static", "local"] as const;
/** Who makes the vectors; `words`: nobody. */
export type Tier = (typeof TIERS)[number];

export type QueryWish = Pick<IndexSettings["query"], "vectorWeight" | "textWeight" | "minScore">;

/** As configured when nobody says otherwise. */
export const USUAL: QueryWish = { vectorWeight: 0.7, textWeight: 0.3, minScore: 0.35 };
/** Ranks beyond are not looked at. */
const LOOKED_AT = 20;

export interface OpenedIndex extends AsyncDisposable {
  readonly index: MemoryIndex;
  readonly embedders: EmbedderSet;
}

const LONGEST_WAIT_MS = 600_000;
const LOOK_EVERY_MS = 10;

export function chooseEmbedders(tier: Tier): EmbedderSet {
  if (tier === "words") return {};
  if (tier === "local") return { main: createLocalEmbedder({ clock: systemClock, log: warn }) };
  const table = createStaticEmbedder();
  if (!table) throw new Error("The static table is not there: run npm run build first");
  return { instant: table };
}

/** The embedders stay loaded after the index is closed, so that they can serve another one. */
export function openIndex(
  folder: string,
  tier: Tier,
  { query = USUAL, embedders = chooseEmbedders(tier) }: { query?: QueryWish; embedders?: EmbedderSet } = {},
): OpenedIndex {
  const settings = settingsOf(folder, tier, query);
  const store = openStore(settings.path, warn);
  const parts = { store, settings, embedders, clock: systemClock, log: warn };
  const index = new MemoryIndex({ ...parts, progressed: () => undefined });
  return {
    index,
    embedders,
    async [Symbol.asyncDispose]() {
      await index.close();
      store.close();
    },
  };
}

/** Gives the milliseconds until words and vectors of every chunk are there. */
export async function fillIndex({ index, embedders }: OpenedIndex): Promise<number> {
  const start = performance.now();
  await index.sync(false);
  for (;;) {
    const { chunks, vectors, isIndexing } = index.status();
    if (!isIndexing && (embedders.main === undefined || vectors >= chunks)) break;
    if (performance.now() - start > LONGEST_WAIT_MS) throw new Error(`Only ${vectors} of ${chunks} vectors were made`);
    await sleep(LOOK_EVERY_MS);
  }
  return performance.now() - start;
}

function settingsOf(folder: string, tier: Tier, query: QueryWish): IndexSettings {
  return {
    agentId: "main",
    path: `${folder}/${tier}.sqlite`,
    workspace: `${folder}/workspace`,
    extraPaths: [],
    sources: ["memory"],
    chunking: { tokens: 512, overlap: 64 },
    embedding: { kind: tier === "words" ? "none" : "local" },
    query: {
      ...query,
      maxResults: LOOKED_AT,
      isHybrid: true,
      candidateMultiplier: 4,
    },
    cacheEntries: 50_000,
  };
}

function warn(level: "info" | "warn", message: string, fields: object): void {
  if (level === "warn") process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
}
