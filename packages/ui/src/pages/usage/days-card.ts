// Card of use over time: as a chart, or as the same numbers in a table.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import type { ChartSeries } from "../../parts/chart/chart.ts";
import { columnName, dayName, longColumnName } from "./column-name.ts";
import { addUp, KINDS, totalOf, type Column, type Kind, type Measure } from "./sums.ts";
import "../../parts/chart/chart.ts";

const COLORS: Readonly<Record<Kind, ChartSeries["color"]>> = { cacheRead: 6, cacheWrite: 4, input: 2, output: 1 };

/** `<chela-usage-days .world .columns .measure @measure-choose>` */
class DaysCard extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    columns: { attribute: false },
    measure: { attribute: false },
    isTable: { state: true },
  };
  declare columns: readonly Column[];
  declare measure: Measure;
  declare isTable: boolean;

  constructor() {
    super();
    this.isTable = false;
  }

  override render(): TemplateResult {
    const words = this.words("usage");
    return html`<section class="card" aria-labelledby="usage-days">
      <header class="usage-card-head">
        <h2 id="usage-days">${words.overTime}</h2>
        <div class="usage-ranges" role="group" aria-label=${words.measure}>
          ${this.#renderMeasure("cost")} ${this.#renderMeasure("tokens")}
        </div>
        <button
          type="button"
          class="button quiet small"
          aria-pressed=${this.isTable ? "true" : "false"}
          @click=${() => (this.isTable = !this.isTable)}
        >
          ${words.table}
        </button>
      </header>
      ${this.isTable ? this.#renderTable() : this.#renderChart()}
    </section>`;
  }

  #renderMeasure(measure: Measure): TemplateResult {
    return html`<button
      type="button"
      class="button quiet small"
      aria-pressed=${this.measure === measure ? "true" : "false"}
      @click=${() => this.dispatchEvent(new CustomEvent("measure-choose", { detail: measure }))}
    >
      ${this.words("usage")[measure]}
    </button>`;
  }

  get #kinds(): readonly Kind[] {
    return KINDS.filter((kind) => this.columns.some(({ used }) => used[this.measure][kind] > 0));
  }

  #renderChart(): TemplateResult {
    const words = this.words("usage");
    const { columns, measure } = this;
    const format = this.world.words;
    const [first, last] = [columns.at(0), columns.at(-1)];
    const from = first ? dayName(first.startDate, format) : "";
    const to = last ? dayName(last.endDate, format) : "";
    const total = totalOf(addUp(columns.map(({ used }) => used)), measure);
    return html`<chela-chart
      .world=${this.world}
      label=${words.chart(words[measure], from, to, this.#show(total))}
      total=${words.total}
      .format=${(value: number) => this.#show(value)}
      .columns=${columns.map((column) => ({
        short: dayName(column.startDate, format),
        long: longColumnName(column, format),
      }))}
      .series=${this.#kinds.map((kind) => ({
        label: words[`kind_${kind}`],
        color: COLORS[kind],
        values: columns.map(({ used }) => used[measure][kind]),
      }))}
    ></chela-chart>`;
  }

  #renderTable(): TemplateResult {
    const words = this.words("usage");
    const { columns, measure } = this;
    const kinds = this.#kinds.toReversed();
    const isByDay = columns.every(({ startDate, endDate }) => startDate === endDate);
    const number = (value: number): TemplateResult =>
      html`<td class="number ${value === 0 ? "muted" : ""}">${this.#show(value)}</td>`;
    return html`<div class="table-scroll usage-table" tabindex="0" role="group" aria-label=${words.table}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">${isByDay ? words.day : words.days}</th>
            ${kinds.map((kind) => html`<th scope="col" class="number">${words[`kind_${kind}`]}</th>`)}
            <th scope="col" class="number">${words.total}</th>
          </tr>
        </thead>
        <tbody>
          ${columns.toReversed().map(
            (column) =>
              html`<tr>
                <th scope="row">${columnName(column, this.world.words)}</th>
                ${kinds.map((kind) => number(column.used[measure][kind]))} ${number(totalOf(column.used, measure))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  #show(value: number): string {
    return this.measure === "cost" ? this.world.words.money(value) : this.world.words.compact(value);
  }
}

customElements.define("chela-usage-days", DaysCard);
