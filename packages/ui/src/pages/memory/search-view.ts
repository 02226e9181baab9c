// Searches what is remembered, as the agent does: by meaning and by words, with the place each thing comes from.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { isTouched } from "../../parts/floating.ts";
import { icon } from "../../parts/icon.ts";
import { renderHit } from "./hit-view.ts";
import { linkTo, type ChosenAgent, type Query } from "./place.ts";
import type { MemoryStatus } from "./progress-view.ts";

type SearchAnswer = MethodAnswer<"memory.search">;

const PAUSE_MS = 300;
const FIRST = 20;
const MOST = 100;
const SOURCES = ["memory", "sessions"] as const;

/** `<chela-memory-search .world .agent .query .status @query-change>`: `query` is what the address says. */
class SearchView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    query: { attribute: false },
    status: { attribute: false },
    limit: { state: true },
  };
  declare agent: ChosenAgent;
  declare query: Query;
  declare status: MemoryStatus | undefined;
  declare limit: number;
  readonly #search = this.asking(() => this.#question());
  /** What was found last stays until there is something newer. */
  #answer: SearchAnswer | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What was typed here, and is in the address by now. */
  #sent: string | undefined;

  constructor() {
    super();
    this.limit = FIRST;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override firstUpdated(): void {
    if (!isTouched()) this.querySelector("input")?.focus();
  }

  /** What somebody is typing is newer than what the address says; an address from elsewhere is newer than both. */
  override updated(): void {
    const { q = "" } = this.query;
    if (q === this.#sent) return;
    this.#sent = q;
    const box = this.querySelector("input");
    if (box) box.value = q;
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const before = changed.get("query") as Query | undefined;
    if (before && before["q"] !== this.query["q"]) this.limit = FIRST;
  }

  override render(): TemplateResult {
    const words = this.words("memory");
    return html`<search class="memory-find">
        <label class="search-field memory-field">
          <span class="seen-by-readers">${words.searchLabel}</span>
          ${icon("search")}
          <input
            class="input"
            type="search"
            autocomplete="off"
            maxlength="4000"
            placeholder=${words.searchHint}
            @input=${(event: Event) => this.#typed(event.target as HTMLInputElement, PAUSE_MS)}
            @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
          />
        </label>
        ${this.#renderSources()}
      </search>
      ${this.#renderResults()}`;
  }

  get #wanted(): string {
    return (this.query["q"] ?? "").trim();
  }

  #question() {
    if (this.#wanted === "" || this.status?.isOn === false) return undefined;
    const source = SOURCES.find((one) => one === this.query["in"]);
    const params: MethodParams<"memory.search"> = {
      agentId: this.agent.id,
      query: this.#wanted,
      maxResults: this.limit,
      ...(source ? { sources: [source] } : {}),
    };
    return { method: "memory.search" as const, params, topics: ["memory" as const] };
  }

  #renderSources(): TemplateResult {
    const words = this.words("memory");
    const chosen = this.query["in"];
    return html`<div class="row" role="group" aria-label=${words.sources}>
      ${SOURCES.map(
        (source) =>
          html`<button
            class="button small"
            aria-pressed=${chosen === source}
            @click=${() => this.#change({ in: chosen === source ? "" : source })}
          >
            ${words[`source_${source}`]}
          </button>`,
      )}
    </div>`;
  }

  #renderResults(): TemplateResult {
    const words = this.words("memory");
    const { state } = this.#search;
    if (this.#wanted === "") return this.#renderHelp();
    if (this.status?.isOn === false) return html``;
    if (state.kind === "failed") return this.#renderFailure(state.error);
    if (state.kind === "here") this.#answer = state.value;
    const isAsking = state.kind === "waiting" || state.isOld;
    if (!this.#answer) return html`<p class="hint" role="status" aria-busy="true">${words.searching}</p>`;
    return this.#renderAnswer(this.#answer, isAsking);
  }

  #renderHelp(): TemplateResult {
    const words = this.words("memory");
    this.#answer = undefined;
    const hasNotes = this.status?.files !== 0;
    return html`<div class="empty">
      <h2>${words.searchHelp}</h2>
      <p>${hasNotes ? words.searchHelpHow : words.searchNoNotes}</p>
      ${hasNotes ? nothing : html`<a class="button" href=${linkTo(this.agent, ["notes"])}>${words.toNotes}</a>`}
    </div>`;
  }

  #renderFailure(error: Error): TemplateResult {
    return html`<div class="failure" role="alert">
      ${icon("warning")}
      <p>${error.message}</p>
      <button class="button" @click=${() => this.#search.again()}>${this.words("app").retry}</button>
    </div>`;
  }

  #renderAnswer({ results, mode, notice }: SearchAnswer, isAsking: boolean): TemplateResult {
    const words = this.words("memory");
    const told = notice ?? (mode === "text" ? words.byWordsOnly : "");
    return html`<div role="status">
        ${told ? html`<p class="banner memory-notice">${icon("info")}<span>${told}</span></p>` : nothing}
        <p class="hint">${this.#countText(results.length)}</p>
      </div>
      ${results.length === 0 ? this.#renderNothing(isAsking) : this.#renderHits(results, isAsking)}`;
  }

  #countText(number: number): string {
    const words = this.words("memory");
    const count = this.world.words.number(number);
    if (number === 0) return "";
    return number >= this.limit ? words.foundBest(count) : words.foundCount(count, number);
  }

  #renderNothing(isAsking: boolean): TemplateResult {
    const words = this.words("memory");
    return html`<div class="empty" aria-busy=${isAsking}>
      <h2>${words.nothingFound}</h2>
      <p>${words.nothingFoundHow}</p>
      ${this.#renderElsewhere()}
    </div>`;
  }

  #renderHits(results: SearchAnswer["results"], isAsking: boolean): TemplateResult {
    const words = this.words("memory");
    const shown = { query: this.#wanted, agent: this.agent, words, format: this.world.words };
    return html`<ol class="memory-hits" aria-label=${words.found} aria-busy=${isAsking}>
        ${repeat(
          results,
          ({ path, startLine, entryId, snippet }) => `${path} ${startLine} ${entryId ?? ""} ${snippet}`,
          (hit) => renderHit(hit, shown),
        )}
      </ol>
      <p class="row wrap memory-after">
        ${
          results.length >= this.limit && this.limit < MOST
            ? html`<button class="button" @click=${() => (this.limit = MOST)}>${words.moreFound}</button>`
            : nothing
        }
        ${this.#renderElsewhere()}
      </p>`;
  }

  /** The record of all conversations is searched on a page of its own. */
  #renderElsewhere(): TemplateResult | typeof nothing {
    if (!this.world.wire.has("sessions.search")) return nothing;
    const goal = writeRoute("sessions", ["search"], { q: this.#wanted });
    return html`<a class="button quiet" href=${goal}>${icon("sessions")}${this.words("memory").inAllSaid}</a>`;
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === "Enter" && !event.isComposing) this.#typed(event.target as HTMLInputElement, 0);
  }

  #typed({ value: q }: HTMLInputElement, pauseMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#sent = q;
      this.#change({ q });
    }, pauseMs);
  }

  #change(change: Query): void {
    this.dispatchEvent(new CustomEvent("query-change", { detail: { ...this.query, ...change } }));
  }
}

customElements.define("chela-memory-search", SearchView);
