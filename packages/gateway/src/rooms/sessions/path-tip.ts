// The end of the branch that is being talked in: enough to tell where the next entry stands.

export interface PathTip {
  /** Entries on the branch. */
  readonly total: number;
  readonly leafId: string | null;
  /** Entries of other branches that stand where the next shown one will, oldest first. */
  readonly rivals: readonly string[];
}

export interface PathStep {
  readonly tip: PathTip;
  /** All that could stand in the entry's place, itself included; only where there are several. */
  readonly siblings?: readonly string[];
}

export const EMPTY_TIP: PathTip = { total: 0, leafId: null, rivals: [] };

/** The branch with one more entry; undefined when the entry does not continue it. */
export function extendTip(
  { total, leafId, rivals }: PathTip,
  entry: { readonly id: string; readonly parentId: string | null },
  isShown: boolean,
): PathStep | undefined {
  if (entry.parentId !== leafId) return undefined;
  const next = { total: total + 1, leafId: entry.id };
  // What people do not see does not decide between branches: the next entry they see does.
  if (!isShown) return { tip: { ...next, rivals } };
  const tip = { ...next, rivals: [] };
  return rivals.length > 0 ? { tip, siblings: [...rivals, entry.id] } : { tip };
}
