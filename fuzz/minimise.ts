// Makes an input that fails as short as it can be while it still fails.

export interface MinimiseOptions {
  /** Whether this input fails in the same way. */
  fails(input: string): Promise<boolean>;
  readonly tries: number;
}

/** Leaves out ever smaller pieces, then makes what is left plain. */
export async function minimise(input: string, { fails, tries }: MinimiseOptions): Promise<string> {
  let smallest = input;
  let left = tries;
  const accept = async (candidate: string): Promise<boolean> => {
    if (left <= 0 || candidate === smallest) return false;
    left -= 1;
    if (!(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };
  for (let size = Math.ceil(input.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < smallest.length && left > 0;) {
      const isShorter = await accept(smallest.slice(0, from) + smallest.slice(from + size));
      if (!isShorter) from += size;
    }
  }
  for (let place = 0; place < smallest.length && left > 0; place += 1) {
    if (/[a\s]/.test(smallest.charAt(place))) continue;
    await accept(`${smallest.slice(0, place)}a${smallest.slice(place + 1)}`);
  }
  return smallest;
}
