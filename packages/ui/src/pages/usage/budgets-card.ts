// Spending limits: how much of each is gone, what is left, and when it begins anew.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderBudgetMeter } from "../../parts/chart/budget-meter.ts";
import { renderAsked } from "../../parts/asked.ts";
import { KnownNames } from "../../state/known-names.ts";
import { shortKey } from "../../state/session-title.ts";
import { Ticking } from "../../state/ticking.ts";

type Budget = MethodAnswer<"usage.budgets">["budgets"][number];

const MINUTE_MS = 60_000;

class BudgetsCard extends Part {
  readonly #names = new KnownNames(this, () => this.world);
  readonly #budgets = this.asking(() => ({ method: "usage.budgets", params: {}, topics: ["usage", "config"] }));

  constructor() {
    super();
    this.addController(new Ticking(this, MINUTE_MS));
  }

  override render(): TemplateResult {
    const words = this.words("usage");
    const retry = { label: this.words("app").retry, run: () => this.#budgets.again() };
    const href = writeRoute("config", [], { path: "budgets" });
    const canChange = this.world.wire.has("config.get") && (this.#budgets.value?.budgets.length ?? 0) > 0;
    return html`<section class="card" aria-labelledby="usage-budgets">
      <header>
        <h2 id="usage-budgets">${words.budgets}</h2>
        ${canChange ? html`<a class="button quiet small" href=${href}>${words.changeBudgets}</a>` : nothing}
      </header>
      ${renderAsked(
        this.#budgets.state,
        ({ budgets }) =>
          budgets.length > 0
            ? html`<ul class="usage-budgets">
                ${budgets.map((budget) => this.#renderBudget(budget))}
              </ul>`
            : html`<div class="row wrap usage-no-budgets">
                <p class="muted">${words.noBudgets}</p>
                <a class="button" href=${href}>${words.setBudget}</a>
              </div>`,
        retry,
      )}
    </section>`;
  }

  #renderBudget(budget: Budget): TemplateResult {
    const name = this.#nameOf(budget);
    const spent = this.#partWords(budget);
    return html`<li>
      <p class="usage-budget-words"><strong>${name}</strong><span>${spent}</span></p>
      ${renderBudgetMeter(budget.share, { label: name, text: spent })}
      <p class="usage-budget-words hint">
        <span>${this.#leftWords(budget)}</span><span>${this.#renewWords(budget)}</span>
      </p>
    </li>`;
  }

  #nameOf({ period, of, scope, name }: Budget): string {
    const words = this.words("usage");
    if (period !== "day" && period !== "month" && period !== "total") return name;
    const limit = words[`limit_${period}`];
    if (!of) return limit;
    const names: Readonly<Record<string, () => string>> = {
      agent: () => this.#names.agent(of),
      channel: () => this.#names.channel(of, words.ownChannel),
      session: () => shortKey(of),
    };
    return words.limitFor(limit, names[scope]?.() ?? of);
  }

  #partWords({ usd, tokens }: Budget): string {
    const words = this.words("usage");
    const format = this.world.words;
    return [
      ...(usd ? [words.spentOf(format.money(usd.spent), format.money(usd.limit))] : []),
      ...(tokens ? [words.spentTokens(format.compact(tokens.spent), format.compact(tokens.limit))] : []),
    ].join(" · ");
  }

  #leftWords({ usd, tokens, share }: Budget): string {
    const words = this.words("usage");
    const format = this.world.words;
    if (share >= 1) return words.usedUp;
    return [
      ...(usd ? [words.left(format.money(usd.left))] : []),
      ...(tokens ? [words.leftTokens(format.compact(tokens.left))] : []),
    ].join(" · ");
  }

  #renewWords({ resetsAt }: Budget): string {
    const words = this.words("usage");
    return resetsAt === undefined ? words.neverRenews : words.renews(this.world.words.ago(resetsAt));
  }
}

customElements.define("chela-usage-budgets", BudgetsCard);
