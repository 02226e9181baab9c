// Chooses how words count beside vectors: each set is left out once, and what is best for all others is tried on it.
import { fuseScores, SHAPE, type Shape } from "../../packages/memory/src/index/search/fuse-scores.ts";
import { openIndex, USUAL } from "./open-index.ts";
import { layOut, lifeSets, packageSets, type QualityWish, type QuestionSet } from "./quality.ts";
import { fill } from "./ways.ts";

/** A note that was found, by either part: what each part says of it, and whether it is the one. */
interface Candidate {
  readonly vector: number;
  readonly text: number;
  readonly isAnswer: boolean;
}
/** What was found for each question. */
type Asked = readonly (readonly Candidate[])[];

const FROM = [0, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6];
const FACTOR = [0.7, 0.9, 1.2, 1.4, 1.6, 1.9, 2.3];
const SHAPES: readonly Shape[] = FROM.flatMap((from) => FACTOR.map((factor) => ({ from, factor })));
const EVERYTHING = { ...USUAL, minScore: 0 };
const MOST = 100;

/** Questions that are never tuned by have no part in it. */
export async function chooseFusion(wish: QualityWish): Promise<string> {
  const groups = new Map<string, Asked[]>();
  for (const set of [...lifeSets(wish.distractors), ...(packageSets(wish.packages) ?? [])]) {
    wish.say(`${set.name} …`);
    for (const [group, asked] of await askSet(set, wish.root)) groups.set(group, [...(groups.get(group) ?? []), asked]);
  }
  const lines = [...groups].map(([left, sets]) => {
    const others = [...groups].flatMap(([group, asked]) => (group === left ? [] : asked));
    const shape = bestFor(others);
    const cells = sets.map((asked) => `${percent(fusedFive(asked, shape))} (${percent(betterFive(asked))})`);
    return `${left.padEnd(14)} from ${shape.from}, factor ${shape.factor}: ${cells.join("  ")}`;
  });
  const all = bestFor([...groups.values()].flat());
  return [
    "Left out, chosen by all others, and what of 100 it finds among the first five (the better part alone):",
    ...lines,
    `Chosen by all: from ${all.from}, factor ${all.factor}. In use: from ${SHAPE.from}, factor ${SHAPE.factor}.`,
  ].join("\n");
}

/** By kind of question, whatever the language and the headings: those of one kind are left out together. */
async function askSet(set: QuestionSet, root: string): Promise<Map<string, Asked>> {
  const { folder, questions } = layOut(set, root);
  const { embedders } = await fill(folder, "local");
  const groups = new Map<string, Candidate[][]>();
  try {
    await using opened = openIndex(folder, "local", { query: EVERYTHING, embedders });
    for (const { group, text, place } of questions.filter((one) => set.lines.groups.includes(one.group))) {
      const { results } = await opened.index.search({ query: text, maxResults: MOST });
      const found = results.map(({ path, startLine, endLine, vectorScore = 0, textScore = 0 }) => ({
        vector: vectorScore,
        text: textScore,
        isAnswer: path === place.path && startLine <= place.line && place.line <= endLine,
      }));
      const kind = group.split(" ")[0] ?? group;
      groups.set(kind, [...(groups.get(kind) ?? []), found]);
    }
  } finally {
    await embedders.main?.unload();
  }
  return groups;
}

/** Finds most, and loses least of what one part finds. */
function bestFor(sets: readonly Asked[]): Shape {
  const worth = (shape: Shape): number =>
    sets.reduce((sum, asked) => {
      const five = fusedFive(asked, shape);
      const first = reciprocalOf(asked, scoreBy(shape));
      return sum + five + first - Math.max(0, betterFive(asked) - five);
    }, 0);
  return SHAPES.map((shape) => ({ shape, worth: worth(shape) })).reduce((a, b) => (b.worth > a.worth ? b : a)).shape;
}

function scoreBy(shape: Shape): (one: Candidate) => number {
  return (one) => fuseScores(one, USUAL, shape);
}

function fusedFive(asked: Asked, shape: Shape): number {
  return five(asked, scoreBy(shape));
}

function betterFive(asked: Asked): number {
  return Math.max(
    five(asked, ({ vector }) => vector),
    five(asked, ({ text }) => text),
  );
}

function five(asked: Asked, score: (one: Candidate) => number): number {
  return asked.filter((found) => rankOf(found, score) <= 5).length / asked.length;
}

function reciprocalOf(asked: Asked, score: (one: Candidate) => number): number {
  return asked.reduce((sum, found) => sum + 1 / rankOf(found, score), 0) / asked.length;
}

function rankOf(found: readonly Candidate[], score: (one: Candidate) => number): number {
  const answer = found.find(({ isAnswer }) => isAnswer);
  if (!answer || score(answer) === 0) return Number.POSITIVE_INFINITY;
  return 1 + found.filter((one) => score(one) > score(answer)).length;
}

function percent(share: number): string {
  return (share * 100).toFixed(0);
}
