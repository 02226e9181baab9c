// The line above the list: what to look for, whose sessions, from where, and in which order.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import type { PickerChoice } from "../../parts/picker-choices.ts";
import { isNarrow, KINDS, SORTS, type SessionFilter } from "./filter.ts";
import "../../parts/picker.ts";

/** Not with every letter. */
const PAUSE_MS = 150;

/** `<chela-sessions-filters .world .filter .agents .channels @filter-change @leave-down>`: the event's detail is the new filter. */
class SessionsFilters extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    filter: { attribute: false },
    agents: { attribute: false },
    channels: { attribute: false },
  };
  declare filter: SessionFilter;
  /** By id, what each is called. */
  declare agents: ReadonlyMap<string, string>;
  declare channels: ReadonlyMap<string, string>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listen = (event: KeyboardEvent): void => this.#pressedAnywhere(event);

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.#listen);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.#listen);
    clearTimeout(this.#timer);
  }

  override updated(changed: Map<string, unknown>): void {
    const box = this.querySelector("input");
    // What somebody is typing is newer than what the address says.
    if (changed.has("filter") && box && box !== document.activeElement) box.value = this.filter.search;
  }

  override render(): TemplateResult {
    const words = this.words("sessions");
    return html`<div class="sessions-filters">
      <label class="search-field">
        <span class="seen-by-readers">${words.filter}</span>
        ${icon("search")}
        <input
          class="input"
          type="search"
          autocomplete="off"
          placeholder=${words.filterHint}
          aria-keyshortcuts="/"
          @input=${(event: Event) => this.#typed((event.target as HTMLInputElement).value)}
          @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      <div class="sessions-chips" role="group" aria-label=${words.filters}>
        ${this.agents.size > 1 ? this.#renderChip("agent", words.agent, words.allAgents, entriesOf(this.agents)) : nothing}
        ${this.#renderChip("channel", words.channel, words.allChannels, entriesOf(this.channels))}
        ${this.#renderChip(
          "kind",
          words.kind,
          words.allKinds,
          KINDS.map((kind) => ({ id: kind, label: words[`kind_${kind}`] })),
        )}
        ${isNarrow(this.filter) ? this.#renderClear() : nothing}
        <span class="sessions-order">${this.#renderSort()}</span>
      </div>
    </div>`;
  }

  #renderChip(
    field: "agent" | "channel" | "kind",
    label: string,
    all: string,
    choices: readonly PickerChoice[],
  ): TemplateResult {
    const chosen = this.filter[field];
    const text = chosen === "" ? all : (choices.find(({ id }) => id === chosen)?.label ?? chosen);
    return html`<chela-picker
      class="sessions-chip"
      ?data-chosen=${chosen !== ""}
      label=${label}
      text=${text}
      .choices=${[{ id: "", label: all }, ...choices]}
      .chosen=${chosen}
      @picker-choose=${({ detail }: CustomEvent<PickerChoice>) => this.#change({ [field]: detail.id })}
    ></chela-picker>`;
  }

  #renderSort(): TemplateResult {
    const words = this.words("sessions");
    return html`<chela-picker
      label=${words.sort}
      text=${words[`sort_${this.filter.sort}`]}
      .choices=${SORTS.map((sort) => ({ id: sort, label: words[`sort_${sort}`] }))}
      .chosen=${this.filter.sort}
      @picker-choose=${({ detail }: CustomEvent<PickerChoice>) =>
        this.#change({ sort: SORTS.find((sort) => sort === detail.id) ?? "updated" })}
    ></chela-picker>`;
  }

  #renderClear(): TemplateResult {
    const words = this.words("sessions");
    return html`<button class="button quiet small" @click=${() => this.clear()}>
      ${icon("close")}${words.clear}
    </button>`;
  }

  clear(): void {
    const box = this.querySelector("input");
    if (box) box.value = "";
    this.#change({ search: "", agent: "", channel: "", kind: "" });
  }

  #typed(search: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#change({ search }), PAUSE_MS);
  }

  #pressed(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("leave-down"));
    }
    const box = event.target as HTMLInputElement;
    if (event.key === "Escape" && box.value !== "") {
      event.preventDefault();
      box.value = "";
      this.#typed("");
    }
  }

  #pressedAnywhere(event: KeyboardEvent): void {
    const { target } = event;
    const isTyping =
      target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable], dialog");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    const box = this.querySelector("input");
    box?.focus();
    box?.select();
  }

  #change(change: Partial<SessionFilter> | Readonly<Record<string, string>>): void {
    clearTimeout(this.#timer);
    this.dispatchEvent(new CustomEvent("filter-change", { bubbles: true, detail: { ...this.filter, ...change } }));
  }
}

export interface SessionsFiltersElement extends HTMLElement {
  /** Back to everything, in the same order. */
  clear(): void;
}

function entriesOf(names: ReadonlyMap<string, string>): PickerChoice[] {
  return [...names].map(([id, label]) => ({ id, label }));
}

customElements.define("chela-sessions-filters", SessionsFilters);
