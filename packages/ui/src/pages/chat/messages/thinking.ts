// Thoughts of a model before it spoke: there for whoever wants to see them.
import { html, type TemplateResult } from "lit";
import { icon } from "../../../parts/icon.ts";
import { renderMarkdown } from "../../../parts/editor/markdown.ts";

export function renderThinking(text: string, title: string, isOpen: boolean): TemplateResult {
  return html`<details class="thinking" ?open=${isOpen}>
    <summary>${icon("thinking")}<span>${title}</span></summary>
    ${renderMarkdown(text)}
  </details>`;
}
