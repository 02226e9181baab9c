// Ctrl+K: goes to any page or conversation with a few letters.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { PAGES, type PageSpec } from "../pages/index.ts";
import { icon } from "../parts/icon.ts";
import { sessionTitle } from "../state/session-title.ts";
import { Part } from "./part.ts";
import { writeRoute } from "./route.ts";
import "../parts/dialog.ts";

interface Goal {
  readonly icon: PageSpec["icon"];
  readonly title: string;
  readonly fragment: string;
}

const MOST_SESSIONS = 20;

class Palette extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    isOpen: { attribute: false },
    text: { state: true },
    at: { state: true },
  };
  declare isOpen: boolean;
  declare text: string;
  declare at: number;
  readonly #sessions = this.asking(() =>
    this.isOpen
      ? {
          method: "sessions.list",
          params: { limit: MOST_SESSIONS, includeDerivedTitles: true, ...(this.text ? { search: this.text } : {}) },
          topics: ["sessions"],
        }
      : undefined,
  );

  constructor() {
    super();
    this.text = "";
    this.at = 0;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("isOpen")) return;
    this.text = "";
    this.at = 0;
  }

  override render(): TemplateResult {
    const words = this.words("app");
    return html`<chela-dialog
      class="palette"
      .isOpen=${this.isOpen}
      label=${words.search}
      closeLabel=${words.close}
      .content=${() => this.#renderContent()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderContent(): TemplateResult {
    const words = this.words("app");
    const goals = this.#goals();
    const at = Math.min(this.at, goals.length - 1);
    return html`<input
        class="input"
        autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-goals"
        aria-activedescendant=${at >= 0 ? `goal-${at}` : nothing}
        aria-label=${words.search}
        placeholder=${words.search}
        .value=${this.text}
        @input=${(event: Event) => this.#search((event.target as HTMLInputElement).value)}
        @keydown=${(event: KeyboardEvent) => this.#pressed(event, goals, at)}
      />
      <ul class="palette-goals" id="palette-goals" role="listbox" aria-label=${words.search}>
        ${goals.map(
          (goal, index) =>
            html`<li id="goal-${index}" role="option" aria-selected=${index === at} @click=${() => this.#go(goal)}>
              ${icon(goal.icon)}<span>${goal.title}</span>
            </li>`,
        )}
      </ul>
      ${goals.length === 0 ? html`<p class="muted">${words.noMatches}</p>` : nothing}`;
  }

  #goals(): Goal[] {
    const wanted = this.text.trim().toLowerCase();
    const pages = PAGES.filter(({ needs }) => this.world.wire.has(needs))
      .map(({ id, icon: name }) => ({ icon: name, title: this.pageTitle(id), fragment: writeRoute(id) }))
      .filter(({ title }) => title.toLowerCase().includes(wanted));
    const sessions = (this.#sessions.value?.sessions ?? []).map((row): Goal => ({
      icon: "chat",
      title: sessionTitle(row),
      fragment: writeRoute("chat", [row.key]),
    }));
    return [...pages, ...sessions];
  }

  #search(text: string): void {
    this.text = text;
    this.at = 0;
  }

  #pressed(event: KeyboardEvent, goals: readonly Goal[], at: number): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.at = (at + step + goals.length) % Math.max(goals.length, 1);
    }
    const goal = goals[at];
    if (event.key === "Enter" && goal) this.#go(goal);
  }

  #go(goal: Goal): void {
    if (location.hash !== goal.fragment) window.addEventListener("hashchange", goInside, { once: true });
    location.hash = goal.fragment;
    this.#close();
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

/** Who goes somewhere with the keyboard goes on from there, unless the page has a better place. */
function goInside(): void {
  requestAnimationFrame(() => {
    const main = document.querySelector<HTMLElement>("#main");
    if (!main?.contains(document.activeElement)) main?.focus();
  });
}

customElements.define("chela-palette", Palette);
