// The bar that says what is not saved yet, the look at the changes before, and the one patch that makes them.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodResult } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { Watching } from "../../state/live.ts";
import { draftsOf } from "../../settings/drafts.ts";
import { formatPath } from "../../settings/json-place.ts";
import { askDiscard } from "./ask-discard.ts";
import { renderNewer } from "./newer-banner.ts";
import { refusalOf, type Refusal } from "./refusal.ts";
import { renderChanges } from "./review.ts";
import { rootSpot } from "./schema.ts";
import "../../parts/dialog.ts";

class SaveForm extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    reference: { attribute: false },
    isReviewing: { state: true },
    isSaving: { state: true },
    refusal: { state: true },
  };
  declare reference: MethodResult<"config.schema">;
  declare isReviewing: boolean;
  declare isSaving: boolean;
  declare refusal: Refusal | undefined;
  readonly #watching = new Watching(this);
  /** What the gateway did not take. */
  #refused: unknown;

  constructor() {
    super();
    this.isReviewing = false;
    this.isSaving = false;
  }

  override render(): TemplateResult {
    const words = this.words("config");
    const { form } = draftsOf(this.world);
    this.#watching.show(form.now, form.newer, form.wrong);
    const count = form.changes().length;
    return html`${
        form.newer.value
          ? renderNewer(words, { reapply: () => form.reapply(), discard: () => void this.#discard() })
          : nothing
      }
      ${count > 0 ? this.#renderBar(count) : nothing}
      <chela-dialog
        class="wide"
        .isOpen=${this.isReviewing && count > 0}
        label=${words.review}
        closeLabel=${this.words("app").close}
        .content=${() => this.#renderReview()}
        @dialog-close=${() => (this.isReviewing = false)}
      ></chela-dialog>`;
  }

  #renderBar(count: number): TemplateResult {
    const words = this.words("config");
    return html`<div class="config-bar" role="region" aria-label=${words.unsaved}>
      <span role="status">${words.changes(count)}</span>
      <button class="button quiet" @click=${() => void this.#discard()}>${words.discard}</button>
      <button class="button primary" @click=${() => this.#review()}>${words.reviewAndSave}</button>
    </div>`;
  }

  #renderReview(): TemplateResult {
    const words = this.words("config");
    const { form } = draftsOf(this.world);
    const stuck = form.unpatchable();
    const wrong = [...form.wrong.value];
    const cannotBe = stuck.length > 0 || wrong.length > 0 || this.#isRefused || form.newer.value !== undefined;
    return html`${renderChanges(form.changes(), rootSpot(this.reference.schema), words)}
      ${stuck.length > 0 ? html`<p class="problem">${words.cannotPatch(stuck.map(formatPath).join(", "))}</p>` : nothing}
      ${wrong.length > 0 ? this.#renderWrong(wrong) : nothing}
      ${this.refusal ? this.#renderRefusal(this.refusal) : nothing}
      <footer class="dialog-foot">
        <button class="button" @click=${() => (this.isReviewing = false)}>${this.words("app").cancel}</button>
        <button class="button primary" ?disabled=${this.isSaving || cannotBe} @click=${() => void this.#save()}>
          ${this.words("app").save}
        </button>
      </footer>`;
  }

  #renderWrong(wrong: ReadonlyArray<readonly [name: string, why: string]>): TemplateResult {
    return html`<div class="problem config-refusal" role="alert">
      <p>${this.words("config").correctFirst}</p>
      <ul>
        ${wrong.map(([name, why]) => html`<li><code>${name}</code> ${why}</li>`)}
      </ul>
    </div>`;
  }

  /** The gateway has said what is wrong, and nothing was changed since. */
  get #isRefused(): boolean {
    const { refusal } = this;
    return refusal !== undefined && refusal.issues.length > 0 && this.#refused === draftsOf(this.world).form.now.value;
  }

  #renderRefusal({ isConflict, message, issues }: Refusal): TemplateResult {
    const words = this.words("config");
    if (isConflict) return html`<p class="problem" role="alert">${words.changedMeanwhile}</p>`;
    return html`<div class="problem config-refusal" role="alert">
      <p>${words.refused}</p>
      ${
        issues.length > 0
          ? html`<ul>
              ${issues.map(({ path, message }) => html`<li><code>${path}</code> ${message}</li>`)}
            </ul>`
          : html`<p>${message}</p>`
      }
    </div>`;
  }

  #review(): void {
    if (!this.#isRefused) this.refusal = undefined;
    this.isReviewing = true;
  }

  async #discard(): Promise<void> {
    if (!(await askDiscard(this.world))) return;
    draftsOf(this.world).form.discard();
    this.#tellProblems(undefined);
  }

  async #save(): Promise<void> {
    const words = this.words("config");
    const { form } = draftsOf(this.world);
    this.isSaving = true;
    try {
      const raw = JSON.stringify(form.patch());
      const result = await this.world.wire.call("config.patch", { raw, baseHash: form.hash });
      form.written();
      this.isReviewing = false;
      this.#tellProblems(undefined);
      this.world.notices.say(result.restart?.applied?.restart ? words.savedRestarts : words.saved);
      this.dispatchEvent(new CustomEvent("config-saved", { bubbles: true }));
    } catch (error) {
      this.refusal = refusalOf(error);
      this.#refused = form.now.value;
      this.#tellProblems(this.refusal);
    } finally {
      this.isSaving = false;
    }
  }

  /** The fields show what is said about them; after a conflict the new version is read. */
  #tellProblems(refusal: Refusal | undefined): void {
    this.dispatchEvent(new CustomEvent<Refusal | undefined>("config-refused", { detail: refusal, bubbles: true }));
  }
}

customElements.define("chela-config-save", SaveForm);
