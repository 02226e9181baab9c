// Card of what the use was for: by agent, model, channel, person, job or session, the largest first.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { styled } from "../../parts/styled.ts";
import { KnownNames } from "../../state/known-names.ts";
import { sessionTitle, shortKey } from "../../state/session-title.ts";
import { askFor, type DayRange } from "./range.ts";
import type { Measure } from "./sums.ts";

type UsageRow = MethodAnswer<"usage.by">["rows"][number];

const DIMENSIONS = ["agent", "model", "channel", "person", "job", "session"] as const;
type Dimension = (typeof DIMENSIONS)[number];

const MOST_ROWS = 100;
const FIRST_ROWS = 8;
const MOST_TITLES = 200;

/** `<chela-usage-breakdown .world .range .measure .query>`: the query is that of the page's address. */
class BreakdownCard extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    range: { attribute: false },
    measure: { attribute: false },
    query: { attribute: false },
    isLong: { state: true },
  };
  declare range: DayRange;
  declare measure: Measure;
  declare query: Readonly<Record<string, string>>;
  /** Whether all rows are shown. */
  declare isLong: boolean;
  readonly #names = new KnownNames(this, () => this.world);
  readonly #use = this.asking(() => ({
    method: "usage.by",
    params: { dimension: this.#dimension, limit: MOST_ROWS, ...askFor(this.range) },
    topics: ["usage"],
  }));
  readonly #sessions = this.asking(() =>
    this.#dimension === "session"
      ? { method: "sessions.list", params: { limit: MOST_TITLES, includeDerivedTitles: true }, topics: ["sessions"] }
      : undefined,
  );

  constructor() {
    super();
    this.isLong = false;
  }

  get #dimension(): Dimension {
    return DIMENSIONS.find((one) => one === this.query["by"]) ?? "agent";
  }

  override willUpdate(changed: Map<string, unknown>): void {
    const before = changed.get("query") as typeof this.query | undefined;
    if (before && before["by"] !== this.query["by"]) this.isLong = false;
  }

  override render(): TemplateResult {
    const words = this.words("usage");
    const retry = { label: this.words("app").retry, run: () => this.#use.again() };
    return html`<section class="card" aria-labelledby="usage-split">
      <h2 id="usage-split">${words.whereTo}</h2>
      <nav class="tabs usage-tabs" aria-label=${words.by}>${DIMENSIONS.map((one) => this.#renderTab(one))}</nav>
      ${renderAsked(this.#use.state, ({ rows, totals }) => this.#renderRows(rows, totals), retry)}
    </section>`;
  }

  #renderTab(dimension: Dimension): TemplateResult {
    const href = writeRoute("usage", [], { ...this.query, by: dimension });
    return html`<a href=${href} aria-current=${dimension === this.#dimension ? "true" : nothing}
      >${this.words("usage")[`by_${dimension}`]}</a
    >`;
  }

  #renderRows(rows: readonly UsageRow[], totals: MethodAnswer<"usage.by">["totals"]): TemplateResult {
    const words = this.words("usage");
    if (rows.every(({ name }) => name === "")) return html`<p class="muted usage-none">${this.#noneWords()}</p>`;
    const all = rows.toSorted((a, b) => this.#amount(b) - this.#amount(a));
    const most = this.#amount(all[0]);
    const total = this.measure === "cost" ? totals.totalCost : totals.totalTokens;
    return html`<ol class="usage-rows">
        ${repeat(
          this.isLong ? all : all.slice(0, FIRST_ROWS),
          ({ name }) => name,
          (row) => this.#renderRow(row, most, total),
        )}
      </ol>
      ${
        all.length > FIRST_ROWS
          ? html`<button
              type="button"
              class="button quiet small"
              aria-expanded=${this.isLong ? "true" : "false"}
              @click=${() => (this.isLong = !this.isLong)}
            >
              ${this.isLong ? words.showFewer : words.showAll(all.length)}
            </button>`
          : nothing
      }`;
  }

  #renderRow(row: UsageRow, most: number, total: number): TemplateResult {
    const words = this.words("usage");
    const format = this.world.words;
    const amount = this.#amount(row);
    const tokens = words.tokensOf(format.compact(row.totalTokens));
    const other = this.measure === "cost" ? tokens : this.#costWords(row);
    const share = total > 0 ? format.number(amount / total, { style: "percent", maximumFractionDigits: 0 }) : "";
    const shown = this.measure === "cost" ? this.#costWords(row) : tokens;
    return html`<li class="usage-row">
      <span class="usage-row-name cut">${this.#renderName(row.name)}</span>
      <span class="usage-row-amount">${shown}<span class="usage-row-share">${share}</span></span>
      <span class="bar" aria-hidden="true" ${styled({ "--share": `${most > 0 ? (amount / most) * 100 : 0}%` })}></span>
      <span class="hint usage-row-more">${words.calls(format.number(row.calls), row.calls === 1)} · ${other}</span>
    </li>`;
  }

  #renderName(name: string): unknown {
    const words = this.words("usage");
    const dimension = this.#dimension;
    if (name === "") return html`<span class="muted">${this.#namelessWords()}</span>`;
    if (dimension === "agent") return this.#names.agent(name);
    if (dimension === "channel") return this.#names.channel(name, words.ownChannel);
    if (dimension !== "session") return name;
    const row = this.#sessions.value?.sessions.find(({ key }) => key === name);
    return html`<a href=${writeRoute("chat", [name])}>${row ? sessionTitle(row) : shortKey(name)}</a>`;
  }

  #namelessWords(): string {
    const words = this.words("usage");
    const dimension = this.#dimension;
    if (dimension === "person") return words.none_person;
    return dimension === "job" ? words.none_job : words.none_other;
  }

  #noneWords(): string {
    const words = this.words("usage");
    const dimension = this.#dimension;
    if (dimension === "job") return words.noJobs;
    return dimension === "person" ? words.noPeople : words.nothingBy;
  }

  #amount(row: UsageRow | undefined): number {
    return (this.measure === "cost" ? row?.totalCost : row?.totalTokens) ?? 0;
  }

  #costWords({ totalCost, missingCostEntries }: UsageRow): string {
    const words = this.words("usage");
    if (missingCostEntries === 0) return this.world.words.money(totalCost);
    return totalCost > 0 ? words.atLeast(this.world.words.money(totalCost)) : words.notKnown;
  }
}

customElements.define("chela-usage-breakdown", BreakdownCard);
