// Markdown as Signal shows it: plain text, and ranges that say what of it is bold, italic and so on.
import { parseMarkdown, plainDialect, renderBlocks, type Dialect, type TableMode } from "@chela/sdk/markdown";

/** Longer texts arrive as a file. */
export const TEXT_LIMIT = 2000;

export interface StyledText {
  readonly text: string;
  /** `start:length:STYLE`, counted in UTF-16 units. */
  readonly styles: readonly string[];
}

const STYLES = ["BOLD", "ITALIC", "STRIKETHROUGH", "MONOSPACE", "SPOILER"] as const;
type Style = (typeof STYLES)[number];

// While the text is put together, control characters say where a style begins and ends. None of them is left of the source.
const OPENERS = "\u0001\u0002\u0003\u0004\u0005";
const CLOSERS = "\u000e\u000f\u0010\u0011\u0012";
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

const clean = (text: string): string => text.toWellFormed().replace(CONTROL, "");

function styled(style: Style, inner: string): string {
  const index = STYLES.indexOf(style);
  return `${OPENERS[index]}${inner}${CLOSERS[index]}`;
}

function describe(label: string, href: string): string {
  const target = clean(href);
  const plain = clean(label).trim();
  // A label that says the same as its address is enough.
  return plainDialect.link(plain, target) === plain ? label : plainDialect.link(label, target);
}

const DIALECT: Dialect = {
  ...plainDialect,
  text: clean,
  bold: (inner) => styled("BOLD", inner),
  italic: (inner) => styled("ITALIC", inner),
  strike: (inner) => styled("STRIKETHROUGH", inner),
  spoiler: (inner) => styled("SPOILER", inner),
  codeSpan: (code) => styled("MONOSPACE", clean(code)),
  codeBlock: (code) => styled("MONOSPACE", clean(code)),
  link: describe,
  image: (alt, href) => plainDialect.image(clean(alt), clean(href)),
  heading: (_level, inner) => styled("BOLD", inner),
};

export function toStyledText(markdown: string, tables: TableMode = "code"): StyledText {
  return collectStyles(renderBlocks(parseMarkdown(markdown), { ...DIALECT, tables }));
}

export function measure(markdown: string): number {
  return toStyledText(markdown).text.length;
}

function collectStyles(marked: string): StyledText {
  const styles: string[] = [];
  const open: number[][] = STYLES.map(() => []);
  let text = "";
  // eslint-disable-next-line no-control-regex
  for (const piece of marked.split(/([\u0001-\u0005\u000e-\u0012])/)) {
    const opens = piece.length === 1 ? OPENERS.indexOf(piece) : -1;
    const closes = piece.length === 1 ? CLOSERS.indexOf(piece) : -1;
    if (opens >= 0) open[opens]?.push(text.length);
    else if (closes >= 0) {
      const start = open[closes]?.pop();
      // Bold in bold is bold once.
      if (start === undefined || open[closes]?.length || start === text.length) continue;
      styles.push(`${start}:${text.length - start}:${STYLES[closes]}`);
    } else text += piece;
  }
  return { text, styles };
}
