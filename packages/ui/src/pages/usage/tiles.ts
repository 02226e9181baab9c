// The sums of the range, each with what it was before.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { styled } from "../../parts/styled.ts";
import { columnName } from "./column-name.ts";
import { busiest, cacheShare, changeOf, totalOf, type Column, type Measure, type Used } from "./sums.ts";

/** Less than this is no difference worth telling. */
const SAME = 0.005;

class UsageTiles extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    used: { attribute: false },
    earlier: { attribute: false },
    columns: { attribute: false },
    days: { attribute: false },
  };
  declare used: Used;
  declare earlier: Used;
  declare columns: readonly Column[];
  declare days: number;

  override render(): TemplateResult {
    const words = this.words("usage");
    const format = this.world.words;
    return html`<dl class="usage-tiles">
      ${this.#renderTile(words.cost, this.#costWords(), this.#changeWords("cost"))}
      ${this.#renderTile(words.tokens, format.compact(totalOf(this.used, "tokens")), this.#changeWords("tokens"))}
      ${this.#renderPerDay()} ${this.#renderCache()}
    </dl>`;
  }

  #renderTile(name: string, value: string, hint: unknown): TemplateResult {
    return html`<div class="card usage-tile">
      <dt>${name}</dt>
      <dd class="usage-figure">${value}</dd>
      <dd class="hint">${hint}</dd>
    </div>`;
  }

  #renderPerDay(): TemplateResult {
    const words = this.words("usage");
    const measure: Measure = totalOf(this.used, "cost") > 0 ? "cost" : "tokens";
    const show = (value: number): string =>
      measure === "cost" ? this.world.words.money(value) : words.tokensOf(this.world.words.compact(value));
    const most = busiest(this.columns, measure);
    const hint = most ? words.busiestDay(columnName(most, this.world.words), show(totalOf(most.used, measure))) : "";
    return this.#renderTile(words.perDay, show(totalOf(this.used, measure) / this.days), hint);
  }

  #renderCache(): TemplateResult {
    const words = this.words("usage");
    const share = cacheShare(this.used) ?? 0;
    const percent = this.world.words.number(share, { style: "percent", maximumFractionDigits: 0 });
    return html`<div class="card usage-tile">
      <dt>${words.cache}</dt>
      <dd class="usage-figure">
        ${percent}<span class="bar" aria-hidden="true" ${styled({ "--share": `${share * 100}%` })}></span>
      </dd>
      <dd class="hint">${words.cacheHint}</dd>
    </div>`;
  }

  #costWords(): string {
    const words = this.words("usage");
    const cost = totalOf(this.used, "cost");
    if (this.used.unpriced === 0) return this.world.words.money(cost);
    return cost > 0 ? words.atLeast(this.world.words.money(cost)) : words.notKnown;
  }

  #changeWords(measure: Measure): string {
    const words = this.words("usage");
    const { days } = this;
    const change = changeOf(totalOf(this.used, measure), totalOf(this.earlier, measure));
    if (change === undefined) return words.nothingBefore;
    if (Math.abs(change) < SAME) return days === 1 ? words.oneSame : words.same(days);
    const percent = this.world.words.number(Math.abs(change), { style: "percent", maximumFractionDigits: 0 });
    if (change > 0) return days === 1 ? words.oneMore(percent) : words.more(percent, days);
    return days === 1 ? words.oneLess(percent) : words.less(percent, days);
  }
}

customElements.define("chela-usage-tiles", UsageTiles);
