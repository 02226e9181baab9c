// A picture of a conversation: fetched when it comes into view, and opened large with a click.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { icon } from "../../../parts/icon.ts";
import "../../../parts/dialog.ts";
import { wordsOf } from "../../../wire/failure.ts";
import { BlobUrl } from "../../../conversations/blob-url.ts";
import { MOST_UNASKED_BYTES } from "./media-kind.ts";
import "./message-media.css";

/** `<chela-picture .world .name .bytes .fetchBlob>` */
class PictureView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    name: { attribute: false },
    bytes: { attribute: false },
    fetchBlob: { attribute: false },
    isLarge: { state: true },
    problem: { state: true },
  };
  declare name: string;
  declare bytes: number;
  declare fetchBlob: () => Promise<Blob>;
  declare isLarge: boolean;
  declare problem: string | undefined;
  readonly #blob = new BlobUrl(this);
  #isAsking = false;

  constructor() {
    super();
    this.isLarge = false;
  }

  override firstUpdated(): void {
    if (this.bytes <= MOST_UNASKED_BYTES) void this.#fetch();
  }

  override render(): TemplateResult {
    const words = this.words("conversation");
    const { url } = this.#blob;
    if (this.problem !== undefined) return this.#renderProblem(this.problem);
    if (url === undefined) return this.#renderWait();
    return html`<button
        class="chat-picture"
        aria-label=${words.openPicture(this.name)}
        title=${this.name}
        @click=${() => (this.isLarge = true)}
      >
        <img src=${url} alt=${this.name} />
      </button>
      ${
        this.isLarge
          ? html`<chela-dialog
              class="chat-picture-large"
              .isOpen=${true}
              label=${this.name}
              closeLabel=${this.words("app").close}
              .content=${() => html`<img src=${url} alt=${this.name} />`}
              @dialog-close=${() => (this.isLarge = false)}
            ></chela-dialog>`
          : nothing
      }`;
  }

  #renderWait(): TemplateResult {
    const words = this.words("conversation");
    if (this.bytes <= MOST_UNASKED_BYTES || this.#isAsking) {
      return html`<span class="chat-picture-wait" role="status" aria-busy="true" aria-label=${this.name}></span>`;
    }
    return html`<button class="button small" @click=${() => void this.#fetch()}>
      ${icon("image")}${words.showPicture(this.world.words.bytes(this.bytes))}
    </button>`;
  }

  #renderProblem(problem: string): TemplateResult {
    return html`<p class="chat-media-problem">
      ${icon("image")}<span>${problem}</span>
      <button class="button small" @click=${() => void this.#fetch()}>${this.words("app").retry}</button>
    </p>`;
  }

  async #fetch(): Promise<void> {
    this.#isAsking = true;
    this.problem = undefined;
    this.requestUpdate();
    try {
      this.#blob.show(await this.fetchBlob());
    } catch (error) {
      this.problem = wordsOf(error);
    }
    this.#isAsking = false;
  }
}

customElements.define("chela-picture", PictureView);
