// Pictures and files that came with a message.
import type { MediaBlock, ShownBlock, ShownMessage } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../../app/part.ts";
import { shelfOf } from "./blob-shelf.ts";
import { mediaKindOf } from "./media-kind.ts";
import "./media-file.ts";
import "./message-media.css";
import "./picture-view.ts";

type ImageBlock = Extract<ShownBlock, { type: "image" }>;

/** `<chela-message-media .world .sessionKey .message>` */
class MessageMedia extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    sessionKey: { attribute: false },
    message: { attribute: false },
  };
  declare sessionKey: string;
  declare message: ShownMessage;

  override render(): TemplateResult | typeof nothing {
    const content = this.message.content ?? [];
    const files = content.filter((block): block is MediaBlock => block.type === "media");
    const kept = new Set(files.map(({ id }) => id));
    // A picture that is a kept file as well is shown once: the file has a name, and is as it was sent.
    const pictures = content.flatMap((block, at) =>
      block.type === "image" && !kept.has(block.mediaId ?? "") ? [{ block, at }] : [],
    );
    if (files.length + pictures.length === 0) return nothing;
    return html`<ul class="chat-media-list">
      ${repeat(
        pictures,
        ({ at }) => `${this.message.id} ${at}`,
        ({ block, at }) => html`<li>${this.#renderPicture(block, at)}</li>`,
      )}
      ${repeat(
        files,
        ({ id }) => id,
        (media) => html`<li>${this.#renderFile(media)}</li>`,
      )}
    </ul>`;
  }

  #renderPicture({ bytes }: ImageBlock, at: number): TemplateResult {
    const { sessionKey, message, world } = this;
    return html`<chela-picture
      .world=${world}
      .name=${this.words("conversation").picture}
      .bytes=${bytes}
      .fetchBlob=${() => shelfOf(world.wire).picture(sessionKey, message.id, at)}
    ></chela-picture>`;
  }

  #renderFile(media: MediaBlock): TemplateResult {
    const { world } = this;
    if (mediaKindOf(media.mimeType) !== "image") {
      return html`<chela-media-file .world=${world} .media=${media}></chela-media-file>`;
    }
    return html`<chela-picture
      .world=${world}
      .name=${media.fileName ?? this.words("conversation").picture}
      .bytes=${media.bytes}
      .fetchBlob=${() => shelfOf(world.wire).media(media.id)}
    ></chela-picture>`;
  }
}

customElements.define("chela-message-media", MessageMedia);
