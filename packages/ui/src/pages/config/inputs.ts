// One input for each kind of value.
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { FormContext } from "./form-context.ts";
import { defaultText, inputId, textOf, type InputPlace, type ShapeOf } from "./input-place.ts";
import { isSame, REDACTED } from "../../settings/json-place.ts";
import { isSecret, shapeOf, type Choice } from "./schema.ts";
import { readLines } from "./show-value.ts";
import { renderSecret, renderText } from "./text-inputs.ts";

/** The input of a value that needs one input; others are made of several. */
export function renderInput(place: InputPlace): TemplateResult | undefined {
  const shape = shapeOf(place.spot.node);
  switch (shape.kind) {
    case "text":
      return isSecret(place.spot) || place.form.draft.valueAt(place.spot.path) === REDACTED
        ? renderSecret(place)
        : renderText(place, shape);
    case "number":
      return renderNumber(place, shape);
    case "flag":
      return renderFlag(place);
    case "choice":
      return renderChoice(place, shape);
    case "texts":
      return renderLines(place, shape);
    case "choices":
      return renderChoices(place, shape);
    case "json":
      return renderJson(place);
    default:
      return undefined;
  }
}

function renderNumber({ spot, form, label }: InputPlace, { isWhole }: ShapeOf<"number">): TemplateResult {
  const { node, path } = spot;
  const value = form.draft.valueAt(path);
  const change = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    form.setProblem(path, field.validity.valid ? undefined : field.validationMessage);
    if (field.value === "") form.draft.unset(path);
    else if (Number.isFinite(field.valueAsNumber)) form.draft.set(path, field.valueAsNumber);
  };
  // "Above 0" cannot be said to the browser for fractions; the gateway checks it.
  const least =
    node.minimum ?? (isWhole && node.exclusiveMinimum !== undefined ? node.exclusiveMinimum + 1 : undefined);
  const most = node.maximum !== undefined && node.maximum < Number.MAX_SAFE_INTEGER ? node.maximum : undefined;
  return html`<input
    class="input config-number"
    id=${inputId(spot)}
    type="number"
    inputmode=${isWhole ? "numeric" : "decimal"}
    aria-label=${label}
    aria-invalid=${form.problemAt(path) ? "true" : nothing}
    min=${least ?? nothing}
    max=${most ?? nothing}
    step=${isWhole ? "1" : "any"}
    placeholder=${defaultText(spot)}
    .value=${typeof value === "number" ? String(value) : ""}
    @change=${change}
  />`;
}

function renderFlag({ spot, form, label }: InputPlace): TemplateResult {
  const { words, draft } = form;
  const value = draft.valueAt(spot.path);
  const option = (isOn: boolean): TemplateResult =>
    html`<label ?data-default=${spot.node.default === isOn}>
      <input
        type="radio"
        name=${inputId(spot)}
        .checked=${live(value === isOn)}
        @change=${() => draft.set(spot.path, isOn)}
      /><span>${isOn ? words.on : words.off}</span>
    </label>`;
  return html`<div class="config-switch" role="radiogroup" id=${inputId(spot)} aria-label=${label}>
    ${option(true)}${option(false)}
  </div>`;
}

function renderChoice({ spot, form, label }: InputPlace, { values }: ShapeOf<"choice">): TemplateResult {
  const { words, draft } = form;
  const value = draft.valueAt(spot.path);
  const preset = spot.node.default;
  const none = preset === undefined ? words.notSet : words.defaultIs(choiceText(preset, form));
  const change = (event: Event): void => {
    const at = textOf(event);
    if (at === "") draft.unset(spot.path);
    else draft.set(spot.path, values[Number(at)]);
  };
  return html`<select class="input config-choice" id=${inputId(spot)} aria-label=${label} @change=${change}>
    <option value="" .selected=${value === undefined}>${none}</option>
    ${values.map((one, at) => html`<option value=${at} .selected=${one === value}>${choiceText(one, form)}</option>`)}
  </select>`;
}

function choiceText(value: unknown, { words }: FormContext): string {
  return typeof value === "boolean" ? (value ? words.on : words.off) : String(value);
}

function renderLines({ spot, form, label }: InputPlace, { types }: ShapeOf<"texts">): TemplateResult {
  const value = form.draft.valueAt(spot.path);
  const entries = Array.isArray(value) ? value : [];
  const change = (event: Event): void => {
    const read = readLines(textOf(event), types, value);
    if (read.length > 0) form.draft.set(spot.path, read);
    else form.draft.unset(spot.path);
  };
  return html`<textarea
      class="input mono"
      id=${inputId(spot)}
      aria-label=${label}
      spellcheck="false"
      rows=${Math.min(Math.max(entries.length + 1, 2), 8)}
      placeholder=${Array.isArray(spot.node.default) ? spot.node.default.join("\n") : ""}
      .value=${entries.join("\n")}
      @change=${change}
    ></textarea>
    <span class="hint">${form.words.onePerLine}</span>`;
}

function renderChoices({ spot, form, label }: InputPlace, { values }: ShapeOf<"choices">): TemplateResult {
  const value = form.draft.valueAt(spot.path);
  const picked = new Set<Choice>(Array.isArray(value) ? (value as Choice[]) : []);
  const change = (one: Choice, isPicked: boolean): void => {
    const next = values.filter((each) => (each === one ? isPicked : picked.has(each)));
    if (next.length > 0) form.draft.set(spot.path, next);
    else form.draft.unset(spot.path);
  };
  return html`<div class="row wrap" role="group" id=${inputId(spot)} aria-label=${label}>
    ${values.map(
      (one) =>
        html`<label class="check">
          <input
            type="checkbox"
            .checked=${live(picked.has(one))}
            @change=${(event: Event) => change(one, (event.target as HTMLInputElement).checked)}
          />${String(one)}
        </label>`,
    )}
  </div>`;
}

function renderJson({ spot, form, label }: InputPlace): TemplateResult {
  const { path } = spot;
  const value = form.draft.valueAt(path);
  const change = (event: Event): void => {
    const text = textOf(event).trim();
    if (text === "") {
      form.setProblem(path, undefined);
      return form.draft.unset(path);
    }
    try {
      const read: unknown = JSON.parse(text);
      form.setProblem(path, undefined);
      if (!isSame(read, value)) form.draft.set(path, read);
    } catch {
      form.setProblem(path, form.words.badJson);
    }
  };
  return html`<textarea
    class="input mono"
    id=${inputId(spot)}
    aria-label=${label}
    aria-invalid=${form.problemAt(path) ? "true" : nothing}
    spellcheck="false"
    rows="4"
    placeholder="{}"
    .value=${value === undefined ? "" : JSON.stringify(value, null, 2)}
    @change=${change}
  ></textarea>`;
}
