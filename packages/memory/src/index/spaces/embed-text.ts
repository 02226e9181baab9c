// Text of a chunk for an embedder, and apart from it the headings it stands under.
import { HEADINGS_BETWEEN, readHeading } from "../notes/chunk-text.ts";

export interface EmbeddableText {
  /** Of what it is about, as far as that is said in words. A date or a time makes notes of one day alike. */
  readonly title?: string;
  readonly text: string;
}

const HAS_WORDS = /\p{L}/u;
const LINE_MARK = /^\s*(?:#{1,6}|[-*+])\s+/;

export function embedTextOf({ headings, text }: { readonly headings: string; readonly text: string }): EmbeddableText {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "" && readHeading(line) === undefined);
  // Headings alone are a text.
  if (first < 0) return { text };
  const inside = lines.slice(0, first).flatMap((line) => readHeading(line)?.title ?? []);
  const titles = [...headings.split(HEADINGS_BETWEEN), ...inside].filter((title) => HAS_WORDS.test(title));
  const plain = lines
    .slice(first)
    .map((line) => line.replace(LINE_MARK, ""))
    .join("\n")
    .trim();
  return { ...(titles.length > 0 ? { title: titles.join(HEADINGS_BETWEEN) } : {}), text: plain === "" ? text : plain };
}
