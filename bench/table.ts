// Lays figures out as aligned text, beside those of a peer when there is one.
import { describeLimits, judge, summaryOf, type Figure } from "./figure.ts";

const HEAD = ["metric", "unit", "median", "p95", "spread", "CPU ms", "target", ""];
const PEER_HEAD = ["peer", "peer/chela"];
/** Words read from the left, numbers line up on the right. */
const LEFT = new Set(["metric", "unit", "target", ""]);

export function formatTable(figures: readonly Figure[], peer: readonly Figure[] = []): string {
  const head = peer.length > 0 ? [...HEAD, ...PEER_HEAD] : HEAD;
  const rows = figures.map((figure) => [
    ...cellsOf(figure),
    ...(peer.length > 0
      ? peerCells(
          figure,
          peer.find(({ metric }) => metric === figure.metric),
        )
      : []),
  ]);
  const lines = alignColumns([head, ...rows], head);
  const rule = "─".repeat(Math.max(...lines.map((line) => line.length)));
  const notes = [...figures, ...peer.map((one) => ({ ...one, metric: `peer: ${one.metric}` }))]
    .filter(({ note }) => note)
    .map(({ metric, note }) => `  ${metric}: ${note}`);
  return [lines[0], rule, ...lines.slice(1), ...(notes.length > 0 ? ["", "Notes", ...notes] : [])].join("\n");
}

function cellsOf(figure: Figure): string[] {
  const summary = summaryOf(figure);
  const single = figure.samples.length === 1;
  return [
    figure.metric,
    figure.unit,
    summary ? formatNumber(summary.median) : "n/a",
    summary && !single ? formatNumber(summary.p95) : "",
    summary && !single ? formatNumber(summary.spread) : "",
    figure.cpuMs === undefined ? "" : formatNumber(figure.cpuMs),
    describeLimits(figure.limits),
    judge(figure),
  ];
}

function peerCells(figure: Figure, peer: Figure | undefined): string[] {
  const own = summaryOf(figure);
  const other = peer && summaryOf(peer);
  if (!other) return ["n/a", ""];
  return [formatNumber(other.median), own ? formatNumber(other.median / own.median) : ""];
}

function alignColumns(rows: readonly (readonly string[])[], head: readonly string[]): string[] {
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return LEFT.has(head[column] ?? "") ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** Three figures that matter, never an exponent. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "n/a";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}
