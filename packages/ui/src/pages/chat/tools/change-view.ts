// Lines that were changed, as a list with signs and colours.
import { html, nothing, type TemplateResult } from "lit";
import "../../../parts/editor/diff-view.css";
import type { ChangeLine } from "./change-lines.ts";

const SIGNS = { gone: "−", new: "+", same: "" } as const;

export function renderChanges(lines: readonly ChangeLine[], label: string): TemplateResult {
  return html`<div class="diff mono" role="region" tabindex="0" aria-label=${label}>${lines.map(renderLine)}</div>`;
}

function renderLine(line: ChangeLine, at: number): TemplateResult | typeof nothing {
  switch (line.kind) {
    case "file":
      return html`<div class="chat-tool-diff-file">${line.text}</div>`;
    case "gap":
      return at === 0 && line.text === "" ? nothing : html`<div class="diff-gap">${line.text || "⋯"}</div>`;
    case "gone":
      return renderText(line, html`<del>${line.text}</del>`);
    case "new":
      return renderText(line, html`<ins>${line.text}</ins>`);
    case "same":
      return renderText(line, html`<span>${line.text}</span>`);
  }
}

function renderText(
  { kind, number }: Extract<ChangeLine, { kind: keyof typeof SIGNS }>,
  text: TemplateResult,
): TemplateResult {
  return html`<div class="diff-line" data-kind=${kind}>
    <i aria-hidden="true">${number ?? ""}</i><b aria-hidden="true">${SIGNS[kind]}</b>${text}
  </div>`;
}
