// The file itself as text: checked while it is typed, compared before it is saved.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import type { Editor } from "../../parts/editor/editor.ts";
import { Watching } from "../../state/live.ts";
import { draftsOf } from "../../settings/drafts.ts";
import { askDiscard } from "./ask-discard.ts";
import { renderNewer } from "./newer-banner.ts";
import { refusalOf } from "./refusal.ts";
import { TextCheck, type Checked } from "./text-check.ts";
import "../../parts/dialog.ts";
import "../../parts/editor/diff-view.ts";
import "../../parts/editor/editor.ts";

type Issue = Checked["issues"][number];

class ConfigRaw extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    isReviewing: { state: true },
    isSaving: { state: true },
    refusal: { state: true },
  };
  declare isReviewing: boolean;
  declare isSaving: boolean;
  declare refusal: string | undefined;
  readonly #watching = new Watching(this);
  #check: TextCheck | undefined;

  constructor() {
    super();
    this.isReviewing = false;
    this.isSaving = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#check = new TextCheck(this.world.wire);
    const { raw } = draftsOf(this.world);
    if (raw.now.value !== "") this.#check.soon(raw.now.value);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#check?.stop();
  }

  override render(): TemplateResult {
    const words = this.words("config");
    const { raw } = draftsOf(this.world);
    const check = this.#check;
    if (check) this.#watching.show(raw.now, raw.newer, check.result, check.isBusy);
    const issues = check?.result.value?.issues ?? [];
    return html`<div class="config-raw">
        <chela-editor
          .value=${raw.now.value}
          .language=${"json"}
          .label=${words.rawLabel}
          .problems=${issues}
          @editor-change=${(event: CustomEvent<string>) => this.#changed(event.detail)}
        ></chela-editor>
        <aside class="config-raw-side">${this.#renderCheck(check?.result.value)}</aside>
      </div>
      <div class="config-foot">
        ${
          raw.newer.value
            ? renderNewer(words, { reapply: () => void this.#reapply(), discard: () => void this.#discard() })
            : nothing
        }
        ${raw.isEdited ? this.#renderBar() : nothing}
      </div>
      <chela-dialog
        class="wide"
        .isOpen=${this.isReviewing}
        label=${words.review}
        closeLabel=${this.words("app").close}
        .content=${() => this.#renderReview()}
        @dialog-close=${() => (this.isReviewing = false)}
      ></chela-dialog>`;
  }

  #renderCheck(checked: Checked | undefined): TemplateResult {
    const words = this.words("config");
    const errors = checked?.issues.filter(({ level }) => level === "error") ?? [];
    const warnings = checked?.issues.filter(({ level }) => level === "warning") ?? [];
    const notes = checked?.notes ?? [];
    const state = this.#check?.isBusy.value
      ? words.checking
      : !checked
        ? ""
        : errors.length > 0
          ? words.errors(errors.length)
          : words.looksGood;
    return html`<p
        class="config-verdict"
        role="status"
        data-kind=${checked?.ok ? "good" : errors.length > 0 ? "bad" : "none"}
      >
        ${state}
      </p>
      <ul class="config-issues">
        ${[...errors, ...warnings].map((issue) => this.#renderIssue(issue))}
      </ul>
      ${
        notes.length > 0
          ? html`<details class="config-notes">
              <summary>${words.notes(notes.length)}</summary>
              <ul>
                ${notes.map(({ path }) => html`<li><code>${path}</code></li>`)}
              </ul>
            </details>`
          : nothing
      }
      <p class="hint">${words.secretsInRaw}</p>`;
  }

  #renderIssue(issue: Issue): TemplateResult {
    const words = this.words("config");
    const { line, path, message, level } = issue;
    const text = html`${path ? html`<code>${path}</code> ` : nothing}<span>${message}</span>`;
    return html`<li data-level=${level}>
      ${icon(level === "error" ? "warning" : "info")}
      <div>
        ${text}
        ${
          line === undefined
            ? nothing
            : html`<button class="button quiet small" @click=${() => this.#jump(line, issue.column)}>
                ${words.line(line)}
              </button>`
        }
      </div>
    </li>`;
  }

  #renderBar(): TemplateResult {
    const words = this.words("config");
    return html`<div class="config-bar" role="region" aria-label=${words.unsaved}>
      <span role="status">${words.unsaved}</span>
      <button class="button quiet" @click=${() => void this.#discard()}>${words.discard}</button>
      <button class="button primary" @click=${() => this.#review()}>${words.reviewAndSave}</button>
    </div>`;
  }

  #renderReview(): TemplateResult {
    const words = this.words("config");
    const { raw } = draftsOf(this.world);
    const isWrong = this.#check?.result.value?.ok === false;
    return html`<chela-diff
        .oldText=${raw.base}
        .newText=${raw.now.value}
        label=${words.review}
        same=${words.noDifference}
      ></chela-diff>
      ${isWrong ? html`<p class="problem">${words.fixFirst}</p>` : nothing}
      ${this.refusal ? html`<p class="problem" role="alert">${this.refusal}</p>` : nothing}
      <footer class="dialog-foot">
        <button class="button" @click=${() => (this.isReviewing = false)}>${this.words("app").cancel}</button>
        <button
          class="button primary"
          ?disabled=${this.isSaving || isWrong || raw.newer.value !== undefined}
          @click=${() => void this.#save()}
        >
          ${this.words("app").save}
        </button>
      </footer>`;
  }

  #changed(text: string): void {
    draftsOf(this.world).raw.now.set(text);
    this.#check?.soon(text);
  }

  #jump(line: number, column: number | undefined): void {
    this.querySelector<Editor>("chela-editor")?.jumpTo(line, column);
  }

  #review(): void {
    this.refusal = undefined;
    this.isReviewing = true;
  }

  async #discard(): Promise<void> {
    if (!(await askDiscard(this.world))) return;
    const { raw } = draftsOf(this.world);
    raw.discard();
    this.#check?.soon(raw.now.value);
  }

  /** The same lines are changed in the newer text, if they can be found there. */
  async #reapply(): Promise<void> {
    const { raw } = draftsOf(this.world);
    const newer = raw.newer.value;
    if (!newer) return;
    const { applyPatch, structuredPatch } = await import("diff");
    const patch = structuredPatch("", "", raw.base, raw.now.value);
    const edited = applyPatch(newer.content, patch, { fuzzFactor: 2 });
    if (edited === false) return this.world.notices.complain(this.words("config").cannotReapply);
    raw.rebase(edited);
    this.#check?.soon(edited);
  }

  async #save(): Promise<void> {
    const words = this.words("config");
    const { raw } = draftsOf(this.world);
    this.isSaving = true;
    try {
      const result = await this.world.wire.call("config.apply", { raw: raw.now.value, baseHash: raw.hash });
      raw.written();
      this.isReviewing = false;
      this.world.notices.say(result.restart?.applied?.restart ? words.savedRestarts : words.saved);
    } catch (error) {
      const { isConflict, message } = refusalOf(error);
      this.refusal = isConflict ? words.changedMeanwhile : message;
    } finally {
      this.isSaving = false;
      this.dispatchEvent(new CustomEvent("config-saved", { bubbles: true }));
    }
  }
}

customElements.define("chela-config-raw", ConfigRaw);
