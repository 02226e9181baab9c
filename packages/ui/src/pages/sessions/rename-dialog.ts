// Asks for a session's name.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { wordsOf } from "../../wire/failure.ts";
import type { SessionRow } from "./filter.ts";
import "../../parts/dialog.ts";

/** `<chela-session-rename .world .row @dialog-close>`: open while there is a row. */
class SessionRename extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    row: { attribute: false },
    problem: { state: true },
  };
  declare row: SessionRow | undefined;
  declare problem: string | undefined;

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("row")) this.problem = undefined;
  }

  override updated(changed: Map<string, unknown>): void {
    if (!changed.has("row") || !this.row) return;
    void this.querySelector<HTMLElement & { updateComplete: Promise<boolean> }>("chela-dialog")?.updateComplete.then(
      () => this.querySelector("input")?.select(),
    );
  }

  override render(): TemplateResult {
    return html`<chela-dialog
      .isOpen=${this.row !== undefined}
      label=${this.words("sessions").rename}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("sessions");
    const { problem } = this;
    return html`<form class="form" @submit=${(event: SubmitEvent) => void this.#save(event)}>
      <label class="field">
        <span>${words.name}</span>
        <input
          class="input"
          name="label"
          maxlength="64"
          autocomplete="off"
          autofocus
          aria-invalid=${problem === undefined ? nothing : "true"}
          aria-describedby="sessions-name-hint"
          .value=${this.row?.label ?? ""}
        />
        ${
          problem === undefined
            ? html`<span class="hint" id="sessions-name-hint">${words.nameHint}</span>`
            : html`<span class="problem" id="sessions-name-hint" role="alert">${problem}</span>`
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
    const { row } = this;
    if (!row) return;
    const label = String(new FormData(event.target as HTMLFormElement).get("label") ?? "").trim();
    try {
      await this.world.wire.call("sessions.patch", { key: row.key, label: label || null });
      this.#close();
    } catch (error) {
      this.problem = wordsOf(error);
    }
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-session-rename", SessionRename);
