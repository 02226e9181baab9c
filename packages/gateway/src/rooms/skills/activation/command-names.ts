// Words by which people call skills, as chat platforms allow them: small letters, digits and underscores. Pure.

const MOST = 32;

/** By the name of the skill. Two that would have the same word get a number. */
export function commandNames(skills: ReadonlyArray<{ readonly name: string }>): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const words = new Map<string, string>();
  for (const { name } of skills) {
    const word = commandName(name);
    if (word === "") continue;
    let own = word;
    for (let at = 2; taken.has(own); at += 1) own = `${word.slice(0, MOST - String(at).length - 1)}_${at}`;
    taken.add(own);
    words.set(name, own);
  }
  return words;
}

function commandName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, MOST);
}
