// A text and the places in it that are to be marked, as a list of pieces.

interface TextPiece {
  readonly text: string;
  readonly isMarked: boolean;
}

export function splitByRanges(text: string, ranges: ReadonlyArray<readonly [number, number]>): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    if (start < from || end <= start || end > text.length) continue;
    if (start > from) pieces.push({ text: text.slice(from, start), isMarked: false });
    pieces.push({ text: text.slice(start, end), isMarked: true });
    from = end;
  }
  return from < text.length ? [...pieces, { text: text.slice(from), isMarked: false }] : pieces;
}
