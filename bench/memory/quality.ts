// Measures how well notes are found, set by set: by words alone, by vectors alone, and by both together.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Figure } from "../figure.ts";
import { DPKG_STATUS, readPackages } from "./debian.ts";
import { readByHand, readHeldOutLife, readLife, type Life } from "./life.ts";
import { writeNotes, type Note } from "./note-files.ts";
import { CATEGORIES, LANGUAGES, type Pair } from "./pairs.ts";
import { describeMisses, describeScores, type Lines } from "./quality-table.ts";
import { scoreOf, type Question } from "./ranks.ts";
import { compareWays, type Comparison, type Way } from "./ways.ts";

export interface QualityWish {
  readonly root: string;
  readonly distractors: number;
  readonly packages: number;
  /** Tells which questions were not answered among the first five. */
  readonly showsMisses: boolean;
  say(text: string): void;
}

export interface Measured {
  readonly text: string;
  readonly figures: readonly Figure[];
}

export interface QuestionSet {
  readonly name: string;
  readonly title: string;
  readonly notes: readonly Note[];
  readonly hasHeadings: boolean;
  readonly asked: readonly Omit<Question, "place">[];
  readonly lines: Lines;
}

const KINDS = CATEGORIES.flatMap((category) => LANGUAGES.map((language) => groupOf({ category, language })));
const ENGLISH = KINDS.filter((group) => group.endsWith(" en"));

/** All but the packages: those are not on every machine. */
export function lifeSets(distractors: number): QuestionSet[] {
  const life = readLife(distractors);
  const byHand = readByHand();
  const apart = LANGUAGES.map((language) => unseenGroupOf({ language }));
  const english = { groups: ENGLISH, apart: [unseenGroupOf({ language: "en" })] };
  const ofLife = "An assistant's life";
  return [
    setOf("life", ofLife, life, false, { groups: KINDS, sums: CATEGORIES, apart }),
    setOf("life-titled", `${ofLife}, under headings`, onlyEnglish(life), true, english),
    setOf("by-hand", "Notes that are written by hand, all of them", byHand, false, english),
    setOf("by-hand-titled", "Notes that are written by hand, under headings", byHand, true, english),
  ];
}

function heldOutSets(distractors: number): QuestionSet[] {
  const life = readHeldOutLife(distractors);
  const lines: Lines = { groups: [], apart: [unseenGroupOf({ language: "en" })] };
  return [
    setOf("held-out", "Held out", life, false, lines),
    setOf("held-out-titled", "Held out, under headings", life, true, lines),
  ];
}

/** With the name of a package as the heading, the second time. Undefined where there is no dpkg. */
export function packageSets(most: number): QuestionSet[] | undefined {
  const packages = readPackages(most);
  if (!packages) return undefined;
  const lines: Lines = { groups: ["packages en"] };
  const asked = packages.map(({ id, synopsis }) => ({ id, group: "packages en", text: synopsis }));
  const title = `Debian packages: short descriptions look for their long ones (${DPKG_STATUS})`;
  const notes = packages.map(({ id, text }) => ({ id, text, heading: id }));
  return [
    { name: "debian", title, notes, hasHeadings: false, asked, lines },
    { name: "debian-titled", title: `${title}, under their names`, notes, hasHeadings: true, asked, lines },
  ];
}

export async function measureLife(wish: QualityWish): Promise<Measured> {
  return together(await measureSets(lifeSets(wish.distractors), wish));
}

export async function measureHeldOut(wish: QualityWish): Promise<Measured> {
  return together(await measureSets(heldOutSets(wish.distractors), { ...wish, showsMisses: false }));
}

export async function measureDebian(wish: QualityWish): Promise<Measured> {
  const sets = packageSets(wish.packages);
  if (!sets) return { text: `Debian packages: skipped, there is no ${DPKG_STATUS} on this machine.`, figures: [] };
  return together(await measureSets(sets, { ...wish, showsMisses: false }));
}

async function measureSets(sets: readonly QuestionSet[], wish: QualityWish): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const set of sets) measured.push(await measureSet(set, wish));
  return measured;
}

async function measureSet(set: QuestionSet, wish: QualityWish): Promise<Measured> {
  wish.say(`${set.name} …`);
  const { folder, questions } = layOut(set, wish.root);
  const compared = await compareWays(folder, questions, wish.say);
  const title = `${set.title}: ${questions.length} questions, ${set.notes.length} notes, ${compared.chunks} chunks`;
  const text = [title, describeScores(compared, set.lines)];
  if (wish.showsMisses) text.push(describeMisses(onlyGroups(compared, set.lines.groups), set.notes));
  return { text: text.join("\n\n"), figures: judgeSet(set, compared) };
}

/** Writes the notes into a folder of their own, and says where each answer lies. */
export function layOut(set: QuestionSet, root: string): { readonly folder: string; readonly questions: Question[] } {
  const folder = join(root, set.name);
  mkdirSync(folder);
  const places = writeNotes(join(folder, "workspace"), set.notes, set.hasHeadings);
  const questions = set.asked.flatMap((question) => {
    const place = places.get(question.id);
    return place ? [{ ...question, place }] : [];
  });
  return { folder, questions };
}

function setOf(name: string, title: string, life: Life, hasHeadings: boolean, lines: Lines): QuestionSet {
  const asked = [
    ...life.pairs.map((pair) => ({ id: pair.id, text: pair.question, group: groupOf(pair) })),
    ...life.unseen.map((pair) => ({ id: pair.id, text: pair.question, group: unseenGroupOf(pair) })),
  ];
  return { name, title, notes: life.notes, hasHeadings, asked, lines };
}

function onlyEnglish({ pairs, unseen, notes }: Life): Life {
  const isEnglish = ({ language }: Pair): boolean => language === "en";
  return { pairs: pairs.filter(isEnglish), unseen: unseen.filter(isEnglish), notes };
}

function together(measured: readonly Measured[]): Measured {
  return {
    text: measured.map(({ text }) => text).join("\n\n\n"),
    figures: measured.flatMap(({ figures }) => figures),
  };
}

function groupOf({ category, language }: Pick<Pair, "category" | "language">): string {
  return `${category} ${language}`;
}

function unseenGroupOf({ language }: Pick<Pair, "language">): string {
  return `unseen ${language}`;
}

/** What helps to tune must not show the unseen ones, or they would be seen. */
function onlyGroups({ chunks, ways }: Comparison, groups: readonly string[]): Comparison {
  const chosen = [...ways].map(
    ([way, answered]) => [way, answered.filter(({ question }) => groups.includes(question.group))] as const,
  );
  return { chunks, ways: new Map(chosen) };
}

/** Of so many questions one is a matter of luck. */
const MOST_LOST = 1;

/** Both together must find what the better of the two finds. */
function judgeSet({ name, lines }: QuestionSet, { ways }: Comparison): Figure[] {
  const all = [...lines.groups, ...(lines.apart ?? [])].filter((group) => group.endsWith(" en"));
  return all.map((group) => {
    const found = (way: Way): number => {
      const { five, count } = scoreOf((ways.get(way) ?? []).filter(({ question }) => question.group === group));
      return Math.round(five * count);
    };
    const lost = Math.max(found("words"), found("local")) - found("fused local");
    return {
      metric: `${name}, ${group}: lost against the better part`,
      unit: "questions",
      samples: [Math.max(0, lost)],
      limits: [atMost(MOST_LOST)],
    };
  });
}
