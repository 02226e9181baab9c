// Measures how long an index of 2,000 notes takes to make, and to ask, with and without a model.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Figure } from "../figure.ts";
import { readLife } from "./life.ts";
import { writeNotes } from "./note-files.ts";
import { chooseEmbedders, fillIndex, openIndex, TIERS, type Tier } from "./open-index.ts";

const NOTES = 2_000;
const QUERIES = 100;
/** As many as an agent gets when it does not say. */
const SHOWN = 6;
const MOST_MS: Readonly<Record<Tier, number | undefined>> = { words: undefined, static: 1_000, local: 30_000 };

export async function measureSpeed(root: string, say: (text: string) => void): Promise<Figure[]> {
  const { notes, pairs } = readLife(Number.POSITIVE_INFINITY);
  const folder = join(root, "speed");
  mkdirSync(folder);
  writeNotes(join(folder, "workspace"), notes.slice(0, NOTES));
  const questions = pairs.slice(0, QUERIES).map(({ question }) => question);
  const figures: Figure[] = [];
  for (const tier of TIERS) {
    say(`speed, ${tier} …`);
    figures.push(...(await measureTier(folder, tier, questions)));
  }
  return figures;
}

async function measureTier(folder: string, tier: Tier, questions: readonly string[]): Promise<Figure[]> {
  const embedders = chooseEmbedders(tier);
  try {
    await using opened = openIndex(folder, tier, { embedders });
    const before = process.cpuUsage();
    const ms = await fillIndex(opened);
    const { user, system } = process.cpuUsage(before);
    const { chunks } = opened.index.status();
    const most = MOST_MS[tier];
    const filled: Figure = {
      metric: `index ${chunks} chunks, ${tier}`,
      unit: "ms",
      samples: [ms],
      cpuMs: (user + system) / 1000,
    };
    return [
      most === undefined ? filled : { ...filled, limits: [atMost(most)] },
      { metric: `ask ${chunks} chunks, ${tier}`, unit: "ms", samples: await timeSearches(opened, questions) },
    ];
  } finally {
    await embedders.main?.unload();
  }
}

export async function timeSearches(
  { index }: ReturnType<typeof openIndex>,
  questions: readonly string[],
): Promise<number[]> {
  const samples: number[] = [];
  for (const query of questions) {
    const start = performance.now();
    await index.search({ query, maxResults: SHOWN });
    samples.push(performance.now() - start);
  }
  return samples;
}
