// Conversations that ended, because they were deleted or started anew. Any of them can come back.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import { RemoteRows } from "../../parts/list/remote-rows.ts";
import { styled } from "../../parts/styled.ts";
import { VirtualRows } from "../../parts/list/virtual-rows.ts";
import { sessionTitle, shortKey } from "../../state/session-title.ts";
import { restore } from "./session-actions.ts";

type EndedRow = MethodAnswer<"sessions.deleted">["sessions"][number];
type Query = Readonly<Record<string, string>>;

const ROW_REM = 5.25;
const PAUSE_MS = 150;
const REASONS = ["deleted", "reset"] as const;

/** `<chela-sessions-deleted .world .query @query-change>` */
class SessionsDeleted extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, query: { attribute: false } };
  declare query: Query;
  readonly #rowPixels = ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  readonly #remote = new RemoteRows<EndedRow>(this, {
    wire: () => this.world.wire,
    topic: "sessions",
    list: () => this.#list(),
  });
  readonly #rows = new VirtualRows(this, () => ({
    count: this.#remote.windows.total ?? 0,
    scroller: () => this.querySelector<HTMLElement>(".sessions-scroll"),
    estimate: () => this.#rowPixels,
  }));
  #timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override firstUpdated(): void {
    const box = this.querySelector("input");
    if (box) box.value = this.query["search"] ?? "";
  }

  override updated(): void {
    const shown = this.#rows.rows;
    this.#remote.windows.show(shown.at(0)?.index ?? 0, shown.at(-1)?.index ?? 0);
  }

  override render(): TemplateResult {
    const { windows, failure } = this.#remote;
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
            @input=${(event: Event) => this.#typed((event.target as HTMLInputElement).value)}
          />
        </label>
        <div class="sessions-chips" role="group" aria-label=${words.filters}>
          ${REASONS.map((reason) => this.#renderReason(reason))}
        </div>
      </div>
      ${
        failure
          ? html`<div class="failure" role="alert">
              ${icon("warning")}
              <p>${failure.message}</p>
              <button class="button" @click=${() => windows.refresh()}>${this.words("app").retry}</button>
            </div>`
          : nothing
      }
      ${windows.total === 0 ? this.#renderEmpty() : this.#renderList()}
      <p class="sessions-count hint" role="status">${this.#countText()}</p>`;
  }

  #renderReason(reason: (typeof REASONS)[number]): TemplateResult {
    const isChosen = this.query["reason"] === reason;
    return html`<button
      class="button small"
      aria-pressed=${isChosen}
      @click=${() => this.#change({ reason: isChosen ? "" : reason })}
    >
      ${this.words("sessions")[`ended_${reason}`]}
    </button>`;
  }

  #renderEmpty(): TemplateResult {
    const words = this.words("sessions");
    const isNarrow = Boolean(this.query["search"] ?? this.query["reason"]);
    return html`<div class="empty">
      <h2>${isNarrow ? words.nothingFits : words.nothingDeleted}</h2>
      ${isNarrow ? nothing : html`<p>${words.nothingDeletedHint}</p>`}
    </div>`;
  }

  #renderList(): TemplateResult {
    const { windows } = this.#remote;
    return html`<div class="long-scroll sessions-scroll sessions-ended" aria-busy=${windows.isBehind}>
      ${windows.total === undefined ? html`<div class="waiting" role="status"><span></span><span></span></div>` : nothing}
      <ul
        class="long-all"
        aria-label=${this.words("sessions").tabDeleted}
        ${styled({ height: `${this.#rows.height}px` })}
      >
        ${repeat(
          this.#rows.rows,
          ({ index }) => windows.row(index)?.id ?? index,
          ({ index, start }) => this.#renderRow(windows.row(index), index, start),
        )}
      </ul>
    </div>`;
  }

  #renderRow(row: EndedRow | undefined, index: number, start: number): TemplateResult {
    const words = this.words("sessions");
    const place = styled({ translate: `0 ${start}px` });
    if (!row) return html`<li class="sessions-end sessions-awaited" data-index=${index} ${place}><i></i><i></i></li>`;
    const title = sessionTitle(row);
    const when = this.world.words.ago(row.deletedAt);
    return html`<li class="sessions-end" data-index=${index} ${place}>
      <div>
        <p class="sessions-end-head">
          <strong class="cut">${title}</strong><span class="badge">${words[`ended_${row.reason}`]}</span>
        </p>
        <p class="cut">
          ${row.preview ? words.quoted(row.preview) : html`<span class="muted">${words.nothingSaid}</span>`}
        </p>
        <p class="hint cut" title=${this.world.words.date(row.deletedAt)}>
          ${when} · ${words.entries(this.world.words.number(row.entries), row.entries)} ·
          <span class="mono">${shortKey(row.key)}</span>
        </p>
      </div>
      <button class="button" aria-label=${words.restoreNamed(title)} @click=${() => void this.#restore(row)}>
        ${icon("rewind")}<span>${words.restore}</span>
      </button>
    </li>`;
  }

  #countText(): string {
    const { total } = this.#remote.windows;
    return total ? this.words("sessions").countEnded(this.world.words.number(total), total) : "";
  }

  #list() {
    const search = (this.query["search"] ?? "").trim();
    const reason = REASONS.find((one) => one === this.query["reason"]);
    const params = { ...(search ? { search } : {}), ...(reason ? { reason } : {}) };
    return {
      name: JSON.stringify(params),
      fetch: async (offset: number, limit: number) => {
        const { sessions, total } = await this.world.wire.call("sessions.deleted", { ...params, offset, limit });
        return { rows: sessions, total };
      },
    };
  }

  #typed(search: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#change({ search }), PAUSE_MS);
  }

  #change(change: Query): void {
    const query = Object.entries({ ...this.query, ...change }).filter(([, value]) => value !== "");
    this.dispatchEvent(new CustomEvent("query-change", { detail: Object.fromEntries(query) }));
  }

  async #restore({ id, isKeyInUse }: EndedRow): Promise<void> {
    const words = this.words("sessions");
    const question = { title: words.replaceTitle, text: words.replaceText, yes: words.restore };
    if (isKeyInUse && !(await this.world.notices.ask(question))) return;
    await restore(this.world, id, isKeyInUse);
  }
}

customElements.define("chela-sessions-deleted", SessionsDeleted);
