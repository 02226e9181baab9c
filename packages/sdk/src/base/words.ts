// Cuts a text into the words it is found by: without case and accents, and one by one where a script has no spaces.

export interface PlacedWord {
  readonly start: number;
  readonly end: number;
  /** As it is compared. */
  readonly word: string;
}

const RUNS = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");
const PIECES = new RegExp(`[${UNSPACED}]\\p{M}*|[^${UNSPACED}]+`, "gu");
const ASCII = /^[\0-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]/g;
/** Longer ones are keys and encoded files, which nobody types to the end. */
const LONGEST_WORD = 64;

export function* wordsOf(text: string): Iterable<PlacedWord> {
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (!isUnspaced(run)) {
      yield { start: index, end: index + run.length, word: fold(run) };
      continue;
    }
    for (const { 0: piece, index: at } of run.matchAll(PIECES)) {
      yield { start: index + at, end: index + at + piece.length, word: fold(piece) };
    }
  }
}

export function isUnspaced(word: string): boolean {
  return !ASCII.test(word) && HAS_UNSPACED.test(word);
}

function fold(word: string): string {
  const small = word.toLowerCase();
  if (ASCII.test(small)) return small.slice(0, LONGEST_WORD);
  return small.normalize("NFKD").replace(ACCENTS, "").normalize("NFC").slice(0, LONGEST_WORD);
}
