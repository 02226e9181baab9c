// Marks the words somebody looked for in a text, and cuts out the part that shows them: what they are in comes first.
import { splitByRanges } from "../../conversations/marked-text.ts";

type Range = readonly [number, number];

/** Scripts without spaces between words are compared sign by sign. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]`;
const WORDS = new RegExp(String.raw`${UNSPACED}\p{M}*|(?:(?!${UNSPACED})[\p{L}\p{N}\p{M}])+`, "gu");
const ACCENTS = /[\u0300-\u036f]/g;
/** In every sentence, so they are marked only when nothing else was looked for. */
const COMMON = new Set(
  `a about am an and are as at be but by can did do does for from had has have he her him his how i if in is it its me my
  no not of on or our out she so that the their them then there they this to up us was we were what when where which who
  why will with you your
  als am an auf aus bei das dem den der des die du ein eine einen einer er es hat ich ihr im in ist ja man mein mir mit
  nach nicht oder sie sind so und von vor war was wann wer wie wir wo zu zum zur
  al como con cual cuando de del donde el ella en es esta este fue ha la las le lo los me mi no por que quien se si son su
  tu un una y ya yo`.split(/\s+/),
);
/** So much of the text may stand before the first word that was looked for. */
const BEFORE = 100;
/** Where that much begins is moved to the beginning of a line or a word. */
const STEP = 40;

export function findWords(text: string, query: string): Range[] {
  const all = wordsOf(query).map(({ word }) => word);
  const telling = all.filter((word) => !COMMON.has(word));
  const wanted = new Set(telling.length > 0 ? telling : all);
  return wordsOf(text).flatMap(({ word, range }) => (wanted.has(word) ? [range] : []));
}

export interface Excerpt {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Without empty lines, and without what stands long before the first of the words. */
export function excerptOf(found: string, query: string): Excerpt[] {
  const text = found.replace(/\n\s*\n/g, "\n").trim();
  const [first] = findWords(text, query);
  const from = first ? beginning(text, first[0] - BEFORE) : 0;
  const shown = `${from > 0 ? "…" : ""}${text.slice(from)}`;
  return splitByRanges(shown, findWords(shown, query));
}

function beginning(text: string, at: number): number {
  if (at <= 0) return 0;
  const soon = text.slice(at, at + STEP);
  const gap = soon.includes("\n") ? soon.indexOf("\n") : soon.indexOf(" ");
  return at + gap + 1;
}

function wordsOf(text: string): Array<{ word: string; range: Range }> {
  return Array.from(text.matchAll(WORDS), ({ 0: word, index }) => ({
    word: word.toLowerCase().normalize("NFKD").replace(ACCENTS, ""),
    range: [index, index + word.length] as const,
  }));
}
