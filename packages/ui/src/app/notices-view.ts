// Shows the notices at the edge of the page, and the question that needs a yes.
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icon.ts";
import { Watching } from "../state/live.ts";
import type { Notice } from "./notices.ts";
import { Part } from "./part.ts";
import "../parts/dialog.ts";

class NoticesView extends Part {
  readonly #watching = new Watching(this);

  override render(): TemplateResult {
    const { notices } = this.world;
    this.#watching.show(notices.all, notices.question);
    return html`<div class="notices" role="region" aria-live="polite" aria-label=${this.words("app").dismiss}>
        ${repeat(
          notices.all.value,
          ({ id }) => id,
          (notice) => this.#renderNotice(notice),
        )}
      </div>
      ${this.#renderQuestion()}`;
  }

  #renderNotice(notice: Notice): TemplateResult {
    const { notices } = this.world;
    const { action } = notice;
    return html`<div class="notice ${notice.tone}" role=${notice.tone === "bad" ? "alert" : "status"}>
      ${icon(notice.tone === "bad" ? "warning" : "check")}
      <span>${notice.text}</span>
      ${action ? html`<button class="button small" @click=${() => this.#act(notice)}>${action.label}</button>` : nothing}
      <button
        class="button quiet square small"
        aria-label=${this.words("app").dismiss}
        @click=${() => notices.dismiss(notice.id)}
      >
        ${icon("close")}
      </button>
    </div>`;
  }

  /** What was done about it needs no notice any more. */
  #act({ id, action }: Notice): void {
    this.world.notices.dismiss(id);
    action?.run();
  }

  #renderQuestion(): TemplateResult {
    const words = this.words("app");
    const question = this.world.notices.question.value;
    const content = (): TemplateResult =>
      html`<p>${question?.text}</p>
        <footer class="dialog-foot">
          <button class="button" @click=${() => question?.answer(false)}>${words.cancel}</button>
          <button class="button ${question?.isDangerous ? "danger" : "primary"}" @click=${() => question?.answer(true)}>
            ${question?.yes}
          </button>
        </footer>`;
    return html`<chela-dialog
      .isOpen=${question !== undefined}
      label=${question?.title ?? ""}
      closeLabel=${words.close}
      .content=${content}
      @dialog-close=${() => question?.answer(false)}
    ></chela-dialog>`;
  }
}

customElements.define("chela-notices", NoticesView);
