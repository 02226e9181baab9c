// Spanish, read in English word by word.
import type { GlossLanguage } from "./languages.ts";
import { readTable } from "./read-table.ts";
import { Remembered } from "./remembered.ts";
import { SPANISH_SMALL_WORDS } from "./small-words.ts";
import { formsOf, type Candidate } from "./spanish-forms.ts";
import { SPANISH_ADJECTIVES } from "./spanish-words-adjectives.ts";
import { SPANISH_DAILY_VERBS } from "./spanish-words-daily-verbs.ts";
import { SPANISH_HOME_WORDS } from "./spanish-words-home.ts";
import { SPANISH_LIFE_WORDS } from "./spanish-words-life.ts";
import { SPANISH_MORE_ADJECTIVES } from "./spanish-words-more-adjectives.ts";
import { SPANISH_MORE_NOUNS } from "./spanish-words-more-nouns.ts";
import { SPANISH_MORE_VERBS } from "./spanish-words-more-verbs.ts";
import { SPANISH_PEOPLE_WORDS } from "./spanish-words-people.ts";
import { SPANISH_SMALL_TABLE } from "./spanish-words-small.ts";
import { SPANISH_THING_WORDS } from "./spanish-words-things.ts";
import { SPANISH_VERBS } from "./spanish-words-verbs.ts";
import { SPANISH_WORK_WORDS } from "./spanish-words-work.ts";
import { SPANISH_WORLD_WORDS } from "./spanish-words-world.ts";

const VERBS = [SPANISH_VERBS, SPANISH_DAILY_VERBS, SPANISH_MORE_VERBS];
const ADJECTIVES = [SPANISH_ADJECTIVES, SPANISH_MORE_ADJECTIVES];
const OTHERS = [
  SPANISH_SMALL_TABLE,
  SPANISH_PEOPLE_WORDS,
  SPANISH_HOME_WORDS,
  SPANISH_THING_WORDS,
  SPANISH_WORK_WORDS,
  SPANISH_WORLD_WORDS,
  SPANISH_LIFE_WORDS,
  SPANISH_MORE_NOUNS,
];

/** First names that would otherwise be read as forms of a word ("lucía" of "lucir"). */
const NAMES = "lucía lucia tomás tomas marcos estela julia ramón ramon césar lidia valeria chela";

type Line = readonly [lemma: string, gloss: string];
type FoldedTables = Readonly<Record<Candidate["as"], ReadonlyMap<string, string>>>;

interface Tables {
  /** As it is written. */
  readonly exact: ReadonlyMap<string, string>;
  /** Without accents. */
  readonly folded: FoldedTables;
  /** Words with a tilde as they are written without it: "nino". */
  readonly tildeless: FoldedTables;
  readonly names: ReadonlySet<string>;
}

class Spanish implements GlossLanguage {
  readonly id = "es";
  readonly smallWords = SPANISH_SMALL_WORDS;
  #tables: Tables | undefined;
  readonly #remembered = new Remembered();

  glossOf(word: string): string | undefined {
    return this.#remembered.get(word, () => this.#lookUp(word));
  }

  #lookUp(word: string): string | undefined {
    const { exact, folded, tildeless, names } = (this.#tables ??= readTables());
    const written = word.normalize("NFC");
    if (names.has(written)) return undefined;
    return exact.get(written) ?? glossOfForm(written, folded) ?? glossOfForm(written, tildeless);
  }
}

/** A word without accents may lack them ("telefono"); one that has them means them ("casó" is not "caso"). */
function glossOfForm(written: string, tables: FoldedTables): string | undefined {
  const plain = withoutAccents(written);
  const itself = tables.any.get(plain);
  if (itself !== undefined && plain === written) return itself;
  for (const { lemma, as } of formsOf(plain)) {
    const gloss = tables[as].get(lemma);
    if (gloss !== undefined) return gloss;
  }
  return itself;
}

function readTables(): Tables {
  const verb = VERBS.flatMap(linesOf);
  const adjective = ADJECTIVES.flatMap(linesOf);
  const any = [...OTHERS.flatMap(linesOf), ...adjective, ...verb];
  const reflexive = verb.filter(([lemma]) => lemma.endsWith("se"));
  const bare = reflexive.map(([lemma, gloss]): Line => [lemma.slice(0, -2), gloss]);
  const tables = { verb: [...verb, ...bare], adjective, any };
  return {
    exact: new Map(any),
    folded: foldTables(tables, withoutAccents),
    tildeless: foldTables(tables, withoutTilde),
    names: new Set(NAMES.split(" ")),
  };
}

function linesOf(table: string): Line[] {
  return [...readTable(table)].flatMap(({ forms, gloss }) => forms.map((form): Line => [form, gloss]));
}

function foldTables(
  { verb, adjective, any }: Record<Candidate["as"], readonly Line[]>,
  fold: (lemma: string) => string | undefined,
): FoldedTables {
  return { verb: foldTable(verb, fold), adjective: foldTable(adjective, fold), any: foldTable(any, fold) };
}

/** Words that are written so come before those that are folded so. */
function foldTable(lines: readonly Line[], fold: (lemma: string) => string | undefined): Map<string, string> {
  const folded = lines.map(([lemma, gloss]) => ({ lemma, gloss, key: fold(lemma) }));
  const table = new Map<string, string>();
  for (const isSame of [true, false])
    for (const { lemma, gloss, key } of folded)
      if (key !== undefined && (key === lemma) === isSame && !table.has(key)) table.set(key, gloss);
  return table;
}

const PLAIN: Readonly<Record<string, string>> = { á: "a", é: "e", í: "i", ó: "o", ú: "u", ü: "u" };

function withoutAccents(word: string): string {
  return word.replace(/[áéíóúü]/g, (letter) => PLAIN[letter] ?? letter);
}

function withoutTilde(word: string): string | undefined {
  return word.includes("ñ") ? withoutAccents(word).replaceAll("ñ", "n") : undefined;
}

export const SPANISH_GLOSSES: GlossLanguage = new Spanish();
