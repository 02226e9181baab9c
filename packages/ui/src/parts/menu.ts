// A button with a list of things to do.
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { keepBeside, placePopover } from "./floating.ts";
import { icon, type IconName } from "./icon.ts";
import { nextItem } from "./list/list-keys.ts";
import "./menu.css";

export interface MenuChoice {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly isDangerous?: boolean;
}

/**
 * `<chela-menu label .icon .choices @menu-choose>`: the event's detail is the choice. Without an icon the label is shown.
 * The list is the browser's own popover: it closes with Escape and by a click elsewhere, and gives the focus back.
 */
class Menu extends LitElement {
  static override properties: PropertyDeclarations = {
    label: {},
    icon: { attribute: false },
    choices: { attribute: false },
    isOpen: { state: true },
  };
  declare label: string;
  declare icon: IconName | undefined;
  declare choices: readonly MenuChoice[];
  declare isOpen: boolean;
  readonly #listId = `menu-${crypto.randomUUID()}`;
  #stopKeeping: (() => void) | undefined;

  constructor() {
    super();
    this.choices = [];
    this.isOpen = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render(): TemplateResult {
    return html`<button
        type="button"
        class="button quiet ${this.icon ? "square" : ""}"
        aria-haspopup="menu"
        aria-expanded=${this.isOpen ? "true" : "false"}
        aria-label=${this.icon ? this.label : nothing}
        title=${this.icon ? this.label : nothing}
        popovertarget=${this.#listId}
        @keydown=${(event: KeyboardEvent) => this.#openedByKey(event)}
      >
        ${this.icon ? icon(this.icon) : html`${this.label}${icon("chevronDown")}`}
      </button>
      <div
        class="popover"
        popover
        id=${this.#listId}
        @beforetoggle=${(event: ToggleEvent) => event.newState === "open" && this.#opens()}
        @toggle=${(event: ToggleEvent) => (event.newState === "open" ? this.#opened() : this.#closed())}
        @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
      >
        <div class="menu-list" role="menu" aria-label=${this.label}>
          ${this.isOpen ? this.choices.map((choice) => this.#renderChoice(choice)) : nothing}
        </div>
      </div>`;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopKeeping?.();
  }

  override updated(): void {
    if (this.isOpen) placePopover(this.#popover, this.#button);
  }

  #renderChoice(choice: MenuChoice): TemplateResult {
    return html`<button
      type="button"
      class="menu-item ${choice.isDangerous ? "danger" : ""}"
      role="menuitem"
      tabindex="-1"
      @click=${() => this.#choose(choice)}
    >
      ${choice.icon ? icon(choice.icon) : nothing}<span class="menu-item-words">${choice.label}</span>
    </button>`;
  }

  get #button(): HTMLElement {
    return this.firstElementChild as HTMLElement;
  }

  get #popover(): HTMLElement {
    return this.lastElementChild as HTMLElement;
  }

  get #items(): HTMLElement[] {
    return [...this.#popover.querySelectorAll<HTMLElement>(".menu-item")];
  }

  #openedByKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    this.#popover.showPopover();
  }

  #opens(): void {
    this.isOpen = true;
    this.#stopKeeping?.();
    this.#stopKeeping = keepBeside(this.#popover, this.#button);
  }

  /** The items stay until the browser has given the focus back, which it does only if one of them has it. */
  #closed(): void {
    this.isOpen = false;
    this.#stopKeeping?.();
  }

  #opened(): void {
    placePopover(this.#popover, this.#button);
    this.#items[0]?.focus();
  }

  #pressed(event: KeyboardEvent): void {
    const items = this.#items;
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = nextItem(event.key, at, items.length) ?? this.#itemOfLetter(event, at);
    if (event.key === "Tab") return this.#popover.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    items[next]?.focus();
  }

  #itemOfLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, at: number): number | undefined {
    if (key.length !== 1 || key === " " || ctrlKey || metaKey || altKey) return undefined;
    const begins = (choice: MenuChoice): boolean => choice.label.toLowerCase().startsWith(key.toLowerCase());
    const after = this.choices.findIndex((choice, index) => index > at && begins(choice));
    const found = after >= 0 ? after : this.choices.findIndex(begins);
    return found >= 0 ? found : undefined;
  }

  #choose(choice: MenuChoice): void {
    this.#popover.hidePopover();
    this.dispatchEvent(new CustomEvent<MenuChoice>("menu-choose", { detail: choice }));
  }
}

customElements.define("chela-menu", Menu);
