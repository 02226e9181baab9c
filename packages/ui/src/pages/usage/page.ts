// Page of use: how much, when, for what, and what may still be spent.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Page } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { askFor, countDays, localDate, rangeBefore, readRange, type ChosenRange } from "./range.ts";
import { columnsOf, totalOf, usedOn, within, type Measure, type Used } from "./sums.ts";
import "./breakdown-card.ts";
import "./budgets-card.ts";
import "./days-card.ts";
import "./page.css";
import "./range-picker.ts";
import "./tiles.ts";

/** What the address says of the range. */
type RangeQuery = Readonly<Record<string, string>>;
type Cost = MethodAnswer<"usage.cost">;

class UsagePage extends Page {
  /** The days before are asked for with them, to compare. */
  readonly #cost = this.asking(() => {
    const range = this.#range;
    const { startDate } = rangeBefore(range);
    return { method: "usage.cost", params: askFor({ ...range, startDate }), topics: ["usage"] };
  });

  get #range(): ChosenRange {
    return readRange(this.route.query, localDate(new Date()));
  }

  override render(): TemplateResult {
    const { world } = this;
    const retry = { label: this.words("app").retry, run: () => this.#cost.again() };
    return html`<header class="page-head">
        <h1>${this.pageTitle("usage")}</h1>
        <chela-usage-range
          .world=${world}
          .range=${this.#range}
          @range-choose=${(event: CustomEvent<RangeQuery>) => this.#chooseRange(event.detail)}
        ></chela-usage-range>
      </header>
      <div class="usage">
        ${renderAsked(this.#cost.state, (cost) => this.#renderUse(cost), retry)}
        ${world.wire.has("usage.budgets") ? html`<chela-usage-budgets .world=${world}></chela-usage-budgets>` : nothing}
      </div>`;
  }

  #renderUse({ daily }: Cost): TemplateResult {
    const range = this.#range;
    const rows = within(daily, range);
    const used = usedOn(rows);
    if (totalOf(used, "tokens") === 0) return this.#renderEmpty(range);
    const earlier = usedOn(within(daily, rangeBefore(range)));
    const columns = columnsOf(rows, range);
    const measure = this.#measure(used);
    const { world } = this;
    return html`<chela-usage-tiles
        .world=${world}
        .used=${used}
        .earlier=${earlier}
        .columns=${columns}
        .days=${countDays(range)}
      ></chela-usage-tiles>
      ${used.unpriced > 0 ? this.#renderUnpriced(used.unpriced) : nothing}
      <chela-usage-days
        .world=${world}
        .columns=${columns}
        .measure=${measure}
        @measure-choose=${(event: CustomEvent<Measure>) => this.#change({ ...this.route.query, show: event.detail })}
      ></chela-usage-days>
      ${
        world.wire.has("usage.by")
          ? html`<chela-usage-breakdown
              .world=${world}
              .range=${range}
              .measure=${measure}
              .query=${this.route.query}
            ></chela-usage-breakdown>`
          : nothing
      }`;
  }

  /** Money, unless nothing has a price. */
  #measure(used: Used): Measure {
    const { show } = this.route.query;
    if (show === "cost" || show === "tokens") return show;
    return totalOf(used, "cost") > 0 ? "cost" : "tokens";
  }

  #renderUnpriced(count: number): TemplateResult {
    const words = this.words("usage");
    return html`<p class="banner warn usage-unpriced">
      ${icon("info")}<span>${words.unpriced(count)}</span>
      ${
        this.world.wire.has("config.get")
          ? html`<a class="button small" href=${writeRoute("config", [], { path: "models.providers" })}
              >${words.setPrices}</a
            >`
          : nothing
      }
    </p>`;
  }

  #renderEmpty({ choice }: ChosenRange): TemplateResult {
    const words = this.words("usage");
    return html`<section class="card empty">
      <span class="usage-empty-icon">${icon("usage")}</span>
      <h2>${words.empty}</h2>
      <p>${words.emptyHint}</p>
      <p class="row wrap">
        <a class="button primary" href=${writeRoute("chat")}>${words.startChat}</a>
        ${
          choice === 90
            ? nothing
            : html`<a class="button" href=${writeRoute("usage", [], { days: "90" })}>${words.look90}</a>`
        }
      </p>
    </section>`;
  }

  /** What else was chosen stays. */
  #chooseRange(range: RangeQuery): void {
    const { days: _days, from: _from, to: _to, ...rest } = this.route.query;
    this.#change({ ...rest, ...range });
  }

  #change(query: Readonly<Record<string, string>>): void {
    this.world.router.replace("usage", [], query);
  }
}

customElements.define("chela-usage-page", UsagePage);
