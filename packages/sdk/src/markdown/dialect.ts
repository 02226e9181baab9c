// Type of a channel's mark-up, so that any tree can be written in it.

/** `off` leaves a table as lines with | between the cells. */
export type TableMode = "off" | "bullets" | "code";

/**
 * How a channel writes each thing. What is handed in as `inner` and `label` is written in the dialect already and never
 * empty; what is handed in as `text`, `alt` and `href` is not escaped yet. A line break of the source is "\n" in a text.
 */
export interface Dialect {
  text(text: string): string;
  bold(inner: string): string;
  italic(inner: string): string;
  strike(inner: string): string;
  spoiler(inner: string): string;
  codeSpan(text: string): string;
  link(label: string, href: string): string;
  image(alt: string, href: string): string;
  heading(level: number, inner: string): string;
  codeBlock(text: string, language: string | undefined): string;
  quote(inner: string): string;
  /** `marker` is •, 1., ☐ or ☑. `writeListItem` does for most; what is nested follows on lines of its own. */
  listItem(marker: string, inner: string, depth: number): string;
  rule(): string;
  /** For dialects that have tables, from cells in the dialect. Others get what `tables` says. */
  table?(header: readonly string[], rows: ReadonlyArray<readonly string[]>): string;
  /** What becomes of tables: the channel's `markdown.tables`. Without it `table`, and without that "code". */
  readonly tables?: TableMode;
  /** For dialects that have lists: instead of `listItem`, with all blocks of each item in it. */
  list?(items: readonly string[], start: number | undefined): string;
  /** The text as it is, if left out. */
  paragraph?(inner: string): string;
  /** A hard line break; "\n" if left out. */
  lineBreak?(): string;
  /** Between blocks; an empty line if left out. */
  readonly blockSeparator?: string;
}
