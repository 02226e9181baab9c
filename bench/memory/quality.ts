// Measures how well notes are found: of an assistant's life, by category and language, and of Debian packages.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { atLeast, type Figure } from "../figure.ts";
import { DPKG_STATUS, readPackages } from "./debian.ts";
import { readLife } from "./life.ts";
import { writeNotes, type Note } from "./note-files.ts";
import { CATEGORIES, LANGUAGES, type Pair } from "./pairs.ts";
import { describeMisses, describeScores, describeWeights } from "./quality-table.ts";
import { scoreOf, type Answered, type Question } from "./ranks.ts";
import { compareWays, type Comparison } from "./ways.ts";

export interface QualityWish {
  readonly root: string;
  readonly distractors: number;
  readonly packages: number;
  /** Tries other weights of words against vectors. */
  readonly triesWeights: boolean;
  /** Tells which questions hybrid search did not answer among its first five. */
  readonly showsMisses: boolean;
  say(text: string): void;
}

export interface Measured {
  readonly text: string;
  readonly figures: readonly Figure[];
}

const WEIGHTS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1];

export async function measureLife(wish: QualityWish): Promise<Measured> {
  const { pairs, unseen, notes } = readLife(wish.distractors);
  const asked = [
    ...pairs.map((pair) => ({ ...pair, group: groupOf(pair) })),
    ...unseen.map((pair) => ({ ...pair, group: unseenGroupOf(pair) })),
  ];
  const questions = (places: ReturnType<typeof writeNotes>): Question[] =>
    asked.flatMap(({ id, group, question }) => {
      const place = places.get(id);
      return place ? [{ id, group, text: question, place }] : [];
    });
  const compared = await compare("life", notes, questions, wish);
  const groups = CATEGORIES.flatMap((category) => LANGUAGES.map((language) => groupOf({ category, language })));
  const unseenGroups = LANGUAGES.map((language) => unseenGroupOf({ language }));
  const title = `An assistant's life: ${pairs.length} questions and ${unseen.length} unseen ones, ${notes.length} notes, ${compared.chunks} chunks`;
  const text = [title, describeScores(compared, { groups, sums: CATEGORIES, apart: unseenGroups })];
  const tuned = onlyGroups(compared, groups);
  if (wish.triesWeights) text.push(describeWeights(tuned));
  if (wish.showsMisses) text.push(describeMisses(tuned, pairs));
  return { text: text.join("\n\n"), figures: judgeLife(compared) };
}

export async function measureDebian(wish: QualityWish): Promise<Measured> {
  const packages = readPackages(wish.packages);
  if (!packages) return { text: `Debian packages: skipped, there is no ${DPKG_STATUS} on this machine.`, figures: [] };
  const questions = (places: ReturnType<typeof writeNotes>): Question[] =>
    packages.flatMap(({ id, synopsis }) => {
      const place = places.get(id);
      return place ? [{ id, group: "packages en", text: synopsis, place }] : [];
    });
  const compared = await compare("debian", packages, questions, { ...wish, triesWeights: false });
  const title = `Debian packages: ${packages.length} short descriptions look for their long ones (${DPKG_STATUS}), ${compared.chunks} chunks`;
  return { text: `${title}\n\n${describeScores(compared, { groups: ["packages en"] })}`, figures: [] };
}

async function compare(
  name: string,
  notes: readonly Note[],
  questions: (places: ReturnType<typeof writeNotes>) => Question[],
  wish: QualityWish,
): Promise<Comparison> {
  wish.say(`${name} …`);
  const folder = join(wish.root, name);
  mkdirSync(folder);
  const places = writeNotes(join(folder, "workspace"), notes);
  return compareWays(folder, questions(places), { textWeights: wish.triesWeights ? WEIGHTS : [], say: wish.say });
}

function groupOf({ category, language }: Pick<Pair, "category" | "language">): string {
  return `${category} ${language}`;
}

function unseenGroupOf({ language }: Pick<Pair, "language">): string {
  return `unseen ${language}`;
}

/** What helps to tune must not show the unseen ones, or they would be seen. */
function onlyGroups({ chunks, ways, weights }: Comparison, groups: readonly string[]): Comparison {
  const choose = <Key>(answers: ReadonlyMap<Key, readonly Answered[]>): Map<Key, readonly Answered[]> =>
    new Map(
      [...answers].map(([key, answered]) => [key, answered.filter(({ question }) => groups.includes(question.group))]),
    );
  return { chunks, ways: choose(ways), weights: choose(weights) };
}

function judgeLife({ ways }: Comparison): Figure[] {
  const answered = ways.get("hybrid local") ?? [];
  const five = (isAsked: (group: string) => boolean): number =>
    scoreOf(answered.filter(({ question }) => isAsked(question.group))).five;
  const figure = (metric: string, value: number, least: number): Figure => {
    return { metric, unit: "R@5", samples: [value], limits: [atLeast(least)] };
  };
  return [
    figure(
      "hybrid local: in other words, all languages",
      five((group) => group.startsWith("paraphrase")),
      0.75,
    ),
    figure(
      "hybrid local: in other words, unseen, all languages",
      five((group) => group.startsWith("unseen")),
      0.75,
    ),
    figure(
      "hybrid local: by key words, all languages",
      five((group) => group.startsWith("keyword")),
      0.98,
    ),
  ];
}
