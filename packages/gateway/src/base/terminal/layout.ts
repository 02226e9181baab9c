// Lines that are easy to read, also aloud: columns, ages, amounts.

export { cleanForTerminal } from "./clean-text.ts";

const INDENT = "  ";
const GAP = "  ";
const MIN_TEXT = 24;

/** Two columns; the second is wrapped, or put below on narrow terminals. */
export function alignRows(rows: ReadonlyArray<readonly [string, string]>, columns: number): string[] {
  const width = Math.min(30, Math.max(...rows.map(([name]) => name.length)));
  const left = INDENT.length + width + GAP.length;
  if (columns - left < MIN_TEXT) {
    return rows.flatMap(([name, text]) => [
      `${INDENT}${name}`,
      ...wrapLines(text, columns - 6).map((line) => `      ${line}`),
    ]);
  }
  return rows.flatMap(([name, text]) => {
    const [first = "", ...rest] = wrapLines(text, columns - left);
    const following = rest.map((line) => " ".repeat(left) + line);
    if (name.length <= width) return [`${INDENT}${name.padEnd(width)}${GAP}${first}`.trimEnd(), ...following];
    return [`${INDENT}${name}`, " ".repeat(left) + first, ...following];
  });
}

/** A plain table; the last column is not padded. */
export function formatTable(written: ReadonlyArray<readonly string[]>, indent = ""): string[] {
  // A line break within a cell would begin a row that nobody wrote.
  const rows = written.map((row) => row.map((cell) => cell.replace(/\s*[\n\t]\s*/g, " ")));
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, visibleLength(cell))));
  return rows.map((row) =>
    (
      indent +
      row.map((cell, index) => (index === row.length - 1 ? cell : padVisible(cell, widths[index] ?? 0))).join(GAP)
    ).trimEnd(),
  );
}

// oxlint-disable-next-line no-control-regex -- colour codes begin with a control character
const COLOUR_CODES = /\u001b\[[\d;]+m/g;

function visibleLength(text: string): number {
  return text.replace(COLOUR_CODES, "").length;
}

function padVisible(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - visibleLength(text)));
}

export function wrapText(text: string, columns: number): string {
  return wrapLines(text, columns).join("\n");
}

function wrapLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return count(Math.round(hours / 24), "day");
}

export function formatAge(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "never";
  return ms < 5000 ? "just now" : `${formatDuration(ms)} ago`;
}

/** "2026-01-02 03:04 UTC" */
export function formatTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function formatTokens(amount: number): string {
  if (amount < 1000) return String(amount);
  if (amount < 999_500) return `${(amount / 1000).toFixed(amount < 9950 ? 1 : 0)}k`;
  return `${(amount / 1_000_000).toFixed(1)}M`;
}

export function formatBytes(amount: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  let size = amount;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
}

/** "1 session", "2 sessions" */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
