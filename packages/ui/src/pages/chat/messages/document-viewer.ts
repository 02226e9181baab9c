// Shows HTML that an agent made, in a frame with an origin of its own that reaches nothing.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import "../../../parts/dialog.ts";
import "./message-media.css";

/** `<chela-document-viewer .world .name .html @viewer-close>` */
class DocumentViewer extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    name: { attribute: false },
    html: { attribute: false },
  };
  declare name: string;
  declare html: string;
  readonly #listen = (event: MessageEvent): void => this.#heard(event);

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("message", this.#listen);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("message", this.#listen);
  }

  override render(): TemplateResult {
    return html`<chela-dialog
      class="chat-document-viewer wide"
      .isOpen=${true}
      label=${this.name}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderFrame()}
      @dialog-close=${() => this.dispatchEvent(new CustomEvent("viewer-close"))}
    ></chela-dialog>`;
  }

  #renderFrame(): TemplateResult {
    return html`<p class="hint">${this.words("conversation").viewerHint}</p>
      <iframe title=${this.name} sandbox="allow-scripts" src="./viewer.html" referrerpolicy="no-referrer"></iframe>`;
  }

  #heard({ source, data }: MessageEvent): void {
    const frame = this.querySelector("iframe")?.contentWindow;
    if (!frame || source !== frame || (data as { type?: unknown } | null)?.type !== "chela.viewer.ready") return;
    // The frame's origin is opaque, so it cannot be named; the window is the one made above.
    frame.postMessage({ type: "chela.viewer.show", html: this.html }, "*");
  }
}

customElements.define("chela-document-viewer", DocumentViewer);
