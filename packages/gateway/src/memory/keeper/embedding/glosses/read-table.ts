// Reads a table of words: a line has the forms of a word, "=", and its English gloss. Lines that begin with "#" are remarks.

export interface TableLine {
  /** The first is the one a dictionary has. */
  readonly forms: readonly string[];
  readonly gloss: string;
}

export function* readTable(table: string): Iterable<TableLine> {
  for (const line of table.split("\n")) {
    const at = line.indexOf("=");
    if (at > 0 && !line.startsWith("#")) yield { forms: line.slice(0, at).split(" "), gloss: line.slice(at + 1) };
  }
}
