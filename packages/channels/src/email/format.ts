// Markdown as a mail has it: as plain text, and beside it as HTML that loads nothing from elsewhere.
import { parseMarkdown, plainText, renderBlocks, type Dialect } from "@chela/sdk/markdown";

export function toText(markdown: string): string {
  return plainText(clean(markdown));
}

export function toHtml(markdown: string): string {
  return `<!DOCTYPE html>\n<html><body>\n${renderBlocks(parseMarkdown(clean(markdown)), DIALECT)}\n</body></html>\n`;
}

export function measure(markdown: string): number {
  return toText(markdown).length;
}

const MOST_SUBJECT = 80;

/** The first line, for a mail that begins a thread. */
export function toSubject(markdown: string): string {
  const [line = ""] = toText(markdown).trim().split("\n", 1);
  const words = line.replace(/[\p{C}\s]+/gu, " ").trim();
  if (words.length <= MOST_SUBJECT) return words || "Message";
  const cut = words.slice(0, MOST_SUBJECT - 1).replace(/[\ud800-\udbff]$/, "");
  const lastBlank = cut.lastIndexOf(" ");
  return `${lastBlank > MOST_SUBJECT / 2 ? cut.slice(0, lastBlank) : cut}…`;
}

function clean(markdown: string): string {
  // eslint-disable-next-line no-control-regex
  return markdown.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const inText = (text: string): string => escapeHtml(text).replaceAll("\n", "<br>\n");

const DIALECT: Dialect = {
  text: inText,
  bold: (inner) => `<b>${inner}</b>`,
  italic: (inner) => `<i>${inner}</i>`,
  strike: (inner) => `<s>${inner}</s>`,
  spoiler: (inner) => inner,
  codeSpan: (text) => `<code>${escapeHtml(text)}</code>`,
  link: writeLink,
  // A picture from elsewhere would tell its owner when the mail is read.
  image: (alt, href) => writeLink(escapeHtml(alt.trim() || "image"), href),
  heading: (level, inner) => `<h${clampLevel(level)}>${inner}</h${clampLevel(level)}>`,
  codeBlock: (text) => `<pre><code>${escapeHtml(text)}</code></pre>`,
  quote: (inner) => `<blockquote>${inner}</blockquote>`,
  listItem: (_marker, inner) => `<li>${inner}</li>`,
  list: writeList,
  paragraph: (inner) => `<p>${inner}</p>`,
  lineBreak: () => "<br>\n",
  rule: () => "<hr>",
  table: writeTable,
  blockSeparator: "\n",
};

function clampLevel(level: number): number {
  return Math.min(Math.max(Math.trunc(level), 1), 6);
}

function writeLink(label: string, href: string): string {
  const url = URL.parse(href);
  const isSafe = url !== null && ["http:", "https:", "mailto:"].includes(url.protocol);
  // A picture in a link became a link itself, and links cannot be nested.
  const words = label.replace(/<\/?a\b[^>]*>/g, "");
  return isSafe ? `<a href="${escapeHtml(href)}">${words}</a>` : `${label} (${escapeHtml(href)})`;
}

function writeList(items: readonly string[], start: number | undefined): string {
  const tag = start === undefined ? "ul" : "ol";
  const from = start === undefined || start === 1 ? "" : ` start="${Math.trunc(start)}"`;
  return `<${tag}${from}>\n${items.map((item) => `<li>${item}</li>`).join("\n")}\n</${tag}>`;
}

function writeTable(header: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const row = (cells: readonly string[], tag: "td" | "th"): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const lines = [row(header, "th"), ...rows.map((cells) => row(cells, "td"))];
  return `<table border="1" cellpadding="4" style="border-collapse:collapse">\n${lines.join("\n")}\n</table>`;
}
