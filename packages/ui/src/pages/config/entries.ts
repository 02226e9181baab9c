// Records and lists in the form: their entries, and how to add and remove one.
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { FormContext } from "./form-context.ts";
import { inputId } from "./input-place.ts";
import { formatPath, isObject, valueAt } from "../../settings/json-place.ts";
import { entryOf, firstValue, shapeOf, type Spot } from "./schema.ts";

/** Names that would reach into JavaScript itself; the gateway refuses them as well. */
const RESERVED = new Set(["__proto__", "constructor", "prototype"]);
const SMALL = new Set(["text", "number", "flag", "choice"]);

/** What an entry is made of is rendered as anything else of the form is. */
export interface EntryContent {
  control(spot: Spot, form: FormContext): TemplateResult;
  inside(spot: Spot, form: FormContext): TemplateResult;
}

export function renderRecord(
  spot: Spot,
  keys: readonly string[],
  form: FormContext,
  content: EntryContent,
): TemplateResult {
  return html`<div class="config-entries">
    ${keys.map((key) => renderEntry(entryOf(spot, key), key, form, content))} ${renderAdd(spot, keys, form)}
  </div>`;
}

export function renderList(
  spot: Spot,
  entries: readonly unknown[],
  form: FormContext,
  content: EntryContent,
): TemplateResult {
  const { words, draft } = form;
  const add = (): void => draft.set(spot.path, [...entries, firstValue(spot.node.items ?? {})]);
  return html`<div class="config-entries">
    ${entries.map((entry, at) => renderEntry(entryOf(spot, String(at)), titleOf(entry, at), form, content))}
    <div>
      <button class="button small" aria-label=${words.addTo(formatPath(spot.path))} @click=${add}>
        ${icon("plus")}${words.add}
      </button>
    </div>
  </div>`;
}

/** What people would call the entry. */
function titleOf(entry: unknown, at: number): string {
  const names = isObject(entry) ? [entry["name"], entry["id"], entry["agentId"]] : [entry];
  const name = names.find((one) => typeof one === "string" && one !== "");
  return typeof name === "string" ? name : `#${at + 1}`;
}

function renderEntry(spot: Spot, title: string, form: FormContext, content: EntryContent): TemplateResult {
  const isSmall = SMALL.has(shapeOf(spot.node).kind);
  if (isSmall) {
    return html`<div class="config-pair">
      <code>${title}</code>
      <div class="config-control">${content.control(spot, form)}</div>
      ${renderRemove(spot, title, form)}
    </div>`;
  }
  const isOpen = form.isOpen(spot.path, form.draft.isChangedAt(spot.path));
  return html`<details
    class="config-entry"
    ?open=${isOpen}
    @toggle=${(event: Event) => form.setOpen(spot.path, (event.target as HTMLDetailsElement).open)}
  >
    <summary>
      <span class="config-label">${title}</span>
      ${form.draft.isChangedAt(spot.path) ? html`<span class="badge info">${form.words.changed}</span>` : nothing}
    </summary>
    ${
      isOpen
        ? html`${content.inside(spot, form)}
            <div class="config-entry-foot">${renderRemove(spot, title, form)}</div>`
        : nothing
    }
  </details>`;
}

function renderRemove(spot: Spot, title: string, form: FormContext): TemplateResult {
  const { words, draft } = form;
  if (isMergedById(spot, form)) return html`<span class="hint">${words.removeInRaw}</span>`;
  return html`<button
    class="button quiet square small"
    aria-label=${words.removeOf(title)}
    title=${words.removeOf(title)}
    @click=${() => draft.unset(spot.path)}
  >
    ${icon("trash")}
  </button>`;
}

/** A saved entry with an id stays: a patch cannot take it out of its list. */
function isMergedById({ path }: Spot, { draft }: FormContext): boolean {
  const list = valueAt(draft.base, path.slice(0, -1));
  const entry = valueAt(draft.base, path);
  return Array.isArray(list) && list.length > 1 && isObject(entry) && typeof entry["id"] === "string";
}

function renderAdd(spot: Spot, keys: readonly string[], form: FormContext): TemplateResult {
  const { words, draft } = form;
  const where = formatPath(spot.path);
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).elements.namedItem("key") as HTMLInputElement;
    const key = field.value.trim();
    if (key === "" || keys.includes(key) || RESERVED.has(key)) return field.focus();
    draft.set([...spot.path, key], firstValue(entryOf(spot, key).node));
    form.setOpen([...spot.path, key], true);
    field.value = "";
  };
  return html`<form class="config-add" @submit=${add}>
    <input
      class="input"
      name="key"
      id=${`${inputId(spot)}-add`}
      aria-label=${words.nameIn(where)}
      placeholder=${words.name}
      autocomplete="off"
      spellcheck="false"
    />
    <button class="button small" aria-label=${words.addTo(where)}>${icon("plus")}${words.add}</button>
  </form>`;
}
