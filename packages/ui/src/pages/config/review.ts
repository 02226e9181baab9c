// The changes of the form before they are saved: each key with what it was and what it will be.
import { html, nothing, type TemplateResult } from "lit";
import type { ConfigWords } from "./form-context.ts";
import { formatPath } from "../../settings/json-place.ts";
import type { Change } from "../../settings/merge-patch.ts";
import { spotAt, type Spot } from "./schema.ts";
import { hideSecrets, showValue } from "./show-value.ts";

export function renderChanges(changes: readonly Change[], root: Spot, words: ConfigWords): TemplateResult {
  return html`<div class="config-changes" role="region" tabindex="0" aria-label=${words.review}>
    <ul>
      ${changes.map((change) => renderChange(change, root, words))}
    </ul>
  </div>`;
}

function renderChange({ path, before, after }: Change, root: Spot, words: ConfigWords): TemplateResult {
  const spot = spotAt(root, path);
  const show = (value: unknown): string => showValue(hideSecrets(value, spot));
  return html`<li>
    <code>${formatPath(path)}</code>
    <div class="config-change mono">
      ${before === undefined ? nothing : html`<del>${show(before)}</del>`}
      ${after === undefined ? html`<ins class="muted">${words.backToDefault}</ins>` : html`<ins>${show(after)}</ins>`}
    </div>
  </li>`;
}
