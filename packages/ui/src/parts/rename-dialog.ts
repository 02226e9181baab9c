// Asks what something shall be called.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../app/part.ts";
import { wordsOf } from "../wire/failure.ts";
import "./dialog.ts";

/** A name that may be changed, and how that is asked for. */
export interface Renaming {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly current: string;
  readonly longest: number;
  readonly mayBeEmpty?: true;
  /** Throws when it cannot be; what it says is shown. */
  save(name: string): Promise<unknown>;
}

/** `<chela-rename .world .renaming @dialog-close>`: open while there is something to rename. */
class RenameDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    renaming: { attribute: false },
    problem: { state: true },
  };
  declare renaming: Renaming | undefined;
  declare problem: string | undefined;
  #isOpen = false;

  override willUpdate(): void {
    if (this.#isOpen !== (this.renaming !== undefined)) this.problem = undefined;
  }

  override updated(): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = this.renaming !== undefined;
    if (wasOpen || !this.#isOpen) return;
    void this.querySelector<HTMLElement & { updateComplete: Promise<boolean> }>("chela-dialog")?.updateComplete.then(
      () => this.querySelector("input")?.select(),
    );
  }

  override render(): TemplateResult {
    return html`<chela-dialog
      .isOpen=${this.renaming !== undefined}
      label=${this.renaming?.title ?? ""}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult | typeof nothing {
    const { renaming, problem } = this;
    if (!renaming) return nothing;
    return html`<form class="form" @submit=${(event: SubmitEvent) => void this.#save(event)}>
      <label class="field">
        <span>${renaming.label}</span>
        <input
          class="input"
          name="name"
          maxlength=${renaming.longest}
          autocomplete="off"
          ?required=${!renaming.mayBeEmpty}
          autofocus
          aria-invalid=${problem === undefined ? nothing : "true"}
          aria-describedby="rename-hint"
          .value=${renaming.current}
        />
        ${
          problem === undefined
            ? html`<span class="hint" id="rename-hint">${renaming.hint}</span>`
            : html`<span class="problem" id="rename-hint" role="alert">${problem}</span>`
        }
      </label>
      <footer class="dialog-foot">
        <button type="button" class="button" @click=${() => this.#close()}>${this.words("app").cancel}</button>
        <button class="button primary">${this.words("app").save}</button>
      </footer>
    </form>`;
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name") ?? "").trim();
    try {
      await this.renaming?.save(name);
      this.#close();
    } catch (error) {
      this.problem = wordsOf(error);
    }
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-rename", RenameDialog);
