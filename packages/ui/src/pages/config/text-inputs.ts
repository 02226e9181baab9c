// Inputs for texts: those that can be read, and secrets, which can only be written.
import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { defaultText, inputId, textOf, type InputPlace, type ShapeOf } from "./input-place.ts";
import { REDACTED, valueAt } from "../../settings/json-place.ts";
import type { Spot } from "./schema.ts";
import { isReference, readScalar } from "./show-value.ts";

const LONG_TEXT = 120;

/** An entry of a record or list stays when its text is taken away; a key goes back to its default. */
function isEntry({ pattern }: Spot): boolean {
  return /(?:\*|\[\])$/.test(pattern);
}

export function renderText({ spot, form, label }: InputPlace, shape: ShapeOf<"text">): TemplateResult {
  const value = form.draft.valueAt(spot.path);
  const text = value === undefined ? "" : String(value);
  const change = (event: Event): void => {
    const typed = textOf(event);
    if (typed === "" && !isEntry(spot)) form.draft.unset(spot.path);
    else form.draft.set(spot.path, readScalar(typed, shape.types, value));
  };
  // By what was saved: a field must not become another one under somebody's hands.
  const saved = String(valueAt(form.draft.base, spot.path) ?? "");
  if (saved.includes("\n") || saved.length > LONG_TEXT) {
    return html`<textarea
      class="input"
      id=${inputId(spot)}
      aria-label=${label}
      rows="4"
      .value=${live(text)}
      @input=${change}
    ></textarea>`;
  }
  return html`<input
    class="input"
    id=${inputId(spot)}
    aria-label=${label}
    autocomplete="off"
    spellcheck="false"
    placeholder=${defaultText(spot)}
    .value=${live(text)}
    @input=${change}
  />`;
}

/** Written only: what is kept is never shown, and sent only when it was typed anew. */
export function renderSecret({ spot, form, label }: InputPlace): TemplateResult {
  const value = form.draft.valueAt(spot.path);
  const { words } = form;
  const isTyped =
    typeof value === "string" && value !== REDACTED && !isReference(value) && form.draft.isChangedAt(spot.path);
  const placeholder =
    value === undefined || value === ""
      ? ""
      : isReference(value)
        ? words.secretFrom(value.slice(2, -1))
        : words.secretIsSet;
  const change = (event: Event): void => {
    const typed = textOf(event);
    const isNew = valueAt(form.draft.base, spot.path) === undefined;
    if (typed === "" && !(isNew && isEntry(spot))) form.draft.undo(spot.path);
    else form.draft.set(spot.path, typed);
  };
  return html`<input
    class="input"
    id=${inputId(spot)}
    type="password"
    aria-label=${label}
    autocomplete="new-password"
    spellcheck="false"
    placeholder=${placeholder}
    .value=${live(isTyped ? value : "")}
    @input=${change}
  />`;
}
