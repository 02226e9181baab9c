// Gives facts and finished episodes their vectors, some at a time.
import type { Embedder } from "../../embedder.ts";
import type { Store } from "../../index/store/store.ts";
import { episodeItem, factItem } from "./keys.ts";
import { LearnedVectors, type EmbeddedItem } from "./learned-vectors.ts";

interface Pending extends Omit<EmbeddedItem, "vector"> {
  readonly text: string;
}

/** By model: all facts up to this number have their vectors. */
export type EmbeddedUpTo = Map<string, number>;

interface PendingParts {
  readonly store: Store;
  readonly vectors: LearnedVectors;
  readonly upTo: EmbeddedUpTo;
}

/** Topics are single words, and an episode that goes on is in the conversation itself. */
const FACTS = `SELECT number, id, text, at FROM facets WHERE number > ? AND facet_type <> 'topic'
  AND NOT EXISTS (SELECT 1 FROM embeddings WHERE item = number * 2 AND model = ?) ORDER BY number LIMIT ?`;
const EPISODES = `SELECT number, id, summary AS text, ended_at AS at FROM episodes WHERE is_open = 0 AND summary <> ''
  AND NOT EXISTS (SELECT 1 FROM embeddings WHERE item = number * 2 + 1 AND model = ?) ORDER BY number LIMIT ?`;

/** How many were embedded; 0 when nothing is left. */
export async function embedPending(parts: PendingParts, embedder: Embedder, most: number): Promise<number> {
  const model = LearnedVectors.modelOf(embedder);
  const pending = findPending(parts, model, most);
  if (pending.length === 0) return 0;
  const texts = [...new Set(pending.map(({ text }) => text))];
  const vectors = await embedder.embed(texts, "document");
  const byText = new Map(texts.map((text, place) => [text, vectors[place]]));
  return parts.store.transaction(() => {
    // Something may have been forgotten meanwhile.
    const still = pending.filter((one) => isThere(parts.store, one));
    const items = still.flatMap(({ text, ...item }) => {
      const vector = byText.get(text);
      return vector ? [{ ...item, vector }] : [];
    });
    parts.vectors.put(model, items);
    return items.length;
  });
}

function findPending({ store, upTo }: PendingParts, model: string, most: number): Pending[] {
  const facts = store.statement(FACTS).all(upTo.get(model) ?? 0, model, most);
  // Those before the first without a vector need not be looked at again.
  const [first] = facts;
  const newest = store.statement("SELECT max(number) AS number FROM facets").get()?.["number"];
  upTo.set(model, first ? Number(first["number"]) - 1 : Number(newest ?? 0));
  const episodes = store.statement(EPISODES).all(model, most - facts.length);
  return [
    ...facts.map((row) => ({ item: factItem(Number(row["number"])), sourceType: "fact" as const, ...sourceOf(row) })),
    ...episodes.map((row) => ({
      item: episodeItem(Number(row["number"])),
      sourceType: "episode" as const,
      ...sourceOf(row),
    })),
  ];
}

function sourceOf(row: Record<string, unknown>): { sourceId: string; text: string; at: number } {
  return { sourceId: String(row["id"]), text: String(row["text"]), at: Number(row["at"]) };
}

function isThere(store: Store, { sourceType, sourceId, text }: Pending): boolean {
  const sql =
    sourceType === "fact"
      ? "SELECT 1 FROM facets WHERE id = ? AND text = ?"
      : "SELECT 1 FROM episodes WHERE id = ? AND summary = ?";
  return store.statement(sql).get(sourceId, text) !== undefined;
}
