// Usage of a session: how full it is, what it cost, and how that grew.
import { html, nothing, svg, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { styled } from "../../parts/styled.ts";
import type { SessionRow } from "./filter.ts";
import { outlineOf } from "./growth.ts";
import { contextOf, type SessionDefaults } from "./session-facts.ts";

/** Everything it ever used. */
const ALL_DAYS = 3660;
const WIDTH = 400;
const HEIGHT = 64;

class SessionUsage extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    row: { attribute: false },
    defaults: { attribute: false },
  };
  declare row: SessionRow;
  declare defaults: SessionDefaults | undefined;
  readonly #usage = this.asking(() => ({
    method: "sessions.usage",
    params: { key: this.row.key, days: ALL_DAYS, limit: 1 },
    topics: ["usage"],
  }));
  readonly #growth = this.asking(() => ({
    method: "sessions.usage.timeseries",
    params: { key: this.row.key },
    topics: ["usage"],
  }));

  override render(): TemplateResult {
    const words = this.words("sessions");
    return html`<section aria-labelledby="sessions-usage">
      <h3 id="sessions-usage">${words.usage}</h3>
      ${this.#renderContext()} ${this.#renderFigures()} ${this.#renderGrowth()}
    </section>`;
  }

  #renderContext(): TemplateResult | typeof nothing {
    const context = contextOf(this.row, this.defaults);
    const words = this.words("sessions");
    if (!context?.room || context.share === undefined) return nothing;
    const format = this.world.words;
    const said = words.contextUsed(format.number(context.used), format.number(context.room));
    return html`<div class="sessions-room">
      <span>${this.row.totalTokensFresh ? said : words.about(said)}</span>
      <span class="sessions-bar" ?data-full=${context.share >= 0.8}
        ><i aria-hidden="true" ${styled({ "--share": `${Math.min(1, context.share) * 100}%` })}></i
      ></span>
    </div>`;
  }

  #renderFigures(): TemplateResult {
    const words = this.words("sessions");
    const format = this.world.words;
    const { state, value } = this.#usage;
    if (!value) {
      const problem = state.kind === "failed" ? state.error.message : "";
      return problem
        ? html`<p class="problem" role="alert">${problem}</p>`
        : html`<div class="waiting" role="status" aria-busy="true"><span></span></div>`;
    }
    const { totals, aggregates } = value;
    if (totals.totalTokens === 0 && !aggregates.messages?.total) return html`<p class="muted">${words.unused}</p>`;
    const { user = 0, assistant = 0, toolCalls = 0, errors = 0 } = aggregates.messages ?? {};
    const figures: ReadonlyArray<readonly [string, string]> = [
      [words.cost, this.#costWords(totals)],
      [words.tokens, format.compact(totals.totalTokens)],
      [words.messages, format.number(user + assistant)],
      ...(toolCalls > 0 ? [[words.tools, format.number(toolCalls)] as const] : []),
      ...(errors > 0 ? [[words.errors, format.number(errors)] as const] : []),
    ];
    return html`<dl class="sessions-figures">
      ${figures.map(
        ([name, text]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>`;
  }

  #costWords(totals: { readonly totalCost: number; readonly missingCostEntries: number }): string {
    const words = this.words("sessions");
    const cost = this.world.words.money(totals.totalCost);
    if (totals.missingCostEntries === 0) return cost;
    return totals.totalCost > 0 ? words.costAtLeast(cost) : words.costUnknown;
  }

  #renderGrowth(): TemplateResult | typeof nothing {
    const points = this.#growth.value?.points ?? [];
    const grew = points.map(({ timestamp, cumulativeTokens }) => ({ at: timestamp, value: cumulativeTokens }));
    const outline = outlineOf(grew, WIDTH, HEIGHT);
    const [first, last] = [grew.at(0), grew.at(-1)];
    if (!outline || !first || !last) return nothing;
    const day = (ms: number): string => this.world.words.date(ms, { dateStyle: "medium" });
    const isOneDay = day(first.at) === day(last.at);
    const when = (ms: number): string => (isOneDay ? this.world.words.date(ms) : day(ms));
    const label = this.words("sessions").grew(when(first.at), when(last.at), this.world.words.number(last.value));
    return html`<figure class="sessions-growth">
      <svg viewBox="0 -2 ${WIDTH} ${HEIGHT + 2}" preserveAspectRatio="none" role="img" aria-label=${label}>
        ${svg`<path class="sessions-area" d=${outline.area} /><path class="sessions-line" d=${outline.line} />`}
      </svg>
      <figcaption aria-hidden="true"><span>${when(first.at)}</span><span>${when(last.at)}</span></figcaption>
    </figure>`;
  }
}

customElements.define("chela-session-usage", SessionUsage);
