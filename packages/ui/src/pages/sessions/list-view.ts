// All sessions in one list, however many: only the rows in sight are made, and only those near them are fetched.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { ListFocus } from "../../parts/list/list-focus.ts";
import { RemoteRows } from "../../parts/list/remote-rows.ts";
import { styled } from "../../parts/styled.ts";
import { VirtualRows } from "../../parts/list/virtual-rows.ts";
import { Ticking } from "../../state/ticking.ts";
import { isNarrow, listParams, type SessionFilter, type SessionRow } from "./filter.ts";
import type { SessionsFiltersElement } from "./filter-bar.ts";
import { ListScroll } from "./list-scroll.ts";
import { renderAwaited, renderRow, type RowAction, type RowWorld } from "./row-view.ts";
import { isMain, type SessionDefaults } from "./session-facts.ts";
import { NamesOf } from "./names-of.ts";
import "./filter-bar.ts";

const ROW_REM = 3.75;
/** "3 minutes ago" grows old. */
const TICK_MS = 30_000;

/** `<chela-sessions-list .world .filter @filter-change @session-action>`; the latter's detail is `{ action, row }`. */
class SessionsList extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, filter: { attribute: false } };
  declare filter: SessionFilter;
  readonly #names = new NamesOf(this, () => this.world);
  readonly #remote = new RemoteRows<SessionRow>(this, {
    wire: () => this.world.wire,
    topic: "sessions",
    list: () => this.#list(),
  });
  readonly #rowPixels = ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  readonly #rows = new VirtualRows(this, () => ({
    count: this.#remote.windows.total ?? 0,
    scroller: () => this.#scroller,
    estimate: () => this.#rowPixels,
    overscan: 8,
  }));
  readonly #focus = new ListFocus(this, {
    count: () => this.#remote.windows.total ?? 0,
    keyAt: (index) => this.#remote.windows.row(index)?.key,
    indexOf: (key) => this.#remote.windows.find((row) => row.key === key),
    rowsInView: () => Math.max(1, Math.floor((this.#scroller?.clientHeight ?? 0) / this.#rowPixels) - 1),
    show: (index) => this.#rows.goTo(index, "auto"),
  });
  readonly #scroll = new ListScroll(this, {
    scroller: () => this.#scroller,
    rowPixels: this.#rowPixels,
    isKnown: () => this.#remote.windows.total !== undefined,
    shown: () => this.#rows.rows.map(({ index }) => ({ index, key: this.#remote.windows.row(index)?.key })),
    keyAt: (index) => this.#remote.windows.row(index)?.key,
    indexOf: (key) => this.#remote.windows.find((row) => row.key === key),
  });
  readonly #runs = this.asking(() =>
    this.world.wire.has("runs.list")
      ? { method: "runs.list", params: { state: "running", limit: 200 }, topics: ["runs"] }
      : undefined,
  );
  #defaults: SessionDefaults | undefined;

  constructor() {
    super();
    this.addController(new Ticking(this, TICK_MS));
  }

  override updated(changed: Map<string, unknown>): void {
    const before = changed.get("filter") as SessionFilter | undefined;
    if (before && JSON.stringify(before) !== JSON.stringify(this.filter)) this.#scroll.toTop();
    const shown = this.#rows.rows;
    this.#remote.windows.show(shown.at(0)?.index ?? 0, shown.at(-1)?.index ?? 0);
  }

  override render(): TemplateResult {
    const { total } = this.#remote.windows;
    return html`<chela-sessions-filters
        .world=${this.world}
        .filter=${this.filter}
        .agents=${this.#names.agents}
        .channels=${this.#names.channels}
        @leave-down=${() => this.#focus.go(0)}
      ></chela-sessions-filters>
      ${this.#renderFailure()} ${total === 0 ? this.#renderEmpty() : this.#renderTable()}
      <p class="sessions-count hint" role="status">${this.#countText()}</p>`;
  }

  /** Back to the row somebody came from. */
  refocus(): void {
    this.#focus.again();
  }

  #renderFailure(): TemplateResult | typeof nothing {
    const { failure } = this.#remote;
    if (!failure) return nothing;
    return html`<div class="failure" role="alert">
      ${icon("warning")}
      <p>${failure.message}</p>
      <button class="button" @click=${() => this.#remote.windows.refresh()}>${this.words("app").retry}</button>
    </div>`;
  }

  #renderTable(): TemplateResult {
    const { total, isBehind } = this.#remote.windows;
    const words = this.words("sessions");
    return html`<div
      class="long-table sessions-table"
      role="table"
      aria-label=${this.pageTitle("sessions")}
      aria-rowcount=${total === undefined ? -1 : total + 1}
      aria-busy=${isBehind}
      ?data-agents=${this.#names.agents.size > 1}
    >
      <div role="rowgroup" class="sessions-headings">${this.#renderHeadings()}</div>
      <div
        class="long-scroll sessions-scroll"
        role="rowgroup"
        @keydown=${(event: KeyboardEvent) => this.#focus.pressed(event)}
        @focusin=${(event: FocusEvent) => this.#focus.came(event)}
        @scroll=${() => this.#scroll.scrolled()}
        @click=${() => this.#scroll.remember()}
      >
        ${total === undefined ? html`<div class="waiting" role="row" aria-busy="true"><span role="cell">${words.loading}</span></div>` : nothing}
        <div class="long-all" role="presentation" ${styled({ height: `${this.#rows.height}px` })}>
          ${this.#renderRows()}
        </div>
      </div>
    </div>`;
  }

  #renderHeadings(): TemplateResult {
    const words = this.words("sessions");
    const sorted = (sort: SessionFilter["sort"]): unknown => (this.filter.sort === sort ? "descending" : nothing);
    return html`<div class="long-heading" role="row" aria-rowindex="1">
      <span role="columnheader">${words.conversation}</span>
      <span class="sessions-agent" role="columnheader">${words.agent}</span>
      <span class="sessions-channel" role="columnheader">${words.channel}</span>
      <span class="sessions-when" role="columnheader" aria-sort=${sorted("updated")}>${words.lastActivity}</span>
      <span class="sessions-context" role="columnheader" aria-sort=${sorted("tokens")}>${words.context}</span>
      <span class="sessions-model" role="columnheader">${words.model}</span>
      <span class="sessions-more" role="columnheader"><span class="seen-by-readers">${words.actions}</span></span>
    </div>`;
  }

  #renderRows(): unknown {
    const { windows } = this.#remote;
    const world = this.#rowWorld();
    const tabStop = this.#focus.tabStop(
      this.#rows.rows.map(({ index }) => index),
      this.#scroll.firstInSight(),
    );
    const known = new Set<string>();
    return repeat(
      this.#rows.rows,
      ({ index }) => {
        const key = windows.row(index)?.key ?? `${index}`;
        // A session that moves may be seen twice for a moment.
        return known.has(key) ? `${key} ${index}` : (known.add(key), key);
      },
      ({ index, start }) => {
        const row = windows.row(index);
        const place = { index, start, isTabStop: index === tabStop };
        return row ? renderRow(row, place, world) : renderAwaited(place);
      },
    );
  }

  #renderEmpty(): TemplateResult {
    const words = this.words("sessions");
    if (!isNarrow(this.filter)) {
      return html`<div class="empty">
        <h2>${words.empty}</h2>
        <p>${words.emptyHint}</p>
        <a class="button primary" href=${writeRoute("chat")}>${words.startChat}</a>
      </div>`;
    }
    return html`<div class="empty">
      <h2>${words.nothingFits}</h2>
      <p>${words.nothingFitsHint}</p>
      <div class="row wrap">
        <button class="button" @click=${() => this.#clear()}>${words.clear}</button>
        ${
          this.filter.search.trim() && this.world.wire.has("sessions.search")
            ? html`<a class="button" href=${writeRoute("sessions", ["search"], { q: this.filter.search.trim() })}>
                ${words.searchSaid}
              </a>`
            : nothing
        }
      </div>
    </div>`;
  }

  #countText(): string {
    const { total, isBehind } = this.#remote.windows;
    const words = this.words("sessions");
    if (!total || isBehind) return "";
    const count = this.world.words.number(total);
    return isNarrow(this.filter) ? words.countFound(count, total) : words.countAll(count, total);
  }

  get #scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>(".sessions-scroll");
  }

  #list() {
    const scope = this.world.wire.hello?.snapshot.sessionDefaults?.scope;
    const params = listParams(this.filter, scope === "global");
    return {
      name: JSON.stringify(params),
      fetch: async (offset: number, limit: number) => {
        const answer: MethodAnswer<"sessions.list"> = await this.world.wire.call("sessions.list", {
          ...params,
          offset,
          limit,
        });
        this.#defaults = answer.defaults;
        return { rows: answer.sessions, total: answer.total };
      },
    };
  }

  #rowWorld(): RowWorld {
    const working = new Set(this.#runs.value?.runs.map(({ sessionKey }) => sessionKey));
    return {
      texts: this.words("sessions"),
      words: this.world.words,
      defaults: this.#defaults,
      names: this.#names,
      hasManyAgents: this.#names.agents.size > 1,
      isWorking: (key) => working.has(key),
      canRemove: (key) => !isMain(key, this.world),
      act: (action, row) => this.#act(action, row),
    };
  }

  #act(action: RowAction, row: SessionRow): void {
    this.dispatchEvent(new CustomEvent("session-action", { detail: { action, row } }));
  }

  #clear(): void {
    this.querySelector<SessionsFiltersElement>("chela-sessions-filters")?.clear();
  }
}

export interface SessionsListElement extends HTMLElement {
  refocus(): void;
}

customElements.define("chela-sessions-list", SessionsList);
