// Diff of two texts, line by line, as one list: taken away, added, and a little of what is around.
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { StructuredPatch, StructuredPatchHunk } from "diff";
import "./diff-view.css";

type MakePatch = (before: string, after: string) => StructuredPatch;

const CONTEXT_LINES = 3;

/** `<chela-diff .oldText .newText label same>`: `same` is said when there is no difference. */
class DiffView extends LitElement {
  static override properties: PropertyDeclarations = {
    oldText: { attribute: false },
    newText: { attribute: false },
    label: {},
    same: {},
    makePatch: { state: true },
  };
  declare oldText: string;
  declare newText: string;
  declare label: string;
  declare same: string;
  declare makePatch: MakePatch | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override firstUpdated(): void {
    void import("diff").then(({ structuredPatch }) => {
      this.makePatch = (before, after) =>
        structuredPatch("", "", before, after, undefined, undefined, { context: CONTEXT_LINES });
    });
  }

  override render(): TemplateResult {
    if (!this.makePatch) return html`<div class="waiting" role="status" aria-busy="true"><span></span></div>`;
    const { hunks } = this.makePatch(withEnd(this.oldText), withEnd(this.newText));
    if (hunks.length === 0) return html`<p class="muted">${this.same}</p>`;
    return html`<div class="diff mono" role="region" tabindex="0" aria-label=${this.label}>
      ${hunks.map((hunk, at) => html`${at > 0 ? html`<div class="diff-gap" aria-hidden="true">⋯</div>` : nothing}${renderHunk(hunk)}`)}
    </div>`;
  }
}

/** A missing end of the last line is not worth telling. */
function withEnd(text: string): string {
  return text.endsWith("\n") || text === "" ? text : `${text}\n`;
}

function renderHunk(hunk: StructuredPatchHunk): TemplateResult[] {
  let before = hunk.oldStart;
  let after = hunk.newStart;
  return hunk.lines.map((line) => {
    const mark = line[0];
    const text = line.slice(1);
    if (mark === "-") return renderLine("gone", before++, html`<del>${text}</del>`);
    if (mark === "+") return renderLine("new", after++, html`<ins>${text}</ins>`);
    before += 1;
    return renderLine("same", after++, html`<span>${text}</span>`);
  });
}

function renderLine(kind: "gone" | "new" | "same", number: number, text: TemplateResult): TemplateResult {
  const sign = { gone: "−", new: "+", same: "" }[kind];
  return html`<div class="diff-line" data-kind=${kind}>
    <i aria-hidden="true">${number}</i><b aria-hidden="true">${sign}</b>${text}
  </div>`;
}

customElements.define("chela-diff", DiffView);
