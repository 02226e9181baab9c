// Finds words in one conversation: a line to type in, the matches below it, and a way from one to the next.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { WireFailure, wordsOf } from "../../wire/failure.ts";
import { splitByRanges } from "../../conversations/marked-text.ts";
import "./session-search.css";

type SearchAnswer = MethodAnswer<"sessions.search">;
type Hit = SearchAnswer["hits"][number];

const PAUSE_MS = 200;
const MOST_HITS = 100;

/** `<chela-session-search .world .sessionKey @search-close>`; `go-to-entry` says which entry somebody wants to see. */
class SessionSearch extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    sessionKey: { attribute: false },
    answer: { state: true },
    problem: { state: true },
    isAsking: { state: true },
    at: { state: true },
  };
  declare sessionKey: string;
  /** Undefined while nothing has been looked for. */
  declare answer: SearchAnswer | undefined;
  declare problem: string | undefined;
  declare isAsking: boolean;
  /** The match one is at; -1 before the first. */
  declare at: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Answers to what was typed before are thrown away. */
  #age = 0;

  constructor() {
    super();
    this.isAsking = false;
    this.at = -1;
  }

  override firstUpdated(): void {
    this.querySelector("input")?.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#age += 1;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.get("sessionKey") !== undefined) this.#forget();
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has("at")) this.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  override render(): TemplateResult {
    const words = this.words("conversation");
    return html`<search class="chat-search" @keydown=${(event: KeyboardEvent) => this.#pressed(event)}>
      <div class="row">
        <input
          class="input"
          type="search"
          aria-label=${words.searchLabel}
          placeholder=${words.searchHint}
          autocomplete="off"
          @input=${(event: Event) => this.#typed((event.target as HTMLInputElement).value)}
        />
        <span class="chat-search-count hint" role="status">${this.#count()}</span>
        ${this.#renderStep("chevronUp", words.older, 1)} ${this.#renderStep("chevronDown", words.newer, -1)}
        <button
          class="button quiet square"
          aria-label=${this.words("app").close}
          title=${this.words("app").close}
          @click=${() => this.#close()}
        >
          ${icon("close")}
        </button>
      </div>
      ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      ${this.#renderIndexing()} ${this.#hits.length > 0 ? this.#renderHits() : nothing}
    </search>`;
  }

  get #hits(): readonly Hit[] {
    return this.answer?.hits ?? [];
  }

  #count(): string {
    const words = this.words("conversation");
    if (this.answer === undefined) return this.isAsking ? words.searching : "";
    const { hits, hasMore } = this.answer;
    if (hits.length === 0) return words.noHits;
    const count = `${this.world.words.number(hits.length)}${hasMore ? "+" : ""}`;
    return this.at < 0 ? words.hitCount(count) : words.hitAt(this.world.words.number(this.at + 1), count);
  }

  #renderStep(name: "chevronUp" | "chevronDown", label: string, step: 1 | -1): TemplateResult {
    const next = this.at + step;
    return html`<button
      class="button quiet square"
      aria-label=${label}
      title=${label}
      ?disabled=${next < 0 || next >= this.#hits.length}
      @click=${() => this.#go(next)}
    >
      ${icon(name)}
    </button>`;
  }

  #renderIndexing(): TemplateResult | typeof nothing {
    const indexing = this.answer?.indexing;
    if (!indexing) return nothing;
    const share = this.world.words.number(indexing.done / Math.max(1, indexing.of), { style: "percent" });
    return html`<p class="hint">${this.words("conversation").indexing(share)}</p>`;
  }

  #renderHits(): TemplateResult {
    const words = this.words("conversation");
    return html`<ol class="chat-search-hits" aria-label=${words.hits}>
      ${this.#hits.map(
        (hit, at) =>
          html`<li>
            <button aria-current=${at === this.at ? "true" : nothing} @click=${() => this.#go(at)}>
              <span class="hint">
                ${hit.job ? hit.job.name : hit.role === "user" ? words.you : words.assistant} ·
                ${this.world.words.ago(hit.timestamp)}
              </span>
              <span class="chat-search-text">${renderSnippet(hit)}</span>
            </button>
          </li>`,
      )}
    </ol>`;
  }

  #typed(text: string): void {
    clearTimeout(this.#timer);
    this.#age += 1;
    const query = text.trim();
    if (query === "") return this.#forget();
    this.#timer = setTimeout(() => void this.#ask(query), PAUSE_MS);
  }

  async #ask(query: string): Promise<void> {
    const age = this.#age;
    this.isAsking = true;
    try {
      const params = { sessionKey: this.sessionKey, query, limit: MOST_HITS };
      const answer = await this.world.wire.call("sessions.search", params);
      if (age !== this.#age) return;
      // What was said before the conversation began anew cannot be gone to from here.
      this.answer = { ...answer, hits: answer.hits.filter(({ archived }) => archived === undefined) };
      this.problem = undefined;
      this.at = -1;
    } catch (error) {
      if (age === this.#age && !(error instanceof WireFailure && error.code === "OFFLINE")) {
        this.problem = wordsOf(error);
      }
    } finally {
      if (age === this.#age) this.isAsking = false;
    }
  }

  #forget(): void {
    this.#age += 1;
    this.answer = undefined;
    this.problem = undefined;
    this.isAsking = false;
    this.at = -1;
  }

  /** Enter goes to the older ones, as the list does. */
  #pressed(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.preventDefault();
      return this.#close();
    }
    const isInField = event.target instanceof HTMLInputElement;
    if (event.key === "Enter" && isInField && !event.isComposing) this.#go(this.at + (event.shiftKey ? -1 : 1));
  }

  #go(at: number): void {
    const hit = this.#hits[at];
    if (!hit) return;
    this.at = at;
    this.dispatchEvent(new CustomEvent("go-to-entry", { detail: { entryId: hit.entryId }, bubbles: true }));
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("search-close"));
  }
}

function renderSnippet({ snippet, ranges }: Hit): unknown {
  return splitByRanges(snippet, ranges).map(({ text, isMarked }) => (isMarked ? html`<mark>${text}</mark>` : text));
}

customElements.define("chela-session-search", SessionSearch);
