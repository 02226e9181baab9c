// The log as it is written: filtered, held, looked into, and taken along.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { Page } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { wordsOf } from "../../wire/failure.ts";
import { renderFilters } from "./filters.ts";
import { renderDetails } from "./line-details.ts";
import { LogBook, type LogFilter } from "./log-book.ts";
import { LEVELS, type Level, type LogLine } from "./log-line.ts";
import type { LogListElement } from "./log-list.ts";
import { saveText } from "./save-text.ts";
import "../../parts/dialog.ts";
import "./log-list.ts";
import "./page.css";

const FIRST_LINES = 2_000;
/** As many as are kept at all. */
const MOST_HELD = 20_000;

class LogsPage extends Page {
  static override properties: PropertyDeclarations = {
    ...Page.properties,
    filter: { state: true },
    version: { state: true },
    wraps: { state: true },
    follows: { state: true },
    held: { state: true },
    opened: { state: true },
    failure: { state: true },
    file: { state: true },
  };
  declare filter: LogFilter;
  /** Counts up with each change of the book. */
  declare version: number;
  declare wraps: boolean;
  declare follows: boolean;
  /** What came while the log is held; undefined while it runs. */
  declare held: readonly string[] | undefined;
  declare opened: LogLine | undefined;
  declare failure: string | undefined;
  declare file: string;
  #book: LogBook;
  #unread = 0;
  readonly #stops: Array<() => void> = [];

  constructor() {
    super();
    this.filter = { levels: new Set(LEVELS), text: "", of: "" };
    this.#book = new LogBook(this.filter);
    this.version = 0;
    this.wraps = false;
    this.follows = true;
    this.file = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { wire } = this.world;
    this.#stops.push(
      wire.on("log", ({ lines, skipped = 0 }) =>
        this.#take(skipped > 0 ? [this.words("logs").skipped(skipped), ...lines] : lines),
      ),
      wire.onResync(() => void this.#follow()),
    );
    void this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops.splice(0)) stop();
    // The connection may be gone, which ends it as well.
    this.world.wire.call("logs.unfollow", {}).catch(() => undefined);
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const of = this.route.query["of"] ?? "";
    if (changed.has("route") && of !== this.filter.of) this.#setFilter({ of });
  }

  override render(): TemplateResult {
    const words = this.words("logs");
    return html`<header class="page-head">
        <div>
          <h1>${this.pageTitle("logs")}</h1>
          ${this.file ? html`<p class="hint mono">${this.file}</p>` : nothing}
        </div>
        ${this.#renderActions()}
      </header>
      ${renderFilters(words, {
        filter: this.filter,
        parts: this.#book.parts,
        wraps: this.wraps,
        setText: (text) => this.#setFilter({ text }),
        setPart: (of) => this.#pickPart(of),
        toggle: (level) => this.#toggleLevel(level),
        setWraps: (wraps) => (this.wraps = wraps),
      })}
      ${
        this.failure
          ? html`<div class="failure" role="alert">
              ${icon("warning")}
              <p>${this.failure}</p>
              <button class="button" @click=${() => void this.#follow()}>${this.words("app").retry}</button>
            </div>`
          : nothing
      }
      <div class="logs-frame">
        <chela-log-list
          .world=${this.world}
          .lines=${this.#book.shown}
          .count=${this.version}
          .wraps=${this.wraps}
          .follows=${this.follows}
          @log-follow=${(event: CustomEvent<boolean>) => this.#setFollows(event.detail)}
          @log-open=${(event: CustomEvent<LogLine>) => (this.opened = event.detail)}
        ></chela-log-list>
        ${this.#book.shown.length === 0 ? html`<p class="logs-none muted">${words.none}</p>` : nothing}
        ${this.follows ? nothing : this.#renderNewest()}
      </div>
      <p class="hint" role="status">${this.#statusText()}</p>
      <chela-dialog
        class="wide"
        .isOpen=${this.opened !== undefined}
        label=${words.details}
        closeLabel=${this.words("app").close}
        .content=${() => (this.opened ? renderDetails(this.opened, this.world.words) : html``)}
        @dialog-close=${() => (this.opened = undefined)}
      ></chela-dialog>`;
  }

  #renderActions(): TemplateResult {
    const words = this.words("logs");
    const isHeld = this.held !== undefined;
    return html`<div class="row">
      <button class="button" aria-pressed=${isHeld} @click=${() => (isHeld ? this.#resume() : (this.held = []))}>
        ${icon(isHeld ? "play" : "pause")}${isHeld ? words.resume : words.pause}
      </button>
      <button
        class="button square"
        aria-label=${words.download}
        title=${words.download}
        ?disabled=${this.#book.shown.length === 0}
        @click=${() => this.#download()}
      >
        ${icon("download")}
      </button>
    </div>`;
  }

  #renderNewest(): TemplateResult {
    const words = this.words("logs");
    return html`<button class="button small logs-newest" @click=${() => this.#toNewest()}>
      ${icon("arrowDown")}${this.#unread > 0 ? words.newestOf(this.#unread) : words.newest}
    </button>`;
  }

  #statusText(): string {
    const words = this.words("logs");
    const number = (value: number): string => this.world.words.number(value);
    if (this.held) return words.heldWith(number(this.held.length));
    return words.shown(number(this.#book.shown.length), number(this.#book.size));
  }

  async #follow(): Promise<void> {
    if (this.world.wire.state.value.kind !== "open") return;
    try {
      const { file, lines } = await this.world.wire.call("logs.follow", { limit: FIRST_LINES });
      this.failure = undefined;
      this.file = file;
      // What is held was also just read.
      if (this.held) this.held = [];
      this.#book.catchUp(lines);
      this.version += 1;
    } catch (error) {
      this.failure = wordsOf(error);
    }
  }

  #take(lines: readonly string[]): void {
    if (this.held) {
      this.held = [...this.held, ...lines].slice(-MOST_HELD);
      return;
    }
    const count = this.#book.add(lines);
    if (!this.follows) this.#unread += count;
    this.version += 1;
  }

  #resume(): void {
    const held = this.held ?? [];
    this.held = undefined;
    this.#take(held);
  }

  #setFollows(follows: boolean): void {
    this.follows = follows;
    if (follows) this.#unread = 0;
  }

  #toNewest(): void {
    this.#setFollows(true);
    this.querySelector<LogListElement>("chela-log-list")?.toEnd();
  }

  #toggleLevel(level: Level): void {
    const levels = new Set(this.filter.levels);
    if (!levels.delete(level)) levels.add(level);
    this.#setFilter({ levels });
  }

  #pickPart(of: string): void {
    this.world.router.replace("logs", [], of ? { of } : {});
  }

  #setFilter(change: Partial<LogFilter>): void {
    this.filter = { ...this.filter, ...change };
    this.#book.setFilter(this.filter);
    this.#unread = 0;
  }

  #download(): void {
    const text = this.#book.shown.map(({ raw }) => `${raw}\n`).join("");
    saveText("chela-log.jsonl", text);
  }
}

customElements.define("chela-logs-page", LogsPage);
