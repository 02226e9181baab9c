// Markdown as the HTML Telegram reads: a handful of tags, everything else escaped or put into words.
import { parseMarkdown, renderBlocks, writeListItem, type Dialect, type TableMode } from "@chela/sdk/markdown";

/** What one message holds at most, counted without the tags. */
const MAX_TEXT = 4096;
/** What we put into one: a little less. */
export const TEXT_LIMIT = 4000;
export const MAX_CAPTION = 1024;

/** Falls back to tables that were measured, when those asked for would make the text too long. */
export function toHtml(markdown: string, tables: TableMode = "code"): string {
  const html = render(markdown, tables);
  return tables !== "code" && withoutTags(html).length > MAX_TEXT ? render(markdown, "code") : html;
}

/** What people see: the text without any marks. */
export function visibleText(markdown: string, tables: TableMode = "code"): string {
  return withoutTags(toHtml(markdown, tables));
}

/** Telegram counts UTF-16 units of what is seen. */
export function measure(markdown: string): number {
  return visibleText(markdown).length;
}

function render(markdown: string, tables: TableMode): string {
  return renderBlocks(parseMarkdown(clean(markdown)), { ...DIALECT, tables });
}

/** Half characters and control characters are refused or dropped on the way, and would make our count wrong. */
function clean(markdown: string): string {
  // eslint-disable-next-line no-control-regex
  return markdown.toWellFormed().replace(/[\u0000-\u0008\u000b-\u001f\u007f\u2028\u2029]/g, " ");
}

const ESCAPES: ReadonlyArray<readonly [string, string]> = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
];

function escapeHtml(text: string): string {
  return ESCAPES.reduce((escaped, [character, written]) => escaped.replaceAll(character, written), text);
}

/** Of what we wrote ourselves: every < that is left begins a tag. */
function withoutTags(html: string): string {
  const escaped = html.replace(/<[^>]*>/g, "");
  return ESCAPES.reduceRight((text, [character, written]) => text.replaceAll(written, character), escaped);
}

const DIALECT: Dialect = {
  text: escapeHtml,
  bold: (inner) => `<b>${inner}</b>`,
  italic: (inner) => `<i>${inner}</i>`,
  strike: (inner) => `<s>${inner}</s>`,
  spoiler: (inner) => `<tg-spoiler>${inner}</tg-spoiler>`,
  codeSpan: (code) => `<code>${escapeHtml(code)}</code>`,
  link: writeLink,
  image: (alt, href) => writeLink(escapeHtml(alt.trim() || "image"), href),
  heading: (_level, inner) => `<b>${inner}</b>`,
  codeBlock: (code, language) => `<pre>${withLanguage(escapeHtml(code), language)}</pre>`,
  // Quotes cannot be nested.
  quote: (inner) => `<blockquote>${inner.replace(/<\/?blockquote>/g, "")}</blockquote>`,
  listItem: writeListItem,
  rule: () => "———",
};

function writeLink(label: string, href: string): string {
  return isWebAddress(href) ? `<a href="${escapeHtml(href)}">${label}</a>` : `${label} (${escapeHtml(href)})`;
}

function withLanguage(code: string, language: string | undefined): string {
  const name = language?.match(/^[\w+#.-]{1,30}/)?.[0];
  return name ? `<code class="language-${name}">${code}</code>` : code;
}

function isWebAddress(href: string): boolean {
  const url = URL.parse(href);
  return url !== null && ["http:", "https:"].includes(url.protocol);
}
