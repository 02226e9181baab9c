// A window over the page: the browser's own dialog, which keeps the keyboard inside and closes with Escape.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { LitElement } from "lit";
import { icon } from "./icon.ts";

/**
 * `<chela-dialog .isOpen label closeLabel .content=${() => html`…`} @dialog-close>`: the content is rendered while it is open.
 */
class Dialog extends LitElement {
  static override properties: PropertyDeclarations = {
    isOpen: { attribute: false },
    label: {},
    closeLabel: {},
    content: { attribute: false },
  };
  declare isOpen: boolean;
  declare label: string;
  declare closeLabel: string;
  declare content: () => TemplateResult;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override updated(): void {
    const dialog = this.querySelector("dialog");
    if (!dialog) return;
    if (this.isOpen && !dialog.open) dialog.showModal();
    if (!this.isOpen && dialog.open) dialog.close();
  }

  override render(): TemplateResult {
    return html`<dialog
      class="dialog"
      aria-label=${this.label}
      @close=${() => this.#closed()}
      @click=${(event: MouseEvent) => this.#clicked(event)}
    >
      ${
        this.isOpen
          ? html`<header class="dialog-head">
                <h2>${this.label}</h2>
                <button class="button quiet square" aria-label=${this.closeLabel} @click=${() => this.#closed()}>
                  ${icon("close")}
                </button>
              </header>
              <div class="dialog-body">${this.content()}</div>`
          : ""
      }
    </dialog>`;
  }

  /** A click beside the window means: away with it. */
  #clicked(event: MouseEvent): void {
    if (event.target instanceof HTMLDialogElement) this.#closed();
  }

  #closed(): void {
    if (this.isOpen) this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-dialog", Dialog);
