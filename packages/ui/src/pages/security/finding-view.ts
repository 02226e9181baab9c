// One finding: what is weak, what may happen, where, and what to do about it.
import { html, nothing, type TemplateResult } from "lit";
import { writeRoute } from "../../app/route.ts";
import type { World } from "../../app/world.ts";
import type { Finding } from "../../state/security-audit.ts";
import { renderAdvice } from "./advice.ts";
import { sectionOf } from "./finding-place.ts";

export interface FindingContext {
  readonly world: World;
  /** The one somebody came for. */
  readonly wanted: string | undefined;
  isBusy(id: string): boolean;
  fix(finding: Finding): void;
}

export function renderFinding(finding: Finding, context: FindingContext): TemplateResult {
  const words = context.world.words.of("security");
  const { id, severity, title, risk, where, fix } = finding;
  return html`<li
    class="security-finding"
    data-severity=${severity}
    data-id=${id}
    ?data-wanted=${id === context.wanted}
    tabindex="-1"
  >
    <div class="security-finding-head">
      <div>
        <h4>${title}</h4>
        <p class="security-risk">${risk}</p>
      </div>
      ${renderWay(finding, context)}
    </div>
    <dl class="pairs security-facts">
      <dt>${words.where}</dt>
      <dd><code>${where}</code></dd>
      <dt>${words.whatToDo}</dt>
      <dd>${renderAdvice(fix, context.world)}</dd>
    </dl>
  </li>`;
}

/** The button that ends it, or the way to where that can be done. */
function renderWay(finding: Finding, { world, isBusy, fix }: FindingContext): TemplateResult | typeof nothing {
  const words = world.words.of("security");
  if (finding.fixable) {
    const busy = isBusy(finding.id);
    return html`<button
      class="button small"
      aria-label=${words.fixThis(finding.title)}
      ?disabled=${busy}
      @click=${() => fix(finding)}
    >
      ${busy ? words.fixing : words.fix}
    </button>`;
  }
  const section = sectionOf(finding);
  if (section === undefined || !world.wire.has("config.get")) return nothing;
  return html`<a
    class="button quiet small"
    aria-label=${words.settingsFor(finding.title)}
    href=${writeRoute("config", [section])}
    >${words.settings}</a
  >`;
}
