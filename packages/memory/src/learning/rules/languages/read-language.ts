// Reads the rules of a language, which are data: named parts, sentences with gaps, and small words.
import { anyOf, compilePatterns, type CalendarWords, type Language, type PatternRow } from "../pattern.ts";

/** As it lies in a file. `%NAME%` stands for a part; expressions are sources. */
export interface LanguageData extends Omit<
  Language,
  | "smallWords"
  | "noNames"
  | "patterns"
  | "unasserted"
  | "asks"
  | "negates"
  | "clauseStarts"
  | "phraseEnds"
  | "articles"
  | "pronouns"
  | "calendar"
> {
  readonly parts: Readonly<Record<string, string>>;
  /** Lines of words. */
  readonly smallWords: readonly string[];
  readonly noNames: readonly string[];
  readonly clauseStarts: readonly string[];
  readonly patterns: ReadonlyArray<PatternRow | ToldOfOthers>;
  readonly unasserted: string;
  readonly asks: string;
  readonly negates: string;
  readonly phraseEnds: string;
  readonly articles: string;
  readonly pronouns: string;
  readonly calendar: Omit<CalendarWords, "weeks" | "events" | "past" | "moves"> &
    Readonly<Record<"weeks" | "events" | "past" | "moves", string>>;
}

/** What is told of others: each sentence goes on after each way to name them, "Lena" or "my sister". */
interface ToldOfOthers {
  readonly of: readonly string[];
  readonly rows: ReadonlyArray<readonly [says: string, confidence: number]>;
}

export function readLanguage(data: LanguageData): Language {
  const { id, parts, clauseEnds, calendar } = data;
  const fill = (text: string): string =>
    text.replace(/%([A-Z]+)%/g, (whole, name: string) => (parts[name] === undefined ? whole : fill(parts[name])));
  const rows = data.patterns.flatMap((row) => ("of" in row ? toldOf(row) : [row]));
  return {
    id,
    smallWords: wordsIn(data.smallWords),
    noNames: wordsIn(data.noNames),
    clauseEnds,
    patterns: compilePatterns(rows.map((row) => ({ ...row, says: fill(row.says) }))),
    unasserted: anyOf(data.unasserted),
    asks: new RegExp(data.asks, "iu"),
    negates: anyOf(data.negates),
    clauseStarts: wordsIn(data.clauseStarts),
    phraseEnds: new RegExp(data.phraseEnds, "iu"),
    articles: new RegExp(data.articles, "iu"),
    pronouns: new RegExp(data.pronouns, "iu"),
    calendar: {
      ...calendar,
      weeks: new RegExp(calendar.weeks, "i"),
      events: anyOf(calendar.events),
      past: anyOf(calendar.past),
      moves: anyOf(calendar.moves),
    },
  };
}

function toldOf({ of, rows }: ToldOfOthers): PatternRow[] {
  return rows.flatMap(([says, confidence]) =>
    of.map((one): PatternRow => ({ says: `${one} ${says}`, kind: "entity", slot: "told", confidence })),
  );
}

function wordsIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
