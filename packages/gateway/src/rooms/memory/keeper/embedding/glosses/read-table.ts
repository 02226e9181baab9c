// Reads a table of words: the forms of a word, "=", and its English gloss, with ";" between words. Lines that begin with "#" are remarks.

export interface TableWord {
  /** The first is the one a dictionary has. */
  readonly forms: readonly string[];
  readonly gloss: string;
}

export function* readTable(table: string): Iterable<TableWord> {
  for (const line of table.split("\n")) if (line !== "" && !line.startsWith("#")) yield* line.split("; ").map(readWord);
}

function readWord(written: string): TableWord {
  const at = written.indexOf("=");
  return { forms: written.slice(0, at).split(" "), gloss: written.slice(at + 1) };
}
