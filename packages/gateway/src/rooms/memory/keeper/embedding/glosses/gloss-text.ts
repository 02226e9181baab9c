// Turns the German and Spanish sentences of a text into English words, one by one, for a model that reads English.
import { splitSentences } from "../../index/split-sentences.ts";
import { isAlsoEnglish } from "./english-words.ts";
import type { GlossLanguage } from "./languages.ts";
import { isSmallElsewhere } from "./small-words.ts";

const RUNS = /`[^`]*`|\S+/g;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const LETTERS = /^[\p{L}\p{M}]+$/u;
/** Addresses, paths, names of files and of what programs are made of: "itemCount". */
const CODE = /[`_@\\=<>{}]|:\/\/|^[~.]*\/|\/.*\/|[\p{L}\p{N}]\.\p{Ll}|\p{Ll}\p{Lu}/u;
const FENCE = /^\s*(?:```|~~~)/;
/** So many of the words that English has not are of its language; others may be names. */
const SHARE = 0.4;

interface Piece {
  readonly start: number;
  readonly text: string;
  /** Code, addresses and numbers stay. */
  readonly isWord: boolean;
}

/** How many characters of a text are in which language; `other` is English, or one that nobody turns here. */
export interface LanguageShares {
  readonly de: number;
  readonly es: number;
  readonly other: number;
}

export interface Glossed {
  /** The same string where there is nothing to turn. */
  readonly text: string;
  readonly shares: LanguageShares;
}

interface Turned {
  readonly text: string;
  readonly language: GlossLanguage["id"] | "other";
}

export function glossText(text: string, languages: readonly GlossLanguage[]): Glossed {
  const shares = { de: 0, es: 0, other: 0 };
  let isCode = false;
  let isChanged = false;
  const lines = text.split("\n").map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || FENCE.test(line)) {
      shares.other += line.length;
      return line;
    }
    const glossed = splitSentences(line, Number.POSITIVE_INFINITY).map((sentence) => {
      const turned = glossSentence(sentence, languages);
      shares[turned.language] += sentence.length;
      return turned.text;
    });
    const joined = glossed.join("");
    isChanged ||= joined !== line;
    return joined;
  });
  return { text: isChanged ? lines.join("\n") : text, shares };
}

function glossSentence(sentence: string, languages: readonly GlossLanguage[]): Turned {
  const pieces = Array.from(piecesOf(sentence));
  const language = languageOf(pieces, languages);
  if (!language) return { text: sentence, language: "other" };
  const words = pieces.map(({ text, isWord }) => (isWord ? text : ""));
  const glosses = language.glossesOf?.(words) ?? words.map((word) => language.glossOf(word.toLowerCase()));
  let result = "";
  let end = 0;
  for (const [at, { start, text, isWord }] of pieces.entries()) {
    const gloss = (isWord ? glosses[at] : undefined) ?? text;
    const between = sentence.slice(end, start);
    // What says nothing takes the space before it along.
    result += gloss === "" ? between.trimEnd() : between + gloss;
    end = start + text.length;
  }
  return { text: (result + sentence.slice(end)).replace(/^ +/, ""), language: language.id };
}

function* piecesOf(sentence: string): Iterable<Piece> {
  for (const { 0: run, index } of sentence.matchAll(RUNS)) {
    if (CODE.test(run)) yield { start: index, text: run, isWord: false };
    else {
      for (const { 0: text, index: at } of run.matchAll(WORDS)) {
        yield { start: index + at, text, isWord: LETTERS.test(text) };
      }
    }
  }
}

/** The one that knows most of the words, if it is not English that does. */
function languageOf(pieces: readonly Piece[], languages: readonly GlossLanguage[]): GlossLanguage | undefined {
  const words = pieces.flatMap(({ text, isWord }) => (isWord ? [text.toLowerCase()] : []));
  const telling = words.filter((word) => word.length > 1 && !isAlsoEnglish(word));
  let best: GlossLanguage | undefined;
  let most = 0;
  for (const language of languages) {
    const known = telling.filter(
      (word) => language.smallWords.has(word) || language.glossOf(word) !== undefined,
    ).length;
    const others = words.filter((word) => isSmallElsewhere(word) && !language.smallWords.has(word)).length;
    if (known <= Math.max(most, others) || known < telling.length * SHARE) continue;
    best = language;
    most = known;
  }
  return best;
}
