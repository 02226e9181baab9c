// Names that somebody may have meant who used a name that does not exist.

const SHORTEST_SHARED = 3;

/** Names with the same letters first, then those that share a word. */
export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const same = names.filter((name) => lettersOf(name) === lettersOf(wanted));
  if (same.length > 0) return same;
  const words = wordsOf(wanted);
  return names.filter((name) => wordsOf(name).some((word) => words.some((other) => sharesStem(word, other))));
}

function sharesStem(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < SHORTEST_SHARED) return false;
  return a.startsWith(b) || b.startsWith(a);
}

function wordsOf(name: string): readonly string[] {
  const spaced = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced.split(/[^a-z0-9]+/).filter(Boolean);
}

function lettersOf(name: string): string {
  return wordsOf(name).join("");
}
