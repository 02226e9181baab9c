// A text as a picture that another device can scan. What draws it is loaded when it is first needed.
import { html, LitElement, svg, type PropertyDeclarations, type TemplateResult } from "lit";

/** Light squares around the code, without which readers do not find it. */
const MARGIN = 4;

/** `<chela-qr-code text label>` */
class QrCode extends LitElement {
  static override properties: PropertyDeclarations = { text: {}, label: {}, squares: { state: true } };
  declare text: string;
  declare label: string;
  declare squares: readonly (readonly boolean[])[] | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("text")) void this.#draw(this.text);
  }

  override render(): TemplateResult {
    const { squares } = this;
    if (!squares) return html`<div class="devices-qr"></div>`;
    const size = squares.length + 2 * MARGIN;
    return html`<svg class="devices-qr" viewBox="0 0 ${size} ${size}" role="img" aria-label=${this.label}>
      ${svg`<path d=${pathOf(squares)} />`}
    </svg>`;
  }

  async #draw(text: string): Promise<void> {
    const { encode } = await import("uqr");
    if (text === this.text) this.squares = encode(text, { border: 0 }).data;
  }
}

/** One stroke for each row's run of dark squares. */
function pathOf(squares: readonly (readonly boolean[])[]): string {
  return squares
    .flatMap((row, y) =>
      row.flatMap((isDark, x) => {
        if (!isDark || row[x - 1]) return [];
        const end = row.indexOf(false, x);
        const length = (end < 0 ? row.length : end) - x;
        return [`M${x + MARGIN} ${y + MARGIN}h${length}v1h-${length}z`];
      }),
    )
    .join("");
}

customElements.define("chela-qr-code", QrCode);
