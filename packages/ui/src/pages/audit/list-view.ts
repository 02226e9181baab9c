// List of events, however many: only the rows in sight are made, and older ones are fetched on the way there.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { ListFocus } from "../../parts/list/list-focus.ts";
import { styled } from "../../parts/styled.ts";
import { VirtualRows } from "../../parts/list/virtual-rows.ts";
import { WireFailure } from "../../wire/failure.ts";
import type { Names } from "./event-words.ts";
import { isNarrow, questionOf, type AuditFilter, type AuditRecord } from "./filter.ts";
import { renderRow, type RowWorld } from "./row-view.ts";
import { TrailBook } from "./trail-book.ts";

const ROW_REM = 3.5;
/** So near the end of what is here, more is fetched. */
const NEAR_ROWS = 30;

/** `<chela-audit-list .world .filter .names .hrefOf @events-change @clear-filter>` */
class AuditList extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    filter: { attribute: false },
    names: { attribute: false },
    hrefOf: { attribute: false },
  };
  declare filter: AuditFilter;
  declare names: Names;
  /** The address of one event. */
  declare hrefOf: (seq: number) => string;
  readonly #book = new TrailBook(() => this.#bookChanged());
  readonly #rowPixels = ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  readonly #rows = new VirtualRows(this, () => ({
    count: this.#book.records.length,
    scroller: () => this.#scroller,
    estimate: () => this.#rowPixels,
    overscan: 8,
  }));
  readonly #focus = new ListFocus(this, {
    count: () => this.#book.records.length,
    keyAt: (index) => this.#book.records[index]?.seq.toString(),
    indexOf: (key) => {
      const index = this.#book.records.findIndex(({ seq }) => String(seq) === key);
      return index >= 0 ? index : undefined;
    },
    rowsInView: () => Math.max(1, Math.floor((this.#scroller?.clientHeight ?? 0) / this.#rowPixels) - 1),
    show: (index) => this.#rows.goTo(index, "auto"),
  });
  #asked = "";
  #stops: Array<() => void> = [];

  /** What is on the page, for whoever wants to offer more of the same. */
  get records(): readonly AuditRecord[] {
    return this.#book.records;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { wire } = this.world;
    this.#stops = [
      wire.on("changed", ({ topics }) => topics.includes("audit") && this.#book.look(() => !this.#isRead)),
      wire.onResync(() => (this.#isRead ? this.#book.look(() => !this.#isRead) : this.#book.reload())),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops.splice(0)) stop();
  }

  override willUpdate(): void {
    const asked = JSON.stringify(this.filter);
    if (asked === this.#asked) return;
    this.#asked = asked;
    const question = questionOf(this.filter, Date.now());
    this.#book.ask((place) => this.world.wire.call("audit.list", { ...question, ...place }));
    this.#scroller?.scrollTo({ top: 0 });
  }

  override updated(): void {
    const last = this.#rows.rows.at(-1)?.index ?? 0;
    if (last >= this.#book.records.length - NEAR_ROWS) this.#book.more();
  }

  override render(): TemplateResult {
    return html`${this.#renderFailure()}
      ${this.#book.total === 0 && !this.#book.isBehind ? this.#renderEmpty() : this.#renderTable()}
      <p class="audit-count hint" role="status">${this.#countText()}</p>`;
  }

  #renderFailure(): TemplateResult | typeof nothing {
    const { failure } = this.#book;
    // A lost connection is told elsewhere, and mends itself.
    if (!failure || (failure instanceof WireFailure && failure.code === "OFFLINE")) return nothing;
    return html`<div class="failure" role="alert">
      ${icon("warning")}
      <p>${failure.message}</p>
      <button class="button" @click=${() => this.#book.reload()}>${this.words("app").retry}</button>
    </div>`;
  }

  #renderTable(): TemplateResult {
    const words = this.words("audit");
    const { total, isBehind } = this.#book;
    return html`<div class="audit-frame">
      ${this.#renderNew()}
      <div
        class="long-table audit-table"
        role="table"
        aria-label=${words.list}
        aria-rowcount=${total === undefined ? -1 : total + 1}
        aria-busy=${isBehind}
      >
        <div role="rowgroup">
          <div class="long-heading" role="row" aria-rowindex="1">
            <span class="audit-when" role="columnheader" aria-sort="descending">${words.when}</span>
            <span role="columnheader">${words.what}</span>
            <span class="audit-who" role="columnheader">${words.actor}</span>
            <span class="audit-where" role="columnheader">${words.where}</span>
            <span role="columnheader">${words.outcome}</span>
            <span class="audit-explain" role="columnheader"><span class="seen-by-readers">${words.explain}</span></span>
          </div>
        </div>
        <div
          class="long-scroll audit-scroll"
          role="rowgroup"
          @keydown=${(event: KeyboardEvent) => this.#focus.pressed(event)}
          @focusin=${(event: FocusEvent) => this.#focus.came(event)}
        >
          ${total === undefined ? html`<div class="waiting" role="row" aria-busy="true"><span role="cell">${words.loading}</span></div>` : nothing}
          <div class="long-all" role="presentation" ${styled({ height: `${this.#rows.height}px` })}>
            ${this.#renderRows()}
          </div>
        </div>
      </div>
    </div>`;
  }

  #renderRows(): unknown {
    const { records } = this.#book;
    const world: RowWorld = {
      words: this.words("audit"),
      format: this.world.words,
      names: this.names,
      canExplain: this.world.wire.has("runs.explain"),
      hrefOf: this.hrefOf,
    };
    const shown = this.#rows.rows.filter(({ index }) => index < records.length);
    const tabStop = this.#focus.tabStop(
      shown.map(({ index }) => index),
      Math.ceil((this.#scroller?.scrollTop ?? 0) / this.#rowPixels),
    );
    return repeat(
      shown,
      ({ index }) => records[index]?.seq,
      ({ index, start }) => {
        const record = records[index];
        return record ? renderRow(record, { index, start, isTabStop: index === tabStop }, world) : nothing;
      },
    );
  }

  /** What came since; it waits, so that nothing moves under the eyes of whoever reads. */
  #renderNew(): TemplateResult | typeof nothing {
    const { newCount, hasManyNew } = this.#book;
    if (newCount === 0) return nothing;
    const text = this.words("audit").newEvents(this.world.words.number(newCount), hasManyNew);
    return html`<div class="audit-new">
      <button class="button small" @click=${() => this.#showNew()}>${icon("chevronUp")}${text}</button>
    </div>`;
  }

  #renderEmpty(): TemplateResult {
    const words = this.words("audit");
    if (!isNarrow(this.filter)) {
      return html`<div class="empty audit-empty">
        <h2>${words.empty}</h2>
        <p>${words.emptyHint}</p>
      </div>`;
    }
    return html`<div class="empty audit-empty">
      <h2>${words.nothingFits}</h2>
      <p>${words.nothingFitsHint}</p>
      <button class="button" @click=${() => this.dispatchEvent(new CustomEvent("clear-filter"))}>${words.clear}</button>
    </div>`;
  }

  #countText(): string {
    const { total, isBehind, forgotten } = this.#book;
    const words = this.words("audit");
    if (!total || isBehind) return "";
    const count = this.world.words.number(total);
    const found = isNarrow(this.filter) ? words.countFound(count, total) : words.countAll(count, total);
    return forgotten > 0 ? `${found} · ${words.letGo(this.world.words.number(forgotten))}` : found;
  }

  get #scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>(".audit-scroll");
  }

  /** Somebody is at it: what they look at, point at or have opened must stay where it is. */
  get #isRead(): boolean {
    const scroller = this.#scroller;
    if (!scroller) return false;
    return (
      scroller.scrollTop > 0 ||
      scroller.matches(":hover, :focus-within") ||
      document.querySelector("dialog[open]") !== null
    );
  }

  #showNew(): void {
    this.#book.showNew();
    this.#scroller?.scrollTo({ top: 0 });
  }

  #bookChanged(): void {
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent("events-change"));
  }
}

export interface AuditListElement extends HTMLElement {
  readonly records: readonly AuditRecord[];
}

customElements.define("chela-audit-list", AuditList);
