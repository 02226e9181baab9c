// Finds the branch that is being talked in among all entries of a transcript, and where others fork from it.
import type { EntryNode } from "@chela/sdk";
import type { PathTip } from "./path-tip.ts";

export interface FoundPath {
  readonly tip: PathTip;
  /** Numbers of the branch's entries, oldest first. */
  readonly seqs: number[];
  /** By position on the branch: all entries that could stand there. */
  readonly forks: Map<number, readonly string[]>;
}

/** The place above the first entry. */
const NONE = -1;
/** What is above the entry is no longer part of the live conversation. */
const LOST = -2;

/** Gathers nodes in the order they were written, then finds the path. Lives only while it is asked. */
export class PathTree {
  readonly #ids: string[] = [];
  readonly #seqs: number[] = [];
  readonly #parents: number[] = [];
  /** The nearest shown entry above each one. */
  readonly #above: number[] = [];
  readonly #shown: boolean[] = [];
  /** Places by id; made when an entry does not simply follow the one before it. */
  #placeOf: Map<string, number> | undefined;

  add({ id, seq, parentId }: EntryNode, isShown: boolean): void {
    const parent = this.#find(parentId);
    this.#placeOf?.set(id, this.#ids.length);
    this.#ids.push(id);
    this.#seqs.push(seq);
    this.#parents.push(parent);
    this.#above.push(this.#nearestShown(parent));
    this.#shown.push(isShown);
  }

  findPath(): FoundPath {
    const path = this.#walkUp(this.#ids.length - 1);
    const leaf = path.at(-1) ?? NONE;
    const tip = this.#nearestShown(leaf);
    const children = this.#childrenOf(new Set([...this.#forksOn(path), tip]));
    const forks = new Map<number, readonly string[]>();
    path.forEach((place, position) => {
      const siblings = this.#shown[place] ? children.get(this.#above[place] ?? NONE) : undefined;
      if (siblings && siblings.length > 1) forks.set(position, siblings);
    });
    return {
      tip: { total: path.length, leafId: this.#ids[leaf] ?? null, rivals: children.get(tip) ?? [] },
      seqs: path.map((place) => this.#seqs[place] ?? 0),
      forks,
    };
  }

  #find(id: string | null): number {
    const last = this.#ids.length - 1;
    if (id === null) return NONE;
    if (id === this.#ids[last]) return last;
    this.#placeOf ??= new Map(this.#ids.map((known, place) => [known, place]));
    return this.#placeOf.get(id) ?? LOST;
  }

  #nearestShown(place: number): number {
    return place < 0 || this.#shown[place] ? place : (this.#above[place] ?? NONE);
  }

  #walkUp(from: number): number[] {
    const path: number[] = [];
    for (let place = from; place >= 0; place = this.#parents[place] ?? NONE) path.push(place);
    return path.reverse();
  }

  /** Places of the path with several shown entries right below them. Almost all have one. */
  #forksOn(path: readonly number[]): number[] {
    const counts = new Uint32Array(this.#ids.length + 1);
    this.#above.forEach((above, place) => {
      if (this.#shown[place] && above >= NONE) counts[above + 1] = (counts[above + 1] ?? 0) + 1;
    });
    return [NONE, ...path].filter((place) => (counts[place + 1] ?? 0) > 1);
  }

  /** The shown entries right below each of these; what is not shown in between is passed over. */
  #childrenOf(wanted: ReadonlySet<number>): Map<number, string[]> {
    const children = new Map<number, string[]>();
    this.#above.forEach((above, place) => {
      if (!this.#shown[place] || above === LOST || !wanted.has(above)) return;
      const known = children.get(above) ?? [];
      known.push(this.#ids[place] ?? "");
      children.set(above, known);
    });
    return children;
  }
}
