// Text seen with half-closed eyes: what people and models confuse looks the same, and every letter knows where it stood.

export interface LooseText {
  readonly text: string;
  /** Where each letter of `text` begins and ends in the original. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** `endings`: only CRLF and LF are the same. `typography`: also spaces at line ends, quotes, dashes and kinds of space. */
export type Looseness = "endings" | "typography";

const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ...pairs("‘’‚‛′", "'"),
  ...pairs("“”„‟″", '"'),
  ...pairs("‐‑‒–—―−", "-"),
  ...pairs("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
]);

function pairs(letters: string, same: string): [string, string][] {
  return Array.from(letters, (letter) => [letter, same]);
}

export function loosen(original: string, looseness: Looseness, part: "whole" | "passage"): LooseText {
  const starts = new Uint32Array(original.length);
  const ends = new Uint32Array(original.length);
  const letters: string[] = [];
  const put = (letter: string, start: number, end: number) => {
    starts[letters.length] = start;
    ends[letters.length] = end;
    letters.push(letter);
  };
  for (let index = 0; index < original.length;) {
    const letter = original[index] as string;
    const length = letter === "\r" && original[index + 1] === "\n" ? 2 : 1;
    if (looseness === "typography" && isSpace(letter)) {
      const end = endOfSpaces(original, index);
      // The end of a passage is not the end of a line: a space there was meant.
      const endsLine = end === original.length ? part === "whole" : /[\r\n]/.test(original[end] as string);
      if (!endsLine) for (let at = index; at < end; at++) put(looseLetter(original[at] as string), at, at + 1);
      index = end;
      continue;
    }
    put(length === 2 ? "\n" : looseness === "typography" ? looseLetter(letter) : letter, index, index + length);
    index += length;
  }
  return { text: letters.join(""), starts, ends };
}

/** One line, for comparing whole lines. */
export function loosenLine(line: string): string {
  return loosen(line, "typography", "whole").text;
}

function looseLetter(letter: string): string {
  return LOOKALIKES.get(letter) ?? letter;
}

function isSpace(letter: string): boolean {
  return letter === " " || letter === "\t" || LOOKALIKES.get(letter) === " ";
}

function endOfSpaces(text: string, from: number): number {
  let end = from;
  while (end < text.length && isSpace(text[end] as string)) end++;
  return end;
}
