// A file of a message that is not a picture: played, viewed or downloaded when somebody wants it.
import type { MediaBlock } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { icon } from "../../../parts/icon.ts";
import { BlobUrl, downloadBlob } from "../../../conversations/blob-url.ts";
import { mediaKindOf } from "./media-kind.ts";
import { shelfOf } from "./blob-shelf.ts";
import "./document-viewer.ts";
import "./message-media.css";

/** `<chela-media-file .world .media>` */
class MediaFile extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    media: { attribute: false },
    document: { state: true },
    isBusy: { state: true },
  };
  declare media: MediaBlock;
  /** The text of the document that is being viewed. */
  declare document: string | undefined;
  declare isBusy: boolean;
  readonly #blob = new BlobUrl(this);

  constructor() {
    super();
    this.isBusy = false;
  }

  override render(): TemplateResult {
    const kind = mediaKindOf(this.media.mimeType, this.media.fileName);
    return html`<div class="chat-media-file" aria-busy=${this.isBusy}>
        ${kind === "audio" || kind === "video" ? this.#renderPlay(kind) : icon("file")}
        <span class="chat-media-name">
          <span class="cut" title=${this.#name}>${this.#name}</span>
          <span class="hint">${this.world.words.bytes(this.media.bytes)}</span>
        </span>
        ${kind === "document" ? this.#renderAct("external", this.words("conversation").view(this.#name), () => this.#view()) : nothing}
        ${this.#renderAct("download", this.words("conversation").download(this.#name), () => this.#download())}
      </div>
      ${this.#renderPlayer(kind)}
      ${
        this.document === undefined
          ? nothing
          : html`<chela-document-viewer
              .world=${this.world}
              .name=${this.#name}
              .html=${this.document}
              @viewer-close=${() => (this.document = undefined)}
            ></chela-document-viewer>`
      }`;
  }

  get #name(): string {
    return this.media.fileName ?? this.words("conversation").file;
  }

  #renderPlay(kind: "audio" | "video"): TemplateResult {
    if (this.#blob.url !== undefined) return html`${icon(kind === "audio" ? "microphone" : "play")}`;
    return this.#renderAct("play", this.words("conversation").play(this.#name), async () =>
      this.#blob.show(await this.#fetch()),
    );
  }

  #renderPlayer(kind: string): TemplateResult | typeof nothing {
    const { url } = this.#blob;
    if (url === undefined) return nothing;
    if (kind === "audio") return html`<audio class="chat-media-player" src=${url} controls autoplay></audio>`;
    return html`<video class="chat-media-player" src=${url} controls autoplay playsinline></video>`;
  }

  #renderAct(name: "play" | "external" | "download", label: string, act: () => Promise<void>): TemplateResult {
    return html`<button
      class="button quiet square small"
      aria-label=${label}
      title=${label}
      ?disabled=${this.isBusy}
      @click=${() => void this.#do(act)}
    >
      ${icon(name)}
    </button>`;
  }

  async #do(act: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    await this.attempt(act);
    this.isBusy = false;
  }

  #fetch(): Promise<Blob> {
    return shelfOf(this.world.wire).media(this.media.id);
  }

  async #view(): Promise<void> {
    this.document = await (await this.#fetch()).text();
  }

  async #download(): Promise<void> {
    downloadBlob(await this.#fetch(), this.#name);
  }
}

customElements.define("chela-media-file", MediaFile);
