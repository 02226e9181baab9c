// Stacked columns over time, with a legend and the numbers of the column under the pointer.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { Watching } from "../../state/live.ts";
import type { PlotPoint } from "./chart-plot.ts";
import { styled } from "../styled.ts";
import "./chart.css";

interface ChartColumn {
  /** Below the column, where there is room. */
  readonly short: string;
  /** Above its numbers. */
  readonly long: string;
}

export interface ChartSeries {
  readonly label: string;
  /** Which of the colours for charts. */
  readonly color: 1 | 2 | 3 | 4 | 5 | 6;
  readonly values: readonly number[];
}

/** Half of the widest box of numbers: it stays inside the chart. */
const BOX_PX = 104;

/** `<chela-chart .world label .columns .series .format total>`; the lowest series first. */
class Chart extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    label: {},
    columns: { attribute: false },
    series: { attribute: false },
    format: { attribute: false },
    total: {},
    point: { state: true },
  };
  /** What the chart shows, for those who do not see it. */
  declare label: string;
  declare columns: readonly ChartColumn[];
  declare series: readonly ChartSeries[];
  declare format: (value: number) => string;
  /** What all series together are called. */
  declare total: string;
  declare point: PlotPoint | undefined;
  readonly #watching = new Watching(this);
  readonly #resizing = new ResizeObserver(() => this.#plot?.resize());
  readonly #systemTheme = matchMedia("(prefers-color-scheme: dark)");
  readonly #redraw = (): void => void this.#draw();
  #plot: { resize(): void; destroy(): void } | undefined;
  #theme: string | undefined;
  #drawing = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#systemTheme.addEventListener("change", this.#redraw);
    if (this.hasUpdated) void this.#draw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#systemTheme.removeEventListener("change", this.#redraw);
    this.#resizing.disconnect();
    this.#drawing += 1;
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  override render(): TemplateResult {
    this.#watching.show(this.world.preferences.now);
    return html`<figure class="chart">
      <ul class="chart-legend">
        ${this.series.map(
          ({ label, color }) => html`<li><i class="chart-swatch" data-color=${color}></i>${label}</li>`,
        )}
      </ul>
      <div class="chart-stage">
        ${this.#renderBand()}
        <div class="chart-plot" role="img" aria-label=${this.label}></div>
        ${this.#renderNumbers()}
      </div>
    </figure>`;
  }

  override updated(changed: Map<string, unknown>): void {
    const { theme } = this.world.preferences.now.value;
    const isOther = theme !== this.#theme || changed.has("columns") || changed.has("series");
    this.#theme = theme;
    if (isOther) void this.#draw();
  }

  #renderBand(): TemplateResult | typeof nothing {
    if (!this.point) return nothing;
    const { center, width } = this.point;
    return html`<div
      class="chart-band"
      ${styled({ "--left": `${center - width / 2}px`, "--width": `${width}px` })}
    ></div>`;
  }

  #renderNumbers(): TemplateResult | typeof nothing {
    const { point } = this;
    const column = point && this.columns[point.index];
    if (!point || !column) return nothing;
    const values = this.series.map(({ values }) => values[point.index] ?? 0);
    const most = Math.max(BOX_PX, this.clientWidth - BOX_PX);
    const at = Math.min(Math.max(point.center, BOX_PX), most);
    return html`<div class="chart-numbers" aria-hidden="true" ${styled({ "--left": `${at}px` })}>
      <strong>${column.long}</strong>
      <dl>
        ${this.series
          .map((series, index) => ({ ...series, value: values[index] ?? 0 }))
          .filter(({ value }) => value > 0)
          .toReversed()
          .map(
            ({ label, color, value }) =>
              html`<dt><i class="chart-swatch" data-color=${color}></i>${label}</dt>
                <dd>${this.format(value)}</dd>`,
          )}
        <dt class="chart-total">${this.total}</dt>
        <dd class="chart-total">${this.format(values.reduce((sum, value) => sum + value, 0))}</dd>
      </dl>
    </div>`;
  }

  async #draw(): Promise<void> {
    const drawing = ++this.#drawing;
    const { drawPlot } = await import("./chart-plot.ts");
    const place = this.querySelector<HTMLElement>(".chart-plot");
    if (drawing !== this.#drawing || !place || place.clientWidth === 0) return;
    this.#plot?.destroy();
    this.point = undefined;
    const data = {
      columns: this.columns.map(({ short }) => short),
      series: this.series.map(({ values }) => values),
      format: this.format,
    };
    this.#plot = drawPlot(place, data, this.#readInk(place), (point) => (this.point = point));
    this.#resizing.observe(place);
  }

  /** Colours as the styles give them now: a canvas does not know the page's variables. */
  #readInk(place: HTMLElement) {
    const { color, borderBlockStartColor, fontFamily } = getComputedStyle(place);
    const swatches = [...this.querySelectorAll(".chart-legend .chart-swatch")];
    return {
      text: color,
      line: borderBlockStartColor,
      font: `12px ${fontFamily}`,
      series: swatches.map((swatch) => getComputedStyle(swatch).backgroundColor),
    };
  }
}

customElements.define("chela-chart", Chart);
