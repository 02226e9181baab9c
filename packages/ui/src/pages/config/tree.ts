// The sections as a list at the side, and as one choice where there is no room for a list.
import { html, nothing, type TemplateResult } from "lit";
import { writeRoute } from "../../app/route.ts";
import type { FormContext } from "./form-context.ts";
import { formatPath, type Path } from "../../settings/json-place.ts";
import { labelOf } from "./labels.ts";
import type { Spot } from "./schema.ts";
import { sectionsBelow, sectionsOf } from "./sections.ts";

/** `here`: the place that is shown. */
export function renderTree(root: Spot, here: Path, form: FormContext): TemplateResult {
  const { words } = form;
  const link = (path: Path, text: string): TemplateResult =>
    html`<a href=${writeRoute("config", path)} aria-current=${formatPath(path) === formatPath(here) ? "page" : nothing}
      >${text}</a
    >`;
  const sections = sectionsOf(root, form);
  return html`<nav class="config-tree" aria-label=${words.sections}>
      ${link([], words.inUse)}
      ${sections.map((spot) => {
        const below = here[0] === spot.path[0] ? sectionsBelow(spot, form) : [];
        return html`${link(spot.path, labelOf(spot.pattern))}
        ${
          below.length > 0
            ? html`<div class="config-tree-below">
                ${below.map((child) => link(child.path, labelOf(child.path.at(-1) ?? "")))}
              </div>`
            : nothing
        }`;
      })}
    </nav>
    <select
      class="input config-jump"
      aria-label=${words.sections}
      @change=${(event: Event) => (location.hash = (event.target as HTMLSelectElement).value)}
    >
      <option value=${writeRoute("config")} .selected=${here.length === 0}>${words.inUse}</option>
      ${sections.map(
        (spot) =>
          html`<option value=${writeRoute("config", spot.path)} .selected=${here[0] === spot.path[0]}>
            ${labelOf(spot.pattern)}
          </option>`,
      )}
    </select>`;
}
