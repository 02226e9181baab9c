// Says that the file was changed elsewhere while somebody edits it here, and offers both ways on.
import { html, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { ConfigWords } from "./form-context.ts";

export function renderNewer(
  words: ConfigWords,
  ways: { readonly reapply: () => void; readonly discard: () => void },
): TemplateResult {
  return html`<div class="banner warn config-newer" role="alert">
    ${icon("warning")}<span>${words.changedMeanwhile}</span>
    <button class="button small" @click=${ways.reapply}>${words.reapply}</button>
    <button class="button small quiet" @click=${ways.discard}>${words.discardMine}</button>
  </div>`;
}
