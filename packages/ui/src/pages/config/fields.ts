// The form as it is made from the schema: fields, sections within sections, lists and records of anything.
import { html, nothing, type TemplateResult } from "lit";
import { isTouched, shownBelow, type FormContext } from "./form-context.ts";
import { inputId } from "./input-place.ts";
import { renderInput } from "./inputs.ts";
import { formatPath, isObject, valueAt } from "../../settings/json-place.ts";
import { renderList, renderRecord, type EntryContent } from "./entries.ts";
import { helpOf, isUnused, labelOf } from "./labels.ts";
import { firstValue, fits, shapeOf, type SchemaNode, type Spot } from "./schema.ts";
import { showValue } from "./show-value.ts";

const CONTENT: EntryContent = { control: renderControl, inside: renderInside };

/** Whatever stands at a place: a section that opens, or a field. */
function renderSpot(spot: Spot, form: FormContext): TemplateResult {
  return shapeOf(spot.node).kind === "group" ? renderSection(spot, form) : renderField(spot, form);
}

/** All keys below a place, without a frame around them. */
export function renderInside(spot: Spot, form: FormContext): TemplateResult {
  if (shapeOf(spot.node).kind !== "group") return renderControl(spot, form);
  const { used, unused } = shownBelow(spot, form);
  const [fields, sections] = [used.filter((child) => !isSection(child)), used.filter(isSection)];
  const isEmpty = used.length + unused.length === 0 && !isObject(spot.node.additionalProperties);
  return html`<div class="config-fields">
    ${fields.map((child) => renderSpot(child, form))} ${renderOthers(spot, form)}
    ${sections.map((child) => renderSpot(child, form))}
    ${unused.length > 0 ? renderUnused(spot, unused, form) : nothing}
    ${isEmpty ? html`<p class="muted">${form.words.nothingHere}</p>` : nothing}
  </div>`;
}

function isSection({ node }: Spot): boolean {
  return shapeOf(node).kind === "group";
}

/** Keys of any other name, where the schema allows them beside the named ones. */
function renderOthers(spot: Spot, form: FormContext): TemplateResult | typeof nothing {
  const value = form.draft.valueAt(spot.path);
  const others = isObject(value) ? Object.keys(value).filter((key) => !spot.node.properties?.[key]) : [];
  if (!isObject(spot.node.additionalProperties) || (form.shows !== "all" && others.length === 0)) return nothing;
  return html`<div class="config-field">
    <div class="config-about"><span class="config-label">${form.words.others}</span></div>
    <div class="config-control">${renderRecord(spot, others, form, CONTENT)}</div>
  </div>`;
}

function renderUnused(spot: Spot, unused: readonly Spot[], form: FormContext): TemplateResult {
  const path = [...spot.path, "unused"];
  const isOpen = form.isOpen(path, false);
  return html`<details
    class="config-section"
    ?open=${isOpen}
    @toggle=${(event: Event) => form.setOpen(path, (event.target as HTMLDetailsElement).open)}
  >
    <summary><span class="config-label">${form.words.unused}</span><span class="badge">${unused.length}</span></summary>
    ${isOpen ? unused.map((child) => renderSpot(child, form)) : nothing}
  </details>`;
}

function renderSection(spot: Spot, form: FormContext): TemplateResult {
  const isLookedFor = form.shows === "usual" && form.places.isCommon(spot.pattern);
  const isOpen = form.isOpen(spot.path, form.shows === "set" || isLookedFor || isTouched(spot, form));
  const help = helpOf(form.hints, spot);
  return html`<details
    class="config-section"
    ?open=${isOpen}
    @toggle=${(event: Event) => form.setOpen(spot.path, (event.target as HTMLDetailsElement).open)}
  >
    <summary>
      <span class="config-label">${labelOf(spot.path.at(-1) ?? "")}</span>
      ${form.draft.isChangedAt(spot.path) ? renderChanged(form) : nothing}
    </summary>
    ${help ? html`<p class="hint">${help}</p>` : nothing} ${isOpen ? renderInside(spot, form) : nothing}
  </details>`;
}

function renderChanged({ words }: FormContext): TemplateResult {
  return html`<span class="badge info">${words.changed}</span>`;
}

/** `isAlone`: among fields of other places, so its label says where it belongs. */
export function renderField(spot: Spot, form: FormContext, isAlone = false): TemplateResult {
  const { words } = form;
  const help = helpOf(form.hints, spot);
  const label = labelOf(spot.path.at(-1) ?? "");
  const problem = form.problemAt(spot.path);
  return html`<div class="config-field" ?data-changed=${form.draft.isChangedAt(spot.path)}>
    <div class="config-about">
      <span class="config-label">
        ${isAlone ? renderWhere(spot) : nothing}${label}
        ${form.draft.isChangedAt(spot.path) ? renderChanged(form) : nothing}
        ${isUnused(form.hints, spot) ? html`<span class="badge">${words.noEffect}</span>` : nothing}
      </span>
      ${help ? html`<span class="hint">${help}</span>` : nothing}
      <code class="config-path">${formatPath(spot.path)}</code>
    </div>
    <div class="config-control">
      ${renderControl(spot, form)} ${problem ? html`<span class="problem" role="alert">${problem}</span>` : nothing}
      ${renderState(spot, form)}
    </div>
  </div>`;
}

function renderWhere({ path }: Spot): TemplateResult {
  const above = path.slice(0, -1).map(labelOf).join(" › ");
  return html`<span class="config-where">${above} ›</span>`;
}

/** Whether it is set, what holds if it is not, and the ways back. */
function renderState(spot: Spot, form: FormContext): TemplateResult {
  const { words, draft } = form;
  const isSet = draft.valueAt(spot.path) !== undefined;
  const { default: preset } = spot.node;
  const { kind } = shapeOf(spot.node);
  const isSaidByInput = kind === "choice" || kind === "union";
  const showsDefault = preset !== undefined && !isSaidByInput && showValue(preset).length <= 60;
  const showsNotSet = !isSet && preset === undefined && !isSaidByInput;
  const name = formatPath(spot.path);
  const back = (act: () => void): void => {
    form.setProblem(spot.path, undefined);
    act();
  };
  return html`<div class="config-state">
    <span class="hint">
      ${showsDefault ? words.defaultIs(showFlag(preset, form)) : showsNotSet ? words.notSet : nothing}
    </span>
    ${
      draft.isChangedAt(spot.path)
        ? html`<button
            class="button quiet small"
            aria-label=${words.undoOf(name)}
            @click=${() => back(() => draft.undo(spot.path))}
          >
            ${words.undo}
          </button>`
        : nothing
    }
    ${
      isSet && valueAt(draft.base, spot.path) !== undefined
        ? html`<button
            class="button quiet small"
            aria-label=${words.resetOf(name)}
            @click=${() => back(() => draft.unset(spot.path))}
          >
            ${words.reset}
          </button>`
        : nothing
    }
  </div>`;
}

function showFlag(value: unknown, { words }: FormContext): string {
  if (typeof value === "boolean") return value ? words.on : words.off;
  return value === "" ? "“”" : Array.isArray(value) ? value.join(", ") : showValue(value);
}

function renderControl(spot: Spot, form: FormContext): TemplateResult {
  const label = `${labelOf(spot.path.at(-1) ?? "")} (${formatPath(spot.path)})`;
  const input = renderInput({ spot, form, label });
  if (input) return input;
  const shape = shapeOf(spot.node);
  const value = form.draft.valueAt(spot.path);
  switch (shape.kind) {
    case "record":
      return renderRecord(spot, isObject(value) ? Object.keys(value) : [], form, CONTENT);
    case "list":
      return renderList(spot, Array.isArray(value) ? value : [], form, CONTENT);
    case "union":
      return renderUnion(spot, shape.options, form);
    default:
      return renderInside(spot, form);
  }
}

function renderUnion(spot: Spot, options: readonly SchemaNode[], form: FormContext): TemplateResult {
  const { words, draft } = form;
  const value = draft.valueAt(spot.path);
  const at = value === undefined ? -1 : options.findIndex((option) => fits(option, value));
  const chosen = options[at];
  const change = (event: Event): void => {
    const picked = options[Number((event.target as HTMLSelectElement).value)];
    if (picked) draft.set(spot.path, firstValue(picked));
    else draft.unset(spot.path);
  };
  const inside = chosen && { ...spot, node: { ...chosen, default: undefined } as SchemaNode };
  return html`<select
      class="input config-choice"
      id=${`${inputId(spot)}-kind`}
      aria-label=${words.kindOf(formatPath(spot.path))}
      @change=${change}
    >
      <option value="-1" .selected=${at < 0}>${words.notSet}</option>
      ${options.map(
        (option, each) => html`<option value=${each} .selected=${each === at}>${optionText(option, form)}</option>`,
      )}
    </select>
    ${inside ? renderControl(inside, { ...form, shows: "all" }) : nothing}`;
}

/** Alternatives are called by the key that tells them apart, or else by what they are. */
function optionText(option: SchemaNode, { words }: FormContext): string {
  const shape = shapeOf(option);
  const mark = Object.entries(option.properties ?? {}).find(([, child]) => child.const !== undefined);
  if (mark) return `${labelOf(mark[0])}: ${String(mark[1].const)}`;
  if (shape.kind === "choice") return shape.values.map(String).join(", ");
  return words[`kind_${shape.kind}`];
}
