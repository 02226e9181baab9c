// Shows a secret that was just made, once, to be taken away.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import "../../parts/dialog.ts";

/** `<chela-automation-secret .world .secret .heading .how .label @dialog-close>`: open while there is a secret. */
class SecretDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    secret: { attribute: false },
    heading: { attribute: false },
    how: { attribute: false },
    label: { attribute: false },
  };
  declare secret: string | undefined;
  declare heading: string;
  declare how: string;
  declare label: string;

  override render(): TemplateResult {
    return html`<chela-dialog
      .isOpen=${this.secret !== undefined}
      label=${this.heading}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderContent(this.secret ?? "")}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderContent(secret: string): TemplateResult {
    const words = this.words("automation");
    const copy = (): Promise<boolean> => this.attempt(() => navigator.clipboard.writeText(secret), words.copied);
    return html`<div class="stack">
      <p>${this.how}</p>
      <div class="row">
        <input class="input mono" readonly aria-label=${this.label} .value=${secret} />
        <button class="button" @click=${() => void copy()}>${icon("copy")}${this.words("app").copy}</button>
      </div>
      <div class="dialog-foot">
        <button class="button primary" @click=${() => this.#close()}>${words.tokenDone}</button>
      </div>
    </div>`;
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-automation-secret", SecretDialog);
