// The sub-agents of a conversation as a tree, and what each of them is called.

export interface Child {
  readonly runId: string;
  readonly sessionKey: string;
  readonly parentKey: string;
  readonly task: string;
  readonly label?: string | undefined;
  readonly state: "running" | "announcing" | "ended";
}

export interface Branch<C extends Child> {
  readonly child: C;
  readonly below: ReadonlyArray<Branch<C>>;
}

/** In the given order. One whose parent is not in the list stands at the top; nobody stands below itself. */
export function treeOf<C extends Child>(children: readonly C[], rootKey: string): Branch<C>[] {
  const known = new Set(children.map(({ sessionKey }) => sessionKey));
  const placed = new Set<string>();
  const below = (parentKey: string, above: ReadonlySet<string>): Branch<C>[] =>
    children
      .filter((child) => isBelow(child, parentKey) && !above.has(child.sessionKey) && !placed.has(child.runId))
      .map((child) => {
        placed.add(child.runId);
        return { child, below: below(child.sessionKey, new Set([...above, child.sessionKey])) };
      });
  const isBelow = (child: C, parentKey: string): boolean =>
    child.parentKey === parentKey || (parentKey === rootKey && !known.has(child.parentKey));
  return below(rootKey, new Set([rootKey]));
}

/** What it is called, or else how its task begins. */
export function childTitle({ label, task }: Pick<Child, "label" | "task">): string {
  return label || task.trim().split("\n")[0] || task;
}

/** At work, or on the way back with a result. */
export function isAtWork({ state }: Pick<Child, "state">): boolean {
  return state !== "ended";
}
