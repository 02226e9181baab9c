// German words and their English glosses: by the table, by the forms a word takes, and by the words it is put together from.
import { namesOf, PREFIXES, verbsOf } from "./german-forms.ts";
import { ADJECTIVES } from "./german-words-adjectives.ts";
import { HOME_WORDS } from "./german-words-home.ts";
import { PEOPLE_WORDS } from "./german-words-people.ts";
import { SMALL_WORDS } from "./german-words-small.ts";
import { VERBS } from "./german-words-verbs.ts";
import { WORLD_WORDS } from "./german-words-world.ts";
import type { GlossLanguage } from "./languages.ts";
import { readTable } from "./read-table.ts";
import { Remembered } from "./remembered.ts";
import { GERMAN_SMALL_WORDS } from "./small-words.ts";

/** Endings that make a word of another, and what they add to its gloss. */
const DERIVED: readonly (readonly [ending: RegExp, before: string, behind: string])[] = [
  [/(?:ung|i?g?keit|heit|schaft|erei)(?:en|s)?$/, "", ""],
  [/nis(?:se|sen|ses)?$/, "", ""],
  [/er(?:in|innen|n|s)?$/, "", ""],
  [/los(?:e[mnrs]?)?$/, "without ", ""],
  [/frei(?:e[mnrs]?)?$/, "", " free"],
  [/(?:voll|reich)(?:e[mnrs]?)?$/, "full of ", ""],
  [/bar(?:e[mnrs]?)?$/, "", " possible"],
  [/(?:lich|ig|isch|haft|sam|mässig|artig)(?:e[mnrs]?)?$/, "", ""],
  [/weise$/, "", ""],
];
/** What stands between two words that are one. */
const LINKS = ["", "s", "n", "es", "en", "er", "e"];
const SHORTEST_PART = 3;
const LONGEST_WORD = 45;
/** Of those that are not put together from others. */
const LONGEST_SIMPLE_WORD = 24;
/** Words of more parts than that are games. */
const MOST_CUTS = 3;
/** Behind them stands a name: "Frau Schuster" mends no shoes. */
const TITLES: ReadonlySet<string> = new Set(
  "herr herrn frau familie firma doktor dr professor prof onkel tante".split(" "),
);

/** What a capital tells. */
type Reading = "noun" | "no noun" | "any";

class German implements GlossLanguage {
  readonly id = "de";
  readonly smallWords = GERMAN_SMALL_WORDS;
  /** Behind them what stands between words, days and numbers among it. */
  readonly #nouns = new Map<string, string>();
  readonly #verbs = new Map<string, string>();
  /** The dictionary's form of forms no rule makes, and of each verb itself. */
  readonly #strong = new Map<string, string>();
  /** All but nouns. */
  readonly #others = new Map<string, string>();
  readonly #all = new Map<string, string>();
  /** The same parts are tried for a compound again and again. */
  readonly #remembered = new Remembered();

  constructor() {
    for (const table of [SMALL_WORDS, PEOPLE_WORDS, HOME_WORDS, WORLD_WORDS, ADJECTIVES, VERBS]) add(table, this.#all);
    for (const table of [PEOPLE_WORDS, HOME_WORDS, WORLD_WORDS, SMALL_WORDS]) add(table, this.#nouns);
    for (const table of [SMALL_WORDS, ADJECTIVES, VERBS]) add(table, this.#others);
    add(VERBS, this.#verbs);
    for (const { forms } of readTable(VERBS))
      for (const form of forms) this.#strong.set(fold(form), fold(forms[0] ?? ""));
  }

  glossOf(word: string): string | undefined {
    return this.#read(word, "any");
  }

  /** Capitals tell nouns; the first word of a sentence has one in any case. */
  glossesOf(words: readonly string[]): (string | undefined)[] {
    const small = words.map((word) => word.toLowerCase());
    const glosses = small.map((word, at) => {
      const isCapital = words[at]?.startsWith(word.charAt(0)) === false;
      if (isCapital && TITLES.has(small[at - 1] ?? "") && !TITLES.has(word)) return undefined;
      return this.#read(word, at === 0 ? "any" : isCapital ? "noun" : "no noun");
    });
    this.#rejoinVerb(small.map(fold), glosses);
    return glosses;
  }

  /** A verb whose prefix stands at the end of the sentence has it back: "ruft … an" is "anrufen". */
  #rejoinVerb(forms: readonly string[], glosses: (string | undefined)[]): void {
    const last = forms.at(-1) ?? "";
    if (!PREFIXES.some(([prefix]) => prefix === last)) return;
    for (let at = forms.length - 2; at >= 0; at--) {
      const joined = this.#verbOf(forms[at] ?? "", last);
      if (joined === undefined) continue;
      glosses[at] = joined;
      glosses[forms.length - 1] = "";
      return;
    }
  }

  #read(word: string, reading: Reading): string | undefined {
    if (word.length > LONGEST_WORD) return undefined;
    return this.#remembered.get(`${reading} ${word}`, () => this.#respelled(fold(word), reading));
  }

  /** Also where somebody writes "ae" for "ä". */
  #respelled(form: string, reading: Reading): string | undefined {
    const gloss = this.#glossOfForm(form, reading);
    if (gloss !== undefined || !/[aou]e/.test(form)) return gloss;
    return this.#glossOfForm(
      form
        .replaceAll("ae", "ä")
        .replaceAll("oe", "ö")
        .replace(/(?<!e)ue/g, "ü"),
      reading,
    );
  }

  #noun(form: string): string | undefined {
    return this.#nouns.get(form) ?? this.#name(form, this.#nouns);
  }

  #noNoun(form: string): string | undefined {
    return this.#others.get(form) ?? this.#verbOf(form) ?? this.#verbWithPrefix(form);
  }

  #glossOfForm(form: string, reading: Reading): string | undefined {
    const likely = reading === "noun" ? this.#noun(form) : reading === "no noun" ? this.#noNoun(form) : undefined;
    return likely ?? this.#simple(form) ?? this.#compound(form) ?? this.#prefixed(form);
  }

  /** Of one word, in whatever form. */
  #simple(form: string): string | undefined {
    return this.#all.get(form) ?? this.#remembered.get(`form ${form}`, () => this.#changed(form));
  }

  /** Of a word that is not in the table as it stands. */
  #changed(form: string): string | undefined {
    if (form.length > LONGEST_SIMPLE_WORD) return undefined;
    const verb = this.#verbOf(form);
    if (verb !== undefined || form.length <= SHORTEST_PART) return verb;
    return this.#verbWithPrefix(form) ?? this.#name(form, this.#all) ?? this.#derived(form);
  }

  #name(form: string, table: ReadonlyMap<string, string>): string | undefined {
    if (form.length <= SHORTEST_PART) return undefined;
    for (const name of namesOf(form)) {
      const gloss = isPart(name) ? table.get(name) : undefined;
      if (gloss !== undefined) return gloss;
    }
    return undefined;
  }

  /** A prefix makes another verb, which must be a known one. */
  #verbOf(form: string, prefix = ""): string | undefined {
    if (form.length < SHORTEST_PART) return undefined;
    for (const verb of verbsOf(form, (strong) => this.#strong.get(strong))) {
      const gloss = this.#verbs.get(prefix + verb);
      if (gloss !== undefined) return gloss;
    }
    return undefined;
  }

  #verbWithPrefix(form: string): string | undefined {
    for (const [prefix] of PREFIXES) {
      if (!form.startsWith(prefix)) continue;
      const gloss = this.#verbOf(form.slice(prefix.length), prefix);
      if (gloss !== undefined) return gloss;
    }
    return undefined;
  }

  #derived(form: string): string | undefined {
    for (const [ending, before, behind] of DERIVED) {
      const stem = form.replace(ending, "");
      if (stem === form || stem.length < SHORTEST_PART) continue;
      const gloss = this.#part(stem) ?? this.#verbOf(stem) ?? this.#verbWithPrefix(stem) ?? this.#name(stem, this.#all);
      if (gloss) return before + gloss + behind;
    }
    return undefined;
  }

  #part(word: string): string | undefined {
    return isPart(word) ? (this.#nouns.get(word) ?? this.#all.get(word)) : undefined;
  }

  #compound(form: string, cuts = MOST_CUTS): string | undefined {
    if (cuts === 0) return undefined;
    return this.#remembered.get(
      `${cuts} ${form}`,
      () => this.#cut(form, cuts, (tail) => this.#noun(tail)) ?? this.#cut(form, cuts, (tail) => this.#simple(tail)),
    );
  }

  /** The last part is as long as it can be. */
  #cut(form: string, cuts: number, read: (tail: string) => string | undefined): string | undefined {
    for (let at = SHORTEST_PART; at <= form.length - SHORTEST_PART; at++) {
      const tail = form.slice(at);
      const last = isPart(tail) ? read(tail) : undefined;
      const first = last ? this.#modifier(form.slice(0, at), cuts - 1) : undefined;
      if (first) return `${first} ${last}`;
    }
    return undefined;
  }

  /** What stands before the last part, with what links them. */
  #modifier(form: string, cuts: number): string | undefined {
    if (PREFIXES.some(([prefix]) => prefix === form)) return undefined;
    for (const link of LINKS) {
      const stem = form.slice(0, form.length - link.length);
      if (!form.endsWith(link) || stem.length < SHORTEST_PART) continue;
      const gloss = this.#part(stem) ?? this.#part(`${stem}e`) ?? this.#part(`${stem}en`);
      if (gloss) return gloss;
    }
    const whole = isPart(form) ? (this.#simple(form) ?? this.#compound(form, cuts)) : undefined;
    return whole ?? (form.endsWith("s") ? this.#compound(form.slice(0, -1), cuts) : undefined);
  }

  #prefixed(form: string): string | undefined {
    for (const [prefix, gloss] of PREFIXES) {
      const rest = form.slice(prefix.length);
      if (!form.startsWith(prefix) || rest.length <= SHORTEST_PART) continue;
      const restGloss = this.#simple(rest) ?? this.#compound(rest);
      if (restGloss) return `${gloss} ${restGloss}`.trimStart();
    }
    return undefined;
  }
}

/** The first table that has a word says what it is. */
function add(table: string, glosses: Map<string, string>): void {
  for (const { forms, gloss } of readTable(table)) {
    for (const form of forms.map(fold)) if (!glosses.has(form)) glosses.set(form, gloss);
  }
}

/** Small words are no parts of others: what looks so is chance. */
function isPart(word: string): boolean {
  return word.length >= SHORTEST_PART && !GERMAN_SMALL_WORDS.has(word);
}

function fold(word: string): string {
  return word.replaceAll("ß", "ss");
}

export const GERMAN_GLOSSES: GlossLanguage = new German();
