// Text of others, cut and wrapped for a terminal, with the words that were looked for marked in it.
import { wordsOf } from "@chela/sdk/base";
import { cleanForTerminal, wrapText } from "./layout.ts";

export interface TextPlace {
  readonly columns: number;
  readonly mostLines: number;
  readonly indent: string;
}

const SHORTEST_WORD = 3;

/** Lines that fit; whoever looks for "tea" has "Tea" marked. */
export function markedLines(
  text: string,
  query: string,
  mark: (text: string) => string,
  { columns, mostLines, indent }: TextPlace,
): string[] {
  const wanted = wantedWords(query);
  const plain = cleanForTerminal(text).replaceAll(/\s+/g, " ").trim();
  const lines = wrapText(plain, Math.max(20, columns - indent.length)).split("\n");
  const shown = lines.slice(0, mostLines);
  if (lines.length > mostLines) shown[mostLines - 1] += "…";
  return shown.map((line) => indent + markWords(line, wanted, mark));
}

/** Small words are in every text; they are marked when nothing else was looked for. */
function wantedWords(query: string): ReadonlySet<string> {
  const all = Array.from(wordsOf(query), ({ word }) => word);
  const long = all.filter((word) => word.length >= SHORTEST_WORD);
  return new Set(long.length > 0 ? long : all);
}

function markWords(line: string, wanted: ReadonlySet<string>, mark: (text: string) => string): string {
  let at = 0;
  let marked = "";
  for (const { start, end, word } of wordsOf(line)) {
    if (!wanted.has(word)) continue;
    marked += line.slice(at, start) + mark(line.slice(start, end));
    at = end;
  }
  return marked + line.slice(at);
}
