// A labelled line of text in the forms of this page.
import { html, nothing, type TemplateResult } from "lit";

export interface TextField {
  /** The form it stands in, which no other form of the page is called. */
  readonly form: string;
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly list?: string;
  readonly isRequired?: boolean;
}

/** The value is read from the form by its name. The hint explains the field and is no part of its name. */
export function renderTextField({ form, name, label, hint, list, isRequired }: TextField): TemplateResult {
  const hintId = hint ? `${form}-${name}-hint` : nothing;
  return html`<label class="field">
    <span>${label}</span>
    <input
      class="input"
      name=${name}
      aria-label=${label}
      aria-describedby=${hintId}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      list=${list ?? nothing}
      ?required=${isRequired ?? false}
    />
    ${hint ? html`<span class="hint" id=${hintId}>${hint}</span>` : nothing}
  </label>`;
}

export function renderChoices(id: string, choices: readonly string[]): TemplateResult {
  return html`<datalist id=${id}>${choices.map((choice) => html`<option value=${choice}></option>`)}</datalist>`;
}

/** What was written into a form, without what was left empty. */
export function readForm(form: HTMLFormElement): Readonly<Record<string, string>> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}
