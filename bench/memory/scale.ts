// Measures whole questions, words and vectors together, among as many pieces of notes as a person writes in a lifetime.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Embedder } from "../../packages/memory/src/embedder.ts";
import type { EmbedderSet } from "../../packages/memory/src/index/memory-index.ts";
import { fromStored } from "../../packages/memory/src/index/spaces/vector-bytes.ts";
import { VectorSpace } from "../../packages/memory/src/vectors/vector-space.ts";
import { atMost, type Figure } from "../figure.ts";
import { makeDistractors } from "./distractors.ts";
import { readLife } from "./life.ts";
import { chooseEmbedders, fillIndex, openIndex } from "./open-index.ts";
import { timeSearches } from "./speed.ts";

const NOTES_A_FILE = 500;
const QUERIES = 200;
const WARM_UP = 20;
/** As many as an agent gets when it does not say, and what their scores may differ by. */
const NEAREST = 6;
const ROUNDING = 1e-6;

export interface ScaleWish {
  readonly root: string;
  readonly chunks: number;
  say(text: string): void;
}

/**
 * The table of words makes the vectors: those of a model would take ten minutes for 100,000. They are searched once as they are, and once with
 * the model's bias, which takes longer: their crowding is looked up.
 */
export async function measureScale({ root, chunks, say }: ScaleWish): Promise<Figure[]> {
  const folder = join(root, `scale-${chunks}`);
  writeLogs(join(folder, "workspace", "memory"), chunks);
  const { instant } = chooseEmbedders("static");
  const { bias } = chooseEmbedders("local").main ?? {};
  if (!instant || !bias) throw new Error("The model is not there: run npm run build first");
  say(`scale, index of ${chunks} …`);
  const filledMs = await fill(folder, { instant });
  say(`scale, ${QUERIES} questions, twice …`);
  const limits = [atMost(chunks > 100_000 ? 25 : 5)];
  return [
    { metric: `index ${chunks} chunks, static`, unit: "ms", samples: [filledMs] },
    { metric: `ask ${chunks} chunks, static`, unit: "ms", samples: await ask(folder, { instant }), limits },
    {
      metric: `ask ${chunks} chunks, static with the model's bias`,
      unit: "ms",
      samples: await ask(folder, { instant: { ...instant, bias } }),
    },
    {
      metric: `the ${NEAREST} nearest of ${chunks} chunks, found`,
      unit: "share",
      samples: [await measureRecall(folder, instant)],
    },
  ];
}

/** Of those that are nearest when every vector is compared by its bytes. Equals count for each other. */
async function measureRecall(folder: string, embedder: Embedder): Promise<number> {
  const questions = readLife(0).pairs.map(({ question }) => question);
  const vectors = await embedder.embed(questions.slice(0, QUERIES), "query");
  using db = new DatabaseSync(`${folder}/static.sqlite`);
  const [name] = VectorSpace.names(db);
  const [first] = vectors;
  if (name === undefined || !first) throw new Error("There are no vectors");
  const select = db.prepare(
    "SELECT embedding_cache.embedding FROM chunks JOIN embedding_cache USING (hash) WHERE number = ?",
  );
  const wish = { name, dimensions: first.length, exact: (id: number) => fromStored(select.get(id)?.["embedding"]) };
  const usual = VectorSpace.open(db, wish);
  const byBytes = VectorSpace.open(db, { ...wish, signsFrom: Infinity });
  let [found, wanted] = [0, 0];
  for (const vector of vectors) {
    const nearest = byBytes.search(vector, NEAREST);
    const least = (nearest.at(-1)?.score ?? 0) - ROUNDING;
    wanted += nearest.length;
    found += usual.search(vector, NEAREST).filter(({ score }) => score >= least).length;
  }
  return found / wanted;
}

async function fill(folder: string, embedders: EmbedderSet): Promise<number> {
  await using opened = openIndex(folder, "static", { embedders });
  return await fillIndex(opened);
}

async function ask(folder: string, embedders: EmbedderSet): Promise<number[]> {
  const questions = readLife(0).pairs.map(({ question }) => question);
  await using opened = openIndex(folder, "static", { embedders });
  await timeSearches(opened, questions.slice(0, WARM_UP));
  return await timeSearches(opened, questions.slice(WARM_UP, WARM_UP + QUERIES));
}

/** Files of many headings with a note below each; every seed makes other notes. */
function writeLogs(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  let notes: string[] = [];
  for (let file = 0, seed = 1; file * NOTES_A_FILE < count; file++) {
    if (notes.length < NOTES_A_FILE) notes = [...notes, ...makeDistractors(seed++).map(({ text }) => text)];
    const some = notes.splice(0, Math.min(NOTES_A_FILE, count - file * NOTES_A_FILE));
    const text = some.map((note, at) => `## ${file}.${at}\n\n${note}\n`).join("\n");
    writeFileSync(join(folder, `${String(file).padStart(5, "0")}.md`), text);
  }
}
