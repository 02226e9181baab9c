// Computes how far to scroll a list so that the rows somebody looks at stay where they are.

export interface SeenRow {
  readonly key: string;
  readonly index: number;
}

/** A few tell enough. */
const MOST_ASKED = 7;

/** Rows that were seen, and where each is now; by how many rows most of them moved. One that jumped away counts little. */
export function movedBy(seen: readonly SeenRow[], indexOf: (row: SeenRow) => number | undefined): number {
  const moves = seen
    .slice(0, MOST_ASKED)
    .flatMap((row) => {
      const index = indexOf(row);
      return index === undefined ? [] : [index - row.index];
    })
    .toSorted((a, b) => a - b);
  return moves[Math.floor(moves.length / 2)] ?? 0;
}
