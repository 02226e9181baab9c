// Lines of Markdown: where fences begin and end, and how list items and quotes are written over several lines.

export interface Line {
  readonly text: string;
  /** Where it begins in the source. */
  readonly start: number;
  /** Inside or at the end of a fence; the line that opens one is still outside. */
  readonly isInFence: boolean;
}

export interface Fence {
  /** Quote marks and indentation of its lines. */
  readonly prefix: string;
  /** Its backticks or tildes. */
  readonly mark: string;
  readonly language: string;
}

const OPENING = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})(.*)$/;
const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;

export function* scanLines(source: string): Generator<Line> {
  let open: Fence | undefined;
  let start = 0;
  while (start <= source.length) {
    const newline = source.indexOf("\n", start);
    const end = newline < 0 ? source.length : newline;
    const text = source.slice(start, end);
    yield { text, start, isInFence: open !== undefined };
    open = fenceAfter(text, open);
    start = end + 1;
  }
}

/** The fence that is open after a line, given the one that was open before it. */
export function fenceAfter(line: string, open: Fence | undefined): Fence | undefined {
  if (open !== undefined) return CLOSING.exec(line)?.[1]?.startsWith(open.mark) === true ? undefined : open;
  const [, prefix = "", mark = "", info = ""] = OPENING.exec(line) ?? [];
  if (mark === "" || (mark.startsWith("`") && info.includes("`"))) return undefined;
  return { prefix: prefix.replace(/[^>\s]/g, " "), mark, language: info.trim().split(/\s/, 1)[0] ?? "" };
}

/** `• text`, indented by its depth, with further lines below the first. For dialects without lists of their own. */
export function writeListItem(marker: string, inner: string, depth: number): string {
  const indent = "  ".repeat(depth);
  const below = indent + " ".repeat(marker.length + 1);
  return `${indent}${marker} ${inner.replaceAll("\n", `\n${below}`)}`;
}

/** `> ` before each line. */
export function writeQuote(inner: string): string {
  return inner
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}
