// Fields of the form for jobs.
import { html, nothing, type TemplateResult } from "lit";
import { icon, type IconName } from "../../../parts/icon.ts";

export interface Choice<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly hint?: string;
  readonly icon?: IconName;
}

/** One of a few, side by side. */
export function renderChoice<T extends string>(
  { name, label, chosen, isPlain }: { name: string; label: string; chosen: T; isPlain?: boolean },
  choices: ReadonlyArray<Choice<T>>,
  choose: (id: T) => void,
): TemplateResult {
  return html`<fieldset class="cron-choice ${isPlain ? "cron-choice-plain" : ""}">
    <legend class=${isPlain ? "" : "seen-by-readers"}>${label}</legend>
    ${choices.map(
      ({ id, label: text, hint, icon: name_ }) =>
        html`<label>
          <input
            type="radio"
            name=${name}
            value=${id}
            .checked=${id === chosen}
            aria-describedby=${hint ? `${name}-${id}-hint` : nothing}
            aria-label=${text}
            @change=${() => choose(id)}
          />
          ${name_ ? icon(name_) : nothing}
          <span>
            <strong>${text}</strong>
            ${hint ? html`<small id="${name}-${id}-hint">${hint}</small>` : nothing}
          </span>
        </label>`,
    )}
  </fieldset>`;
}

export function renderSelect<T extends string>(
  { label, chosen, hint }: { label: string; chosen: T; hint?: string },
  choices: ReadonlyArray<Pick<Choice<T>, "id" | "label">>,
  choose: (id: T) => void,
): TemplateResult {
  return html`<label class="field">
    <span>${label}</span>
    <select
      class="input"
      aria-label=${label}
      @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as T)}
    >
      ${choices.map(({ id, label: text }) => html`<option value=${id} .selected=${id === chosen}>${text}</option>`)}
    </select>
    ${hint ? html`<span class="hint">${hint}</span>` : nothing}
  </label>`;
}

export interface TextInput {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly type?: "text" | "number" | "url" | "datetime-local" | "time";
  readonly isCode?: boolean;
  readonly isWrong?: boolean;
  readonly list?: string;
}

export function renderText(
  { label, value, hint, placeholder, type = "text", isCode, isWrong, list }: TextInput,
  typed: (value: string) => void,
): TemplateResult {
  return html`<label class="field">
    <span>${label}</span>
    <input
      class="input ${isCode ? "mono" : ""}"
      type=${type}
      min=${type === "number" ? "0" : nothing}
      step=${type === "number" ? "any" : nothing}
      aria-label=${label}
      aria-invalid=${isWrong ? "true" : nothing}
      autocomplete="off"
      spellcheck=${isCode ? "false" : nothing}
      list=${list ?? nothing}
      placeholder=${placeholder ?? nothing}
      .value=${value}
      @input=${(event: InputEvent) => typed((event.target as HTMLInputElement).value)}
    />
    ${hint ? html`<span class="hint">${hint}</span>` : nothing}
  </label>`;
}

export function renderCheck(label: string, isChecked: boolean, check: (isChecked: boolean) => void): TemplateResult {
  return html`<label class="check">
    <input
      type="checkbox"
      .checked=${isChecked}
      @change=${(event: Event) => check((event.target as HTMLInputElement).checked)}
    />
    <span>${label}</span>
  </label>`;
}
