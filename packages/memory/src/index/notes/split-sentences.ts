// Cuts a line into sentences, and what is too long for one into pieces that fit; put together they are the line again.
import { quartersOfCode } from "./estimate-tokens.ts";

/** Looks behind first, so that a row of dots is read once. */
const SENTENCE_ENDS = /(?<![.!?…])[.!?…]+["'”’»)\]]*\s+|[。！？｡]+["'”’»）」』]*\s*/g;

/** `quarters`: the most a piece may have, in quarters of a token. */
export function splitSentences(line: string, quarters: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { 0: end, index } of line.matchAll(SENTENCE_ENDS)) {
    pushFitting(pieces, line.slice(start, index + end.length), quarters);
    start = index + end.length;
  }
  if (start < line.length) pushFitting(pieces, line.slice(start), quarters);
  return pieces;
}

function pushFitting(pieces: string[], sentence: string, quarters: number): void {
  let start = 0;
  while (start < sentence.length) {
    const end = fittingEnd(sentence, start, quarters);
    pieces.push(sentence.slice(start, end));
    start = end;
  }
}

/** Behind the last space that fits; in the middle of a run that has none. Never between the halves of a character. */
function fittingEnd(text: string, start: number, quarters: number): number {
  let used = 0;
  let space = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    used += quartersOfCode(code);
    if (used > quarters) {
      if (space > start) return space;
      const isSecondHalf = code >= 0xdc00 && code <= 0xdfff;
      return Math.max(isSecondHalf ? at - 1 : at, start + 1);
    }
    if (isSpace(code)) space = at + 1;
  }
  return text.length;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 0x3000;
}
