// Draws stacked columns with uPlot. Loaded when the first chart is shown.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export interface PlotInk {
  readonly text: string;
  readonly line: string;
  readonly font: string;
  /** One for each series. */
  readonly series: readonly string[];
}

export interface PlotPoint {
  readonly index: number;
  /** Middle and width of its column, from the left edge of the plot. */
  readonly center: number;
  readonly width: number;
}

export interface PlotData {
  readonly columns: readonly string[];
  /** The lowest first. */
  readonly series: ReadonlyArray<readonly number[]>;
  format(value: number): string;
}

const STEPS = [1, 2, 3, 5, 7, 10, 14, 21, 30, 60, 90, 180, 365];
const CHAR_PX = 6.6;
/** Room above the highest column. */
const HEADROOM = 1.06;

export function drawPlot(
  place: HTMLElement,
  data: PlotData,
  ink: PlotInk,
  onPoint: (point: PlotPoint | undefined) => void,
): { resize(): void; destroy(): void } {
  const count = data.columns.length;
  const bars = uPlot.paths.bars?.({ size: [0.68, 44, 1], radius: [0.16, 0] });
  const size = () => ({ width: place.clientWidth, height: place.clientHeight });
  // The highest is drawn first, and those below it over it.
  const fills = ink.series.toReversed();
  const plot = new uPlot(
    {
      ...size(),
      padding: [8, 4, 0, 0],
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
      scales: {
        x: { time: false, range: [-0.5, count - 0.5] },
        y: { range: (_plot, _min, max) => [0, max > 0 ? max * HEADROOM : 1] },
      },
      axes: [
        {
          stroke: ink.text,
          font: ink.font,
          grid: { show: false },
          ticks: { show: false },
          incrs: STEPS,
          space: 70,
          gap: 8,
          size: 30,
          values: (_plot, splits) => splits.map((at) => data.columns[at] ?? ""),
        },
        {
          stroke: ink.text,
          font: ink.font,
          grid: { stroke: ink.line, width: 1 },
          ticks: { show: false },
          space: 44,
          gap: 8,
          size: (_plot, values) => Math.max(...(values ?? [""]).map((text) => text.length)) * CHAR_PX + 14,
          values: (_plot, splits) => splits.map((value) => data.format(value)),
        },
      ],
      series: [
        {},
        ...fills.map((fill) => ({ fill, width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) })),
      ],
      hooks: { setCursor: [(self) => onPoint(pointOf(self, count))] },
    },
    [data.columns.map((_, at) => at), ...stacked(data.series).toReversed()],
    place,
  );
  return { resize: () => plot.setSize(size()), destroy: () => plot.destroy() };
}

function pointOf(plot: uPlot, count: number): PlotPoint | undefined {
  const index = plot.cursor.idx;
  if (index === null || index === undefined || (plot.cursor.left ?? -1) < 0) return undefined;
  const left = plot.bbox.left / devicePixelRatio;
  return { index, center: left + plot.valToPos(index, "x"), width: plot.bbox.width / devicePixelRatio / count };
}

/** Each series stands on those before it. Nothing is drawn for nothing, so that no edge of it shines through. */
function stacked(series: PlotData["series"]): Array<Array<number | null>> {
  const heights: number[] = [];
  return series.map((values) =>
    values.map((value, at) => {
      heights[at] = (heights[at] ?? 0) + value;
      return value > 0 ? heights[at] : null;
    }),
  );
}
