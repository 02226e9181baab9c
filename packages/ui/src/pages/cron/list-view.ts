// All jobs in one list: when each runs next, and what became of its last run.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { Ticking } from "../../state/ticking.ts";
import { isNarrow, PAGE_SIZE, SHOWN, writeFilter, type JobFilter, type ShownJobs } from "./list-filter.ts";
import "./empty-view.ts";
import "./job-row.ts";

type JobAnswer = MethodAnswer<"cron.list">;

/** "In 14 hours" grows old. */
const TICK_MS = 20_000;
const TYPING_MS = 200;

/** `<chela-cron-list .world .filter @filter-change>` */
class JobList extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, filter: { attribute: false } };
  declare filter: JobFilter;
  #typing: ReturnType<typeof setTimeout> | undefined;
  readonly #jobs = this.asking(() => {
    const { search, shown, page } = this.filter;
    const params = {
      includeDisabled: true,
      limit: PAGE_SIZE,
      offset: page * PAGE_SIZE,
      ...(search.trim() ? { query: search.trim() } : {}),
      ...(shown === "failed" ? { lastStatus: "error" as const } : { enabled: shown }),
    };
    return { method: "cron.list", params, topics: ["jobs", "errands"] };
  });
  readonly #status = this.asking(() => ({ method: "cron.status", params: {}, topics: ["jobs", "config"] }));

  constructor() {
    super();
    this.addController(new Ticking(this, TICK_MS));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#typing);
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#jobs.again() };
    return html`${this.#renderPaused()} ${renderAsked(this.#jobs.state, (listed) => this.#renderListed(listed), retry)}`;
  }

  /** Nothing runs by itself while the configuration says so: that must not be a surprise. */
  #renderPaused(): TemplateResult | typeof nothing {
    if (this.#status.value?.enabled !== false) return nothing;
    const words = this.words("cron");
    return html`<div class="banner warn cron-paused" role="status">
      ${icon("pause")}
      <p>${words.allPaused}</p>
      <a class="button small" href=${writeRoute("config", ["cron"])}>${words.toConfig}</a>
    </div>`;
  }

  #renderListed(listed: JobAnswer): TemplateResult {
    if (listed.total === 0 && !isNarrow(this.filter))
      return html`<chela-cron-empty .world=${this.world}></chela-cron-empty>`;
    return html`${this.#renderFilters()} ${listed.total === 0 ? this.#renderNone() : this.#renderRows(listed)}`;
  }

  #renderFilters(): TemplateResult {
    const words = this.words("cron");
    return html`<div class="cron-filters" role="search">
      <label class="cron-search">
        <span class="seen-by-readers">${words.search}</span>
        ${icon("search")}
        <input
          class="input"
          type="search"
          autocomplete="off"
          placeholder=${words.search}
          .value=${this.filter.search}
          @input=${(event: InputEvent) => this.#typed((event.target as HTMLInputElement).value)}
        />
      </label>
      <div class="cron-segments" role="group" aria-label=${words.show}>
        ${SHOWN.map(
          (shown) =>
            html`<button
              type="button"
              class="button quiet small"
              aria-pressed=${shown === this.filter.shown ? "true" : "false"}
              @click=${() => this.#show(shown)}
            >
              ${words[`show_${shown}`]}
            </button>`,
        )}
      </div>
    </div>`;
  }

  #renderRows({ jobs, total, hasMore }: JobAnswer): TemplateResult {
    const words = this.words("cron");
    return html`<ul class="card cron-list" aria-label=${this.pageTitle("cron")}>
        ${repeat(
          jobs,
          ({ id }) => id,
          (job) => html`<li><chela-cron-row .world=${this.world} .job=${job}></chela-cron-row></li>`,
        )}
      </ul>
      <p class="hint cron-count" role="status">${words.countJobs(this.world.words.number(total), total)}</p>
      ${this.#renderPaging(hasMore)}`;
  }

  #renderPaging(hasMore: boolean): TemplateResult | typeof nothing {
    const words = this.words("cron");
    const { page } = this.filter;
    if (page === 0 && !hasMore) return nothing;
    const to = (other: number): string => writeRoute("cron", [], writeFilter({ ...this.filter, page: other }));
    return html`<nav class="row cron-paging" aria-label=${words.pages}>
      ${page > 0 ? html`<a class="button" href=${to(page - 1)}>${icon("chevronLeft")}${words.before}</a>` : nothing}
      ${hasMore ? html`<a class="button" href=${to(page + 1)}>${words.further}${icon("chevronRight")}</a>` : nothing}
    </nav>`;
  }

  #renderNone(): TemplateResult {
    const words = this.words("cron");
    const isCalm = this.filter.shown === "failed" && this.filter.search.trim() === "";
    return html`<section class="empty">
      <h2>${isCalm ? words.noneFailed : words.noneFits}</h2>
      <button class="button" @click=${() => this.#change({ search: "", shown: "all", page: 0 })}>
        ${words.showAll}
      </button>
    </section>`;
  }

  #typed(search: string): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#change({ ...this.filter, search, page: 0 }), TYPING_MS);
  }

  #show(shown: ShownJobs): void {
    this.#change({ ...this.filter, shown, page: 0 });
  }

  #change(filter: JobFilter): void {
    clearTimeout(this.#typing);
    this.dispatchEvent(new CustomEvent("filter-change", { detail: filter }));
  }
}

customElements.define("chela-cron-list", JobList);
