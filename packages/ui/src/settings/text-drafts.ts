// Texts that somebody changed and has not saved. They outlive the page, so that looking elsewhere costs nothing.
import type { World } from "../app/world.ts";
import { Draft } from "./drafts.ts";

class TextDrafts {
  readonly #all = new Map<string, Draft<string>>();

  constructor() {
    window.addEventListener("beforeunload", (event) => {
      if ([...this.#all.values()].some(({ isEdited }) => isEdited)) event.preventDefault();
    });
  }

  /** The parts name the text among all others: what it is, whose, and which. */
  of(...place: readonly string[]): Draft<string> {
    const key = JSON.stringify(place);
    const draft = this.#all.get(key) ?? new Draft("");
    this.#all.set(key, draft);
    return draft;
  }
}

const kept = new WeakMap<World, TextDrafts>();

export function textDrafts(world: World): TextDrafts {
  const drafts = kept.get(world) ?? new TextDrafts();
  kept.set(world, drafts);
  return drafts;
}
