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
  below?: Map<string, Branch>;
}

const ANY = "*";

/** Patterns are keys with dots between them; `*` is any name or place in a list. They are read section by section, when asked. */
export function keyTree(patterns: () => readonly string[]): (path: readonly string[]) => KeyPlace {
  const sections = new Map<string, Branch>();
  let all: readonly string[] | undefined;
  return (path) => {
    const [section = "", ...rest] = path;
    let branch = sections.get(section);
    if (!branch) sections.set(section, (branch = grow(section, (all ??= patterns()))));
    return lookUp(branch, rest);
  };
}

function grow(section: string, patterns: readonly string[]): Branch {
  const root: Branch = { isNamed: patterns.includes(section) };
  for (const pattern of patterns.filter((one) => one.startsWith(`${section}.`))) {
    let branch = root;
    for (const key of pattern.slice(section.length + 1).split(".")) {
      branch.below ??= new Map();
      const next: Branch = branch.below.get(key) ?? { isNamed: false };
      branch.below.set(key, next);
      branch = next;
    }
    branch.isNamed = true;
  }
  return root;
}

/** A name is looked for as itself and as any: both may be there. */
function lookUp(section: Branch, path: readonly string[]): KeyPlace {
  let branches = [section];
  let { isNamed } = section;
  for (const key of path) {
    branches = branches.flatMap(({ below }) => [below?.get(key) ?? [], below?.get(ANY) ?? []].flat());
    isNamed ||= branches.some((branch) => branch.isNamed);
  }
  return { isNamed, isNamedBelow: branches.some(({ below }) => below !== undefined) };
}
