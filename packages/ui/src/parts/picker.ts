// A button that shows what is chosen, and a list to choose another from: with groups, explanations and a search.
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isTouched, keepBeside, placePopover } from "./floating.ts";
import { icon, type IconName } from "./icon.ts";
import { nextItem } from "./list/list-keys.ts";
import { matching, type PickerChoice } from "./picker-choices.ts";
import "./menu.css";

/**
 * `<chela-picker label text value explains .icon .choices .chosen @picker-choose>`: the event's detail is the choice.
 * `note` stands in the list while there are no choices; with `searchLabel` one can search.
 */
export class Picker extends LitElement {
  static override properties: PropertyDeclarations = {
    label: {},
    text: {},
    value: {},
    explains: {},
    icon: { attribute: false },
    choices: { attribute: false },
    chosen: { attribute: false },
    note: {},
    searchLabel: {},
    search: { state: true },
    at: { state: true },
    isOpen: { state: true },
  };
  /** What is chosen here. */
  declare label: string;
  /** What stands on the button. */
  declare text: string;
  /** What is chosen now, when the button does not say so. */
  declare value: string | undefined;
  /** What the choice is about, at more length. */
  declare explains: string | undefined;
  declare icon: IconName | undefined;
  declare choices: readonly PickerChoice[];
  declare chosen: string | undefined;
  declare note: string | undefined;
  declare searchLabel: string | undefined;
  declare search: string;
  /** Place in the list that Enter takes. */
  declare at: number;
  declare isOpen: boolean;
  readonly #id = `picker-${crypto.randomUUID()}`;
  #stopKeeping: (() => void) | undefined;

  constructor() {
    super();
    this.choices = [];
    this.search = "";
    this.at = 0;
    this.isOpen = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render(): TemplateResult {
    return html`<button
        type="button"
        class="button quiet small picker-button"
        aria-haspopup=${this.searchLabel ? "dialog" : "listbox"}
        aria-expanded=${this.isOpen ? "true" : "false"}
        aria-label="${this.label}: ${this.value ?? this.text}"
        title=${this.explains ?? this.label}
        ?data-usual=${!this.chosen}
        popovertarget=${this.#id}
        @keydown=${(event: KeyboardEvent) => this.#openedByKey(event)}
      >
        ${this.icon ? icon(this.icon) : nothing}<span class="cut">${this.text}</span>${icon("chevronDown")}
      </button>
      <div
        class="popover"
        popover
        id=${this.#id}
        role=${this.searchLabel ? "dialog" : nothing}
        aria-label=${this.searchLabel ? this.label : nothing}
        @beforetoggle=${(event: ToggleEvent) => event.newState === "open" && this.#opens()}
        @toggle=${(event: ToggleEvent) => (event.newState === "open" ? this.#opened() : this.#closed())}
        @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
      >
        ${this.isOpen ? this.#renderList(matching(this.choices, this.search)) : nothing}
      </div>`;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopKeeping?.();
  }

  override updated(changed: Map<string, unknown>): void {
    if (!this.isOpen) return;
    if (changed.has("choices") && changed.get("choices") !== undefined && this.search === "") this.#goToChosen();
    placePopover(this.#popover, this.#button);
    this.querySelector("[data-active]")?.scrollIntoView({ block: "nearest" });
  }

  #renderList(shown: readonly PickerChoice[]): TemplateResult {
    const active = shown[this.at] ? `${this.#id}-${this.at}` : nothing;
    return html`${this.searchLabel ? this.#renderSearch(active) : nothing}
      <div
        class="menu-list"
        id="${this.#id}-list"
        role="listbox"
        aria-label=${this.label}
        tabindex=${this.searchLabel ? "-1" : "0"}
        aria-activedescendant=${this.searchLabel ? nothing : active}
      >
        ${repeat(
          shown,
          ({ id }) => id,
          (choice, index) => this.#renderChoice(choice, index, shown[index - 1]?.group),
        )}
      </div>
      ${shown.length === 0 && this.note ? html`<p class="menu-note" role="status">${this.note}</p>` : nothing}`;
  }

  #renderSearch(active: unknown): TemplateResult {
    return html`<div class="menu-search">
      <input
        class="input"
        type="text"
        role="combobox"
        autocomplete="off"
        aria-expanded="true"
        aria-controls="${this.#id}-list"
        aria-activedescendant=${active}
        aria-label=${this.searchLabel}
        placeholder=${this.searchLabel}
        .value=${this.search}
        @input=${(event: Event) => this.#searched((event.target as HTMLInputElement).value)}
      />
    </div>`;
  }

  #renderChoice(choice: PickerChoice, index: number, groupBefore: string | undefined): TemplateResult {
    const { label, hint, group, isDisabled } = choice;
    return html`${group && group !== groupBefore ? html`<div class="menu-group" role="presentation">${group}</div>` : nothing}
      <div
        class="menu-item"
        role="option"
        id="${this.#id}-${index}"
        aria-selected=${choice.id === (this.chosen ?? "") ? "true" : "false"}
        aria-disabled=${isDisabled ? "true" : nothing}
        ?data-active=${index === this.at}
        @click=${() => this.#choose(choice)}
      >
        <span class="menu-item-words">${label}${hint ? html`<small>${hint}</small>` : nothing}</span>
        <span class="check-mark">${icon("check")}</span>
      </div>`;
  }

  get #button(): HTMLElement {
    return this.firstElementChild as HTMLElement;
  }

  get #popover(): HTMLElement {
    return this.lastElementChild as HTMLElement;
  }

  open(): void {
    this.#popover.showPopover();
  }

  #openedByKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    this.open();
  }

  #opens(): void {
    this.isOpen = true;
    this.#stopKeeping?.();
    this.#stopKeeping = keepBeside(this.#popover, this.#button);
    this.search = "";
    this.#goToChosen();
  }

  #opened(): void {
    placePopover(this.#popover, this.#button);
    this.querySelector("[data-active]")?.scrollIntoView({ block: "nearest" });
    const field = this.searchLabel && !isTouched() ? "input" : "[role=listbox]";
    this.#popover.querySelector<HTMLElement>(field)?.focus();
  }

  /** The list stays until the browser has given the focus back, which it does only if the list has it. */
  #closed(): void {
    this.isOpen = false;
    this.#stopKeeping?.();
  }

  #goToChosen(): void {
    this.at = Math.max(
      0,
      this.choices.findIndex(({ id }) => id === (this.chosen ?? "")),
    );
  }

  #searched(text: string): void {
    this.search = text;
    this.at = 0;
  }

  #pressed(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Tab") return this.#popover.hidePopover();
    const shown = matching(this.choices, this.search);
    const isTyping = event.target instanceof HTMLInputElement;
    // Home and End move in what is being typed.
    const next = isTyping && /^(?:Home|End)$/.test(event.key) ? undefined : nextItem(event.key, this.at, shown.length);
    const choice = shown[this.at];
    const takes = event.key === "Enter" || (event.key === " " && !isTyping);
    if (next === undefined && !takes) return;
    event.preventDefault();
    if (next !== undefined) this.at = next;
    else if (choice) this.#choose(choice);
  }

  #choose(choice: PickerChoice): void {
    if (choice.isDisabled) return;
    this.#popover.hidePopover();
    this.dispatchEvent(new CustomEvent<PickerChoice>("picker-choose", { detail: choice }));
  }
}

customElements.define("chela-picker", Picker);
