// Markdown as Matrix shows it: a plain text, and beside it HTML of the few tags clients allow.
import {
  parseMarkdown,
  plainText,
  renderBlocks,
  writeListItem,
  type Dialect,
  type TableMode,
} from "@chela/sdk/markdown";

export const TEXT_LIMIT = 16_000;
/** What text and HTML may need as JSON, so that the event stays below 65 536 bytes even when it is encrypted. */
const MAX_BYTES = 44_000;

export interface MatrixText {
  readonly body: string;
  /** Absent when it would say no more than the body. */
  readonly html?: string;
}

export function write(markdown: string, tables?: TableMode): MatrixText {
  const written = render(markdown, tables);
  const isTooLong = tables !== undefined && sizeOf(written) > TEXT_LIMIT;
  return isTooLong ? render(markdown, undefined) : written;
}

/** Characters of the text; more when its bytes or its marks are what fills the event. */
export function measure(markdown: string): number {
  return sizeOf(render(markdown, undefined));
}

function sizeOf(written: MatrixText): number {
  const bytes = Buffer.byteLength(JSON.stringify([written.body, written.html ?? ""]));
  return Math.max(written.body.length, Math.ceil((bytes * TEXT_LIMIT) / MAX_BYTES));
}

function render(markdown: string, tables: TableMode | undefined): MatrixText {
  const source = clean(markdown);
  const body = plainText(source);
  const html = renderBlocks(parseMarkdown(source), tables ? { ...DIALECT, tables } : DIALECT);
  return html === `<p>${asHtml(body)}</p>` || html === "" ? { body } : { body, html };
}

/** Half characters and control characters are no part of any text, and some servers refuse them. */
function clean(markdown: string): string {
  // eslint-disable-next-line no-control-regex
  return markdown.toWellFormed().replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, " ");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function asHtml(text: string): string {
  return escapeHtml(text).replaceAll("\n", "<br>");
}

const DIALECT: Dialect = {
  text: asHtml,
  bold: (inner) => `<strong>${inner}</strong>`,
  italic: (inner) => `<em>${inner}</em>`,
  strike: (inner) => `<del>${inner}</del>`,
  spoiler: (inner) => `<span data-mx-spoiler>${inner}</span>`,
  codeSpan: (code) => `<code>${escapeHtml(code)}</code>`,
  link: writeLink,
  image: (alt, href) => writeLink(escapeHtml(alt.trim() || "image"), href),
  heading: (level, inner) => `<h${clampLevel(level)}>${inner}</h${clampLevel(level)}>`,
  codeBlock: (code, language) => `<pre><code${languageClass(language)}>${escapeHtml(code)}\n</code></pre>`,
  quote: (inner) => `<blockquote>${inner}</blockquote>`,
  listItem: writeListItem,
  list: writeList,
  rule: () => "<hr>",
  table: writeTable,
  paragraph: (inner) => `<p>${inner}</p>`,
  lineBreak: () => "<br>",
  blockSeparator: "",
};

/** What clients may open; other addresses are shown as they are. */
const SCHEMES = new Set(["https:", "http:", "ftp:", "mailto:", "magnet:"]);

function writeLink(label: string, href: string): string {
  const url = URL.parse(href);
  const isAllowed = url !== null && SCHEMES.has(url.protocol);
  // A link in a link's label is no HTML.
  const plain = label.replace(/<\/?a\b[^>]*>/g, "");
  return isAllowed ? `<a href="${escapeHtml(href)}">${plain}</a>` : `${plain} (${escapeHtml(href)})`;
}

function clampLevel(level: number): number {
  return Math.min(6, Math.max(1, Math.trunc(level) || 1));
}

function languageClass(language: string | undefined): string {
  const name = language?.match(/^[\w+#.-]{1,30}/)?.[0];
  return name ? ` class="language-${name}"` : "";
}

function writeList(items: readonly string[], start: number | undefined): string {
  const written = items.map((item) => `<li>${unwrapped(item)}</li>`).join("");
  if (start === undefined) return `<ul>${written}</ul>`;
  return start === 1 ? `<ol>${written}</ol>` : `<ol start="${Math.trunc(start)}">${written}</ol>`;
}

/** A paragraph alone in an item would only make it taller. */
function unwrapped(item: string): string {
  const inner = /^([☐☑] )?<p>(.*)<\/p>$/su.exec(item);
  return inner && !inner[2]?.includes("<p>") ? `${inner[1] ?? ""}${inner[2]}` : item;
}

function writeTable(header: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const row = (cells: readonly string[], tag: "th" | "td"): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const body = rows.map((cells) => row(cells, "td")).join("");
  return `<table><thead>${row(header, "th")}</thead>${body ? `<tbody>${body}</tbody>` : ""}</table>`;
}
