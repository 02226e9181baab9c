// A block of code: highlighted once the highlighter is there, readable before; with a button that copies it.
import { html, LitElement, type PropertyDeclarations, type TemplateResult } from "lit";
import { icon } from "../icon.ts";

type Highlight = (text: string, language: string) => unknown;

/** Long listings are shown as they are: colours are not worth a frozen page. */
const MOST_CHARS = 40_000;

let highlighting: Promise<Highlight> | undefined;
let highlight: Highlight | undefined;

function loadHighlight(): Promise<Highlight> {
  highlighting ??= import("./highlight.ts").then((loaded) => (highlight = loaded.highlight));
  return highlighting;
}

class CodeBlock extends LitElement {
  static override properties: PropertyDeclarations = {
    text: { attribute: false },
    language: { attribute: false },
    isCopied: { state: true },
  };
  declare text: string;
  declare language: string;
  declare isCopied: boolean;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render(): TemplateResult {
    const wantsColour = this.language !== "" && this.text.length <= MOST_CHARS;
    if (wantsColour && !highlight) void loadHighlight().then(() => this.requestUpdate());
    const shown = wantsColour && highlight ? highlight(this.text, this.language) : this.text;
    return html`<figure class="code">
      <figcaption>
        <span>${this.language}</span>
        <button class="button quiet small" aria-label="Copy" @click=${() => void this.#copy()}>
          ${icon(this.isCopied ? "check" : "copy")}
        </button>
      </figcaption>
      <pre tabindex="0"><code>${shown}</code></pre>
    </figure>`;
  }

  async #copy(): Promise<void> {
    await navigator.clipboard.writeText(this.text);
    this.isCopied = true;
    setTimeout(() => (this.isCopied = false), 1500);
  }
}

customElements.define("chela-code-block", CodeBlock);
