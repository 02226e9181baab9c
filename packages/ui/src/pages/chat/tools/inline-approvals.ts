// Commands of this conversation that wait for a yes, right above where one types.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../../app/part.ts";
import "../../../parts/approval-card.ts";

class InlineApprovals extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, sessionKey: { attribute: false } };
  declare sessionKey: string;
  readonly #pending = this.asking(() => ({ method: "exec.approval.list", params: {}, topics: ["approvals"] }));

  override render(): TemplateResult | typeof nothing {
    const mine = (this.#pending.value?.pending ?? []).filter(({ request }) => request.sessionKey === this.sessionKey);
    if (mine.length === 0) return nothing;
    return html`<div
      class="chat-approvals"
      role="region"
      aria-live="assertive"
      aria-label=${this.pageTitle("approvals")}
    >
      <h2 class="seen-by-readers">${this.pageTitle("approvals")}</h2>
      ${repeat(
        mine,
        ({ id }) => id,
        (approval) => html`<chela-approval-card .world=${this.world} .approval=${approval}></chela-approval-card>`,
      )}
    </div>`;
  }
}

customElements.define("chela-inline-approvals", InlineApprovals);
