// Parts of the configuration that do something, and those most people look for.
import { COMMON, isCommonOfChannel } from "./common-keys.ts";
import type { Hints } from "./labels.ts";

export class KeyPlaces {
  /** Patterns of keys with an effect, and of everything above them. */
  readonly #used: ReadonlySet<string>;
  readonly #known: ReadonlySet<string>;
  readonly #common: ReadonlySet<string>;

  constructor(hints: Hints) {
    const sections = new Set(Object.keys(hints).flatMap(placesAbove));
    const used = Object.keys(hints).filter((pattern) => !hints[pattern]?.advanced && !sections.has(pattern));
    this.#used = new Set(used.flatMap((pattern) => [pattern, ...placesAbove(pattern)]));
    this.#known = new Set([...Object.keys(hints), ...sections]);
    this.#common = new Set(COMMON.flatMap((pattern) => [pattern, ...placesAbove(pattern)]));
  }

  /** Of what stands inside one of several alternatives nothing is known, so it counts. */
  isUsed(pattern: string): boolean {
    return this.#used.has(pattern) || !this.#known.has(pattern);
  }

  isCommon(pattern: string): boolean {
    return this.#common.has(pattern) || isCommonOfChannel(pattern);
  }
}

/** `agents.list[].id` → `agents`, `agents.list`, `agents.list[]`. */
function placesAbove(pattern: string): string[] {
  return [...pattern.matchAll(/\.|\[\]/g)].flatMap(({ 0: mark, index }) => {
    const above = pattern.slice(0, index);
    return mark === "[]" ? [above, `${above}[]`] : [above];
  });
}
