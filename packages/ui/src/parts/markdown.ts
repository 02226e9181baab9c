// Markdown on the page: the tree of the sdk as templates. No string ever becomes HTML.
import { parseMarkdown, type Block, type Inline } from "@chela/sdk/markdown";
import { html, nothing, type TemplateResult } from "lit";
import "./code-block.ts";

/** What links may lead to; others are shown as the text they are. */
const SAFE_LINK = /^(?:https?:|mailto:|tel:)/i;

export function renderMarkdown(text: string): TemplateResult {
  return html`<div class="prose">${parseMarkdown(text).map(renderBlock)}</div>`;
}

function renderBlock(block: Block): TemplateResult {
  switch (block.kind) {
    case "paragraph":
      return html`<p>${renderInline(block.inline)}</p>`;
    case "heading":
      return renderHeading(block.level, renderInline(block.inline));
    case "code":
      return html`<chela-code-block .text=${block.text} .language=${block.language ?? ""}></chela-code-block>`;
    case "quote":
      return html`<blockquote>${block.blocks.map(renderBlock)}</blockquote>`;
    case "list":
      return block.start === undefined
        ? html`<ul>
            ${block.items.map(renderItem)}
          </ul>`
        : html`<ol start=${block.start}>
            ${block.items.map(renderItem)}
          </ol>`;
    case "table":
      return html`<div class="prose-table" tabindex="0" role="group">
        <table>
          <thead>
            <tr>
              ${block.header.map((cell) => html`<th scope="col">${renderInline(cell)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${block.rows.map(
              (row) =>
                html`<tr>
                  ${row.map((cell) => html`<td>${renderInline(cell)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
    case "rule":
      return html`<hr />`;
  }
}

/** Headings of a message stand below those of the page. */
function renderHeading(level: number, words: unknown): TemplateResult {
  if (level <= 1) return html`<h3 class="prose-h1">${words}</h3>`;
  if (level === 2) return html`<h4 class="prose-h2">${words}</h4>`;
  return html`<h5 class="prose-h3">${words}</h5>`;
}

function renderItem(item: { readonly isChecked?: boolean; readonly blocks: readonly Block[] }): TemplateResult {
  const box =
    item.isChecked === undefined
      ? nothing
      : html`<input type="checkbox" disabled .checked=${item.isChecked} aria-label=${item.isChecked ? "✓" : "–"} /> `;
  const [only, ...more] = item.blocks;
  // A tight list has no paragraphs around its words.
  if (only?.kind === "paragraph" && more.every(({ kind }) => kind === "list")) {
    return html`<li>${box}${renderInline(only.inline)}${more.map(renderBlock)}</li>`;
  }
  return html`<li>${box}${item.blocks.map(renderBlock)}</li>`;
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
