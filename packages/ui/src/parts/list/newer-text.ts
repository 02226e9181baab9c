// Says that a text was changed elsewhere while somebody edited it here, and lets them compare and choose.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import type { Draft } from "../../settings/drafts.ts";
import { Watching } from "../../state/live.ts";
import { icon } from "../icon.ts";
import "../dialog.ts";
import "../editor/diff-view.ts";

/** `<chela-newer-text .world .draft says>`: empty as long as nobody else changed the text. */
class NewerText extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    draft: { attribute: false },
    says: {},
    isComparing: { state: true },
  };
  declare draft: Draft<string>;
  declare says: string;
  declare isComparing: boolean;
  readonly #watching = new Watching(this);

  constructor() {
    super();
    this.isComparing = false;
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.#watching.show(this.draft.now, this.draft.newer);
  }

  override render(): TemplateResult {
    return html`<div role="status">${this.draft.newer.value ? this.#renderChoice() : nothing}</div>
      ${this.#renderComparison()}`;
  }

  #renderChoice(): TemplateResult {
    const { draft } = this;
    const words = this.words("app");
    return html`<div class="banner warn newer-text">
      ${icon("warning")}
      <p>${this.says}</p>
      <div class="row wrap">
        <button class="button small" @click=${() => (this.isComparing = true)}>${words.compare}</button>
        <button class="button small" @click=${() => draft.discard()}>${words.takeTheirs}</button>
        <button class="button small" @click=${() => draft.rebase(draft.now.value)}>${words.keepMine}</button>
      </div>
    </div>`;
  }

  #renderComparison(): TemplateResult {
    const { draft } = this;
    const words = this.words("app");
    const content = (): TemplateResult =>
      html`<chela-diff
        .oldText=${draft.newer.value?.content ?? draft.base}
        .newText=${draft.now.value}
        label=${words.difference}
        same=${words.noDifference}
      ></chela-diff>`;
    return html`<chela-dialog
      class="wide"
      .isOpen=${this.isComparing}
      label=${words.difference}
      closeLabel=${words.close}
      .content=${content}
      @dialog-close=${() => (this.isComparing = false)}
    ></chela-dialog>`;
  }
}

customElements.define("chela-newer-text", NewerText);
