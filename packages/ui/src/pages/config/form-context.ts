// Context that every field of the form is given.
import type { InOtherWords, Sections } from "../../words/index.ts";
import type { FormDraft } from "../../settings/drafts.ts";
import type { Path } from "../../settings/json-place.ts";
import type { KeyPlaces } from "./key-places.ts";
import type { Hints } from "./labels.ts";
import { namedBelow, type Spot } from "./schema.ts";

export type ConfigWords = InOtherWords<Sections["config"]>;

export interface FormContext {
  readonly words: ConfigWords;
  readonly draft: FormDraft;
  readonly hints: Hints;
  readonly places: KeyPlaces;
  /** Which keys are shown: those that are set, those most people look for besides, or all. */
  readonly shows: "set" | "usual" | "all";
  isOpen(path: Path, otherwise: boolean): boolean;
  setOpen(path: Path, isOpen: boolean): void;
  problemAt(path: Path): string | undefined;
  /** A text that is not what the field needs; undefined when it is again. */
  setProblem(path: Path, text: string | undefined): void;
}

/** Set in the file, or touched here. */
export function isTouched(spot: Spot, { draft }: FormContext): boolean {
  return draft.valueAt(spot.path) !== undefined || draft.isChangedAt(spot.path);
}

/** The keys to show below a place: those with an effect, and those without one that were asked for. */
export function shownBelow(spot: Spot, form: FormContext): { readonly used: Spot[]; readonly unused: Spot[] } {
  const shown = namedBelow(spot).filter(
    (child) =>
      isTouched(child, form) || form.shows === "all" || (form.shows === "usual" && form.places.isCommon(child.pattern)),
  );
  const used = shown.filter((child) => isTouched(child, form) || form.places.isUsed(child.pattern));
  return { used, unused: shown.filter((child) => !used.includes(child)) };
}
