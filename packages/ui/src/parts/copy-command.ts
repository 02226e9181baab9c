// A command in a sentence, with a button that copies it.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../app/part.ts";
import { icon } from "./icon.ts";
import "./copy-command.css";

const SHOWN_MS = 1500;

/** `<chela-copy-command .world .text label>`: the label says what the button does. */
class CopyCommand extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    text: { attribute: false },
    label: {},
    isCopied: { state: true },
  };
  declare text: string;
  declare label: string;
  declare isCopied: boolean;

  override render(): TemplateResult {
    const label = this.isCopied ? this.words("app").copied : this.label;
    return html`<code>${this.text}</code
      ><button
        type="button"
        class="button quiet square small"
        aria-label=${label}
        title=${label}
        @click=${() => void this.#copy()}
      >
        ${icon(this.isCopied ? "check" : "copy")}
      </button>`;
  }

  async #copy(): Promise<void> {
    if (!(await this.attempt(() => navigator.clipboard.writeText(this.text)))) return;
    this.isCopied = true;
    setTimeout(() => (this.isCopied = false), SHOWN_MS);
  }
}

customElements.define("chela-copy-command", CopyCommand);
