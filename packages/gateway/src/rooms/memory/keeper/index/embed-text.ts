// What of a chunk is given to an embedder: its text, and before it the headings it stands under.
import { HEADINGS_BETWEEN } from "./chunk-text.ts";

/** A date or a time, say. It tells nothing of the meaning, and yet makes notes of one day alike. */
const HEADING_WITHOUT_WORDS = /^\s*#{1,6}\s[^\p{L}]*$/u;
const HAS_WORDS = /\p{L}/u;
const LINE_MARK = /^\s*(?:#{1,6}|[-*+])\s+/;

export function embedTextOf({ headings, text }: { readonly headings: string; readonly text: string }): string {
  const above = headings.split(HEADINGS_BETWEEN).filter((title) => HAS_WORDS.test(title));
  const lines = text.split("\n").filter((line) => !HEADING_WITHOUT_WORDS.test(line));
  const plain = [above.join(HEADINGS_BETWEEN), ...lines.map((line) => line.replace(LINE_MARK, ""))].join("\n").trim();
  return plain === "" ? text : plain;
}
