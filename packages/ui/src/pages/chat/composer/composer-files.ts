// The files that will go with the next message, as chips.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../../app/part.ts";
import { icon } from "../../../parts/icon.ts";
import { Watching } from "../../../state/live.ts";
import type { DraftFile, DraftFiles } from "./draft-files.ts";

class ComposerFiles extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, files: { attribute: false } };
  declare files: DraftFiles;
  readonly #watching = new Watching(this);

  override render(): TemplateResult | typeof nothing {
    this.#watching.show(this.files.all);
    const all = this.files.all.value;
    if (all.length === 0) return nothing;
    return html`<ul class="composer-files" aria-label=${this.words("composer").attached}>
      ${repeat(
        all,
        ({ id }) => id,
        (file) => this.#renderFile(file),
      )}
    </ul>`;
  }

  #renderFile(file: DraftFile): TemplateResult {
    const words = this.words("composer");
    const isReading = file.content === undefined;
    return html`<li class="composer-file" aria-busy=${isReading ? "true" : "false"}>
      ${this.#renderPreview(file)}
      <span class="composer-file-words">
        <span class="cut" title=${file.name}>${file.name}</span>
        <small>${isReading ? words.reading : this.world.words.bytes(file.bytes)}</small>
      </span>
      <button
        type="button"
        class="button quiet square small"
        aria-label=${words.removeFile(file.name)}
        title=${words.removeFile(file.name)}
        @click=${() => this.#remove(file.id)}
      >
        ${icon("close")}
      </button>
    </li>`;
  }

  #renderPreview({ name, type, previewUrl }: DraftFile): TemplateResult {
    if (previewUrl && type.startsWith("image/")) return html`<img src=${previewUrl} alt="" />`;
    if (previewUrl) return html`<audio controls preload="metadata" src=${previewUrl} aria-label=${name}></audio>`;
    return icon("file");
  }

  #remove(id: string): void {
    this.files.remove(id);
    this.dispatchEvent(new CustomEvent("files-removed"));
  }
}

customElements.define("chela-composer-files", ComposerFiles);
