// Searches everything that was ever said, and leads to where it was said.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { shortKey } from "../../state/session-title.ts";
import { splitByRanges } from "../../conversations/marked-text.ts";
import { SaidSearch, type Hit, type SearchWish } from "./said-search.ts";
import { rememberedTop, rememberTop } from "./scroll-memory.ts";
import { restore } from "./session-actions.ts";
import "./search-view.css";

const PAUSE_MS = 200;
const ROLES = ["user", "assistant"] as const;

type Query = Readonly<Record<string, string>>;

/** `<chela-sessions-search .world .query @query-change>`: `query` is what the address says; the event's detail is the new one. */
class SessionsSearch extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, query: { attribute: false } };
  declare query: Query;
  readonly #search = new SaidSearch(this, () => this.world.wire);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restored: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#restored = rememberedTop();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override firstUpdated(): void {
    const box = this.querySelector("input");
    if (!box) return;
    box.value = this.query["q"] ?? "";
    box.focus();
  }

  override willUpdate(): void {
    this.#search.look(this.#wanted());
  }

  override updated(): void {
    const scroller = this.querySelector(".sessions-said");
    if (this.#restored === undefined || !this.#search.hits || !scroller) return;
    scroller.scrollTop = this.#restored;
    this.#restored = undefined;
  }

  override render(): TemplateResult {
    const words = this.words("sessions");
    return html`<search class="sessions-filters">
        <label class="search-field">
          <span class="seen-by-readers">${words.searchSaid}</span>
          ${icon("search")}
          <input
            class="input"
            type="search"
            autocomplete="off"
            placeholder=${words.searchHint}
            @input=${(event: Event) => this.#typed((event.target as HTMLInputElement).value)}
          />
        </label>
        <div class="sessions-chips">${this.#renderRoles()} ${this.#renderDeleted()}</div>
      </search>
      ${this.#renderIndexing()}
      <p class="sessions-count hint" role="status">${this.#countText()}</p>
      ${this.#renderResults()}`;
  }

  #renderRoles(): TemplateResult {
    const words = this.words("sessions");
    const chosen = this.#wanted()?.role ?? ROLES.find((role) => role === this.query["role"]);
    return html`<div class="row" role="group" aria-label=${words.saidBy}>
      ${ROLES.map(
        (role) =>
          html`<button
            class="button small"
            aria-pressed=${chosen === role}
            @click=${() => this.#change({ role: chosen === role ? "" : role })}
          >
            ${words[`by_${role}`]}
          </button>`,
      )}
    </div>`;
  }

  #renderDeleted(): TemplateResult {
    return html`<label class="check">
      <input
        type="checkbox"
        .checked=${this.query["deleted"] === "1"}
        @change=${(event: Event) => this.#change({ deleted: (event.target as HTMLInputElement).checked ? "1" : "" })}
      />
      ${this.words("sessions").withDeleted}
    </label>`;
  }

  #renderIndexing(): TemplateResult | typeof nothing {
    const { indexing } = this.#search;
    if (!indexing) return nothing;
    const words = this.words("sessions");
    const share = indexing.done / Math.max(1, indexing.of);
    const percent = this.world.words.number(share, { style: "percent" });
    return html`<div class="banner" role="status">
      ${icon("info")}<span>${words.indexing(percent)}</span>
      <progress max="1" .value=${share} aria-label=${words.indexing(percent)}></progress>
    </div>`;
  }

  #countText(): string {
    const { hits, hasMore, isAsking } = this.#search;
    const words = this.words("sessions");
    if (!hits) return isAsking ? words.searching : "";
    if (hits.length === 0) return "";
    const count = this.world.words.number(hits.length);
    return hasMore ? words.hitsAtLeast(count) : words.hitCount(count, hits.length);
  }

  #renderResults(): TemplateResult {
    const { hits, failure } = this.#search;
    const words = this.words("sessions");
    if (failure) {
      return html`<div class="failure" role="alert">
        ${icon("warning")}
        <p>${failure.message}</p>
        <button class="button" @click=${() => void this.#search.again()}>${this.words("app").retry}</button>
      </div>`;
    }
    if (!hits) return this.#search.isAsking ? html`` : this.#renderHelp();
    if (hits.length === 0) {
      return html`<div class="empty">
        <h2>${words.noHits}</h2>
        <p>${words.noHitsHint}</p>
      </div>`;
    }
    return this.#renderHits(hits);
  }

  #renderHelp(): TemplateResult {
    const words = this.words("sessions");
    return html`<div class="empty">
      <h2>${words.searchHelp}</h2>
      <p>${words.searchHelpHow}</p>
    </div>`;
  }

  #renderHits(hits: readonly Hit[]): TemplateResult {
    const words = this.words("sessions");
    return html`<div class="sessions-said" @click=${() => this.#remember()}>
      <ol aria-label=${words.hits} aria-busy=${this.#search.isAsking}>
        ${repeat(
          hits,
          ({ sessionId, entryId }) => `${sessionId} ${entryId}`,
          (hit) => this.#renderHit(hit),
        )}
      </ol>
      ${
        this.#search.hasMore
          ? html`<button class="button" ?disabled=${this.#search.isAsking} @click=${() => void this.#search.more()}>
              ${words.moreHits}
            </button>`
          : nothing
      }
    </div>`;
  }

  #renderHit(hit: Hit): TemplateResult {
    const words = this.words("sessions");
    const title = hit.label ?? shortKey(hit.sessionKey);
    const head = html`<span class="sessions-hit-head">
      <strong class="cut">${title}</strong>
      <span>${words[`by_${hit.role}`]}</span>
      <time title=${this.world.words.date(hit.timestamp)}>${this.world.words.ago(hit.timestamp)}</time>
    </span>`;
    const snippet = html`<span class="sessions-snippet">${renderSnippet(hit)}</span>`;
    if (!hit.archived) {
      const goal = writeRoute("chat", [hit.sessionKey], { entry: hit.entryId });
      return html`<li class="sessions-hit"><a href=${goal}>${head}${snippet}</a></li>`;
    }
    return html`<li class="sessions-hit">
      <div>${head}${snippet}</div>
      <span class="row">
        <span class="badge">${words[`ended_${hit.archived}`]}</span>
        <button class="button small" aria-label=${words.restoreNamed(title)} @click=${() => void this.#restore(hit)}>
          ${words.restore}
        </button>
      </span>
    </li>`;
  }

  #wanted(): SearchWish | undefined {
    const query = (this.query["q"] ?? "").trim();
    if (query === "") return undefined;
    const role = ROLES.find((one) => one === this.query["role"]);
    return { query, ...(role ? { role } : {}), ...(this.query["deleted"] === "1" ? { includeDeleted: true } : {}) };
  }

  #typed(q: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#change({ q }), PAUSE_MS);
  }

  #change(change: Query): void {
    const query = Object.entries({ ...this.query, ...change }).filter(([, value]) => value !== "");
    this.dispatchEvent(new CustomEvent("query-change", { detail: Object.fromEntries(query) }));
  }

  #remember(): void {
    rememberTop(this.querySelector(".sessions-said")?.scrollTop ?? 0);
  }

  /** Of one that was started anew there is a conversation under the same key now. */
  async #restore({ sessionId, archived }: Hit): Promise<void> {
    const words = this.words("sessions");
    const replaces = archived === "reset";
    const question = { title: words.replaceTitle, text: words.replaceText, yes: words.restore };
    if (replaces && !(await this.world.notices.ask(question))) return;
    if (await restore(this.world, sessionId, replaces)) await this.#search.again();
  }
}

function renderSnippet({ snippet, ranges }: Hit): unknown {
  return splitByRanges(snippet, ranges).map(({ text, isMarked }) => (isMarked ? html`<mark>${text}</mark>` : text));
}

customElements.define("chela-sessions-search", SessionsSearch);
