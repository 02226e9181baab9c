// Looks keys of the configuration up in many patterns at once, in as many steps as a key is deep.

/** Where a key stands in the patterns. */
export interface KeyPlace {
  /** A pattern names it, or something it is part of. */
  readonly isNamed: boolean;
  /** A pattern names something that is part of it. */
  readonly isNamedBelow: boolean;
}

interface Branch {
  isNamed: boolean;
  readonly below: Map<string, Branch>;
}

const ANY = "*";

/** Patterns are keys with dots between them; `*` is any name or place in a list. They are read with the first question. */
export function keyTree(patterns: () => readonly string[]): (path: readonly string[]) => KeyPlace {
  let root: Branch | undefined;
  return (path) => lookUp((root ??= grow(patterns())), path);
}

function grow(patterns: readonly string[]): Branch {
  const root: Branch = { isNamed: false, below: new Map() };
  for (const pattern of patterns) {
    let branch = root;
    for (const key of pattern.split(".")) {
      const next: Branch = branch.below.get(key) ?? { isNamed: false, below: new Map() };
      branch.below.set(key, next);
      branch = next;
    }
    branch.isNamed = true;
  }
  return root;
}

/** A name is looked for as itself and as any: both may be there. */
function lookUp(root: Branch, path: readonly string[]): KeyPlace {
  let branches = [root];
  let isNamed = false;
  for (const key of path) {
    branches = branches.flatMap(({ below }) => [below.get(key) ?? [], below.get(ANY) ?? []].flat());
    isNamed ||= branches.some((branch) => branch.isNamed);
  }
  return { isNamed, isNamedBelow: branches.some(({ below }) => below.size > 0) };
}
