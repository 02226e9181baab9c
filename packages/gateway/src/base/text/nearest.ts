// "Did you mean": the known word that is closest to what was written.

/** From this many letters on, the beginning of a word stands for it. */
const BEGINNING = 3;

/** The nearest of `known`, or undefined when none is near enough to be what was meant. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  return closest(word, known, 1) ?? continued(word, known) ?? closest(word, known, Math.floor(word.length / 3));
}

/** The shortest of those that begin with the word: somebody stopped typing. */
function continued(word: string, known: readonly string[]): string | undefined {
  if (word.length < BEGINNING) return undefined;
  const longer = known.filter((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase()));
  return longer.toSorted((a, b) => a.length - b.length)[0];
}

function closest(word: string, known: readonly string[], limit: number): string | undefined {
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { word: candidate, distance };
  }
  return best?.word;
}

/** How many letters must be added, dropped, changed or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
