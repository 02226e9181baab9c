// Markdown on the page: the tree of the sdk as templates. No string ever becomes HTML.
import { parseMarkdown, type Block, type Inline } from "@chela/sdk/markdown";
import { html, nothing, type TemplateResult } from "lit";
import "./code-block.ts";

/** What links may lead to; others are shown as the text they are. */
const SAFE_LINK = /^(?:https?:|mailto:|tel:)/i;

/** Levels of the headings in a text, the highest first. */
type Levels = readonly number[];

export function renderMarkdown(text: string): TemplateResult {
  const blocks = parseMarkdown(text);
  const levels = new Set(blocks.flatMap((block) => (block.kind === "heading" ? [block.level] : [])));
  return html`<div class="prose">${renderBlocks(blocks, [...levels].toSorted())}</div>`;
}

function renderBlocks(blocks: readonly Block[], levels: Levels): TemplateResult[] {
  return blocks.map((block) => renderBlock(block, levels));
}

function renderBlock(block: Block, levels: Levels): TemplateResult {
  switch (block.kind) {
    case "paragraph":
      return html`<p dir="auto">${renderInline(block.inline)}</p>`;
    case "heading":
      return renderHeading(block.level, levels, renderInline(block.inline));
    case "code":
      return html`<chela-code-block .text=${block.text} .language=${block.language ?? ""}></chela-code-block>`;
    case "quote":
      return html`<blockquote>${renderBlocks(block.blocks, levels)}</blockquote>`;
    case "list":
      return block.start === undefined
        ? html`<ul>
            ${block.items.map((item) => renderItem(item, levels))}
          </ul>`
        : html`<ol start=${block.start}>
            ${block.items.map((item) => renderItem(item, levels))}
          </ol>`;
    case "table":
      return html`<div class="prose-table" tabindex="0" role="group">
        <table>
          <thead>
            <tr>
              ${block.header.map((cell, at) => renderHeaderCell(cell, block.align?.[at]))}
            </tr>
          </thead>
          <tbody>
            ${block.rows.map(
              (row) =>
                html`<tr>
                  ${row.map((cell, at) => html`<td data-align=${block.align?.[at] ?? nothing} dir="auto">${renderInline(cell)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
    case "rule":
      return html`<hr />`;
  }
}

/** The corner of a table is often empty, which is no name for a column. */
function renderHeaderCell(cell: readonly Inline[], align: string | undefined): TemplateResult {
  return cell.length === 0
    ? html`<td></td>`
    : html`<th scope="col" data-align=${align ?? nothing} dir="auto">${renderInline(cell)}</th>`;
}

/** Headings of a message stand below those of the page, and none is left out between them, whatever the model began with. */
function renderHeading(level: number, levels: Levels, words: unknown): TemplateResult {
  const look = `prose-h${Math.min(level, 3)}`;
  const above = levels.filter((other) => other < level).length;
  if (above === 0) return html`<h3 class=${look} dir="auto">${words}</h3>`;
  if (above === 1) return html`<h4 class=${look} dir="auto">${words}</h4>`;
  return html`<h5 class=${look} dir="auto">${words}</h5>`;
}

function renderItem(
  item: { readonly isChecked?: boolean; readonly blocks: readonly Block[] },
  levels: Levels,
): TemplateResult {
  const box =
    item.isChecked === undefined
      ? nothing
      : html`<input type="checkbox" disabled .checked=${item.isChecked} aria-label=${item.isChecked ? "✓" : "–"} /> `;
  const kind = item.isChecked === undefined ? nothing : "task";
  const [only, ...more] = item.blocks;
  // A tight list has no paragraphs around its words.
  if (only?.kind === "paragraph" && more.every(({ kind }) => kind === "list")) {
    const words = html`<span class="prose-words">${renderInline(only.inline)}</span>`;
    return html`<li class=${kind} dir="auto">${box}${words}${renderBlocks(more, levels)}</li>`;
  }
  return html`<li class=${kind} dir="auto">${box}${renderBlocks(item.blocks, levels)}</li>`;
}

function renderInline(all: readonly Inline[]): unknown {
  return all.map((one) => {
    switch (one.kind) {
      case "text":
        return one.text;
      case "bold":
        return html`<strong>${renderInline(one.inline)}</strong>`;
      case "italic":
        return html`<em>${renderInline(one.inline)}</em>`;
      case "strike":
        return html`<s>${renderInline(one.inline)}</s>`;
      case "spoiler":
        return html`<details class="spoiler">
          <summary>…</summary>
          ${renderInline(one.inline)}
        </details>`;
      case "code":
        return html`<code>${one.text}</code>`;
      case "break":
        return html`<br />`;
      case "link":
        return renderLink(one.href, renderInline(one.inline));
      case "image":
        // Loading a stranger's picture would tell them that the message was read.
        return renderLink(one.href, one.alt || one.href);
    }
  });
}

function renderLink(href: string, words: unknown): unknown {
  if (!SAFE_LINK.test(href.trim())) return html`${words}`;
  return html`<a href=${href} target="_blank" rel="noopener noreferrer nofollow">${words}</a>`;
}
