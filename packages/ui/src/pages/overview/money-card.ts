// Card of what today cost, and how much of each spending limit is left.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderBudgetMeter } from "../../parts/chart/budget-meter.ts";
import { renderAsked } from "../../parts/asked.ts";
import { amountOf, limitName } from "../../state/names-of.ts";

type Cost = MethodAnswer<"usage.cost">;
type Budget = MethodAnswer<"usage.budgets">["budgets"][number];

const MOST_BUDGETS = 3;
class MoneyCard extends Part {
  /** Days begin where the gateway is, as those of the limits do. */
  readonly #cost = this.asking(() => ({
    method: "usage.cost",
    params: { days: 1, mode: "gateway" },
    topics: ["usage"],
  }));
  readonly #budgets = this.asking(() => ({ method: "usage.budgets", params: {}, topics: ["usage", "config"] }));

  override render(): TemplateResult {
    const words = this.words("overview");
    const retry = { label: this.words("app").retry, run: () => this.#cost.again() };
    return html`<section class="card overview-card">
      <header>
        <h2>${words.today}</h2>
        <a class="button quiet small" href=${writeRoute("usage")}>${words.details}</a>
      </header>
      ${renderAsked(this.#cost.state, (cost) => this.#renderCost(cost), retry)} ${this.#renderBudgets()}
    </section>`;
  }

  #renderCost({ totals }: Cost): TemplateResult {
    const words = this.words("overview");
    const { totalCost, totalTokens, missingCostEntries } = totals;
    if (totalTokens === 0 && totalCost === 0) return html`<p class="muted">${words.nothingSpent}</p>`;
    return html`<p class="overview-money">
        <strong>${this.world.words.money(totalCost)}</strong>
        <span class="muted">${words.tokens(this.world.words.compact(totalTokens))}</span>
      </p>
      ${missingCostEntries > 0 ? html`<p class="hint">${words.unpriced}</p>` : nothing}`;
  }

  #renderBudgets(): TemplateResult | typeof nothing {
    const words = this.words("overview");
    const budgets = this.#budgets.value?.budgets;
    if (!budgets) return nothing;
    if (budgets.length > 0)
      return html`<ul class="overview-budgets">
        ${budgets.slice(0, MOST_BUDGETS).map((budget) => this.#renderBudget(budget))}
      </ul>`;
    return html`<p class="hint">
      ${words.noLimit} <a href=${writeRoute("config", ["budgets"])}>${words.setLimit}</a>
    </p>`;
  }

  #renderBudget(budget: Budget): TemplateResult {
    const words = this.words("overview");
    const name = limitName(budget, words);
    const amount = amountOf(budget, this.world.words, words);
    return html`<li>
      <p class="overview-budget-words"><span class="cut">${name}</span><span class="muted">${amount}</span></p>
      ${renderBudgetMeter(budget.share, { label: name, text: amount })}
    </li>`;
  }
}

customElements.define("chela-overview-money", MoneyCard);
