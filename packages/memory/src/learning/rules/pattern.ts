// Patterns of sentences with gaps, compiled into expressions that find what is in them; and what a language brings along.
import type { FactKind } from "../../messages.ts";

/**
 * A sentence people say, and what it tells. `{a|b}` may be there or not, and everything else is an expression in
 * small letters. Gaps: `<what>` and `<Name>` are the subject, `<value>`, `<Value>` (with a capital letter) and `<amount>` the value.
 */
export interface PatternRow {
  readonly says: string;
  readonly kind: FactKind;
  /** What is told of the subject; something later in the same slot of the same subject takes its place. */
  readonly slot: string;
  /** The value, where the sentence is it. */
  readonly means?: string;
  readonly confidence: number;
  /** True even in a question or after an "if": "can you call my sister Anna?" */
  readonly isPresupposed?: true;
  /** It need not begin a clause. */
  readonly isAnywhere?: true;
}

export interface Pattern extends Omit<PatternRow, "says"> {
  readonly find: RegExp;
}

/** What a language brings along. All words are small letters. */
export interface Language {
  readonly id: string;
  /** Small words that tell the language, and that are no topics. */
  readonly smallWords: ReadonlySet<string>;
  /** What nobody is called, with a capital letter. */
  readonly noNames: ReadonlySet<string>;
  /** Words with which another clause begins. */
  readonly clauseEnds: string;
  readonly patterns: readonly Pattern[];
  /** Before these words nothing is asserted: "if", "suppose", "she says". */
  readonly unasserted: RegExp;
  /** Questions without their mark. */
  readonly asks: RegExp;
  /** Turns the clause it is in around. */
  readonly negates: RegExp;
  /** After one of these words a clause begins. */
  readonly clauseStarts: ReadonlySet<string>;
  /** Where a phrase ends. */
  readonly phraseEnds: RegExp;
  /** Articles and the like, taken off the beginning of a subject. */
  readonly articles: RegExp;
  /** What is no subject by itself: "it", "that idea of yours". */
  readonly pronouns: RegExp;
  readonly calendar: CalendarWords;
}

export interface CalendarWords {
  /** Twelve, the first is January; each an expression. */
  readonly months: readonly string[];
  /** Seven, the first is Sunday; each an expression. */
  readonly weekdays: readonly string[];
  /** Before a weekday: the coming one, the one before. */
  readonly coming: string;
  readonly last: string;
  /** Ways to write a day, with `<day>`, `<month>` (a name), `<monthNumber>` and `<year>`. */
  readonly written: readonly string[];
  /** Days from the day it is said on. */
  readonly relative: ReadonlyArray<readonly [says: string, days: number]>;
  /** `<count>` and `<unit>`. */
  readonly ahead: string;
  readonly units: string;
  readonly weeks: RegExp;
  readonly numbers: Readonly<Record<string, number>>;
  /** What an appointment is called. */
  readonly events: RegExp;
  /** It has happened already. */
  readonly past: RegExp;
  /** It was moved to another day. */
  readonly moves: RegExp;
  /** Between an event and a name. */
  readonly withWord: string;
}

const NAME = String.raw`\p{Lu}[\p{L}\p{M}'-]+(?: (?:(?:von|van|de|del|la|der) )?\p{Lu}[\p{L}\p{M}'-]+){0,2}`;
const PHRASE = String.raw`[^,;:.!?()\uFFFC]{2,90}`;
const AMOUNT = String.raw`(?:(?:[$€£]|EUR|USD|GBP|CHF) ?\d[\d.,]{0,12}|\d[\d.,]{0,12}(?: ?[€$£]| (?:EUR|USD|GBP|CHF|[Ee]uros?|[Dd]ollars?|[Pp]ounds?|[Ff]rancs?|Franken|dólares|pesos|libras)\b))`;

const GAPS: Readonly<Record<string, string>> = {
  what: `(?<subject>${PHRASE})`,
  Name: `(?<subject>${NAME})`,
  value: `(?<value>${PHRASE})`,
  Value: `(?<value>${NAME})`,
  amount: `(?<value>${AMOUNT})`,
  day: String.raw`(?<day>\d{1,2})`,
  monthNumber: String.raw`(?<monthNumber>\d{1,2})`,
  year: String.raw`(?<year>\d{4})`,
};

export function compilePatterns(rows: readonly PatternRow[]): Pattern[] {
  return rows.map(({ says, ...row }) => ({ ...row, find: compile(says) }));
}

/** Word by word; names keep their case. `more` are further gaps. */
export function compile(says: string, more: Readonly<Record<string, string>> = {}): RegExp {
  const source = eitherCase(says.replace(/(?<!\\p)\{([^}\d][^}]*)\} ?/gi, "(?:(?:$1) )?"));
  const filled = source.replace(/(?<!\(\?)<(\w+)>/g, (gap, name: string) => more[name] ?? GAPS[name] ?? gap);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_@])(?:${filled})`, "gu");
}

const PIECES = /\\p\{\w+\}|\\.|(?:\(\?)?<\w+>|\[[^\]]*\]|(?<!\p{L})\p{Ll}/gu;

/** An expression whose words may begin with a capital letter. */
export function eitherCase(source: string): string {
  return source.replace(PIECES, (piece) => (/^\p{Ll}$/u.test(piece) ? `[${piece}${piece.toUpperCase()}]` : piece));
}

/** Looks first: most patterns are in most sentences not found, and `matchAll` copies its expression each time. */
export function findAll(text: string, expression: RegExp): readonly RegExpExecArray[] {
  return text.search(expression) < 0 ? [] : [...text.matchAll(expression)];
}

/** Any of these words, as a whole. */
export function anyOf(words: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`, "iu");
}
