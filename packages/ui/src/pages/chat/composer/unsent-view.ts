// Something said here that is not in the conversation yet, and how it stands with it.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { icon } from "../../../parts/icon.ts";
import type { Conversation } from "../conversation.ts";
import type { UnsentMessage } from "./unsent-messages.ts";

class UnsentView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    conversation: { attribute: false },
    message: { attribute: false },
  };
  declare conversation: Conversation;
  declare message: UnsentMessage;

  override render(): TemplateResult {
    const { text, files } = this.message;
    return html`<article class="message user">
      ${text ? html`<div class="bubble">${text}</div>` : nothing}
      ${
        files.length > 0
          ? html`<ul class="message-files">
              ${files.map(
                (file) =>
                  html`<li>
                    ${file.previewUrl && file.mimeType.startsWith("image/") ? html`<img src=${file.previewUrl} alt=${file.fileName} />` : html`${icon("file")}${file.fileName}`}
                  </li>`,
              )}
            </ul>`
          : nothing
      }
      ${this.#renderState()}
    </article>`;
  }

  #renderState(): TemplateResult | typeof nothing {
    const words = this.words("chat");
    const { state, id } = this.message;
    const { unsent, state: conversation } = this.conversation;
    const isAnswered = conversation.value.runs.some((run) => run.runId === id && run.state === "running");
    switch (state.kind) {
      case "sending":
        return nothing;
      case "heard":
        return isAnswered ? nothing : html`<p class="chat-note">${words.queued}</p>`;
      case "waiting":
        return html`<p class="chat-note" role="status">${words.waitsForConnection}</p>`;
      case "refused":
        return html`<div class="failure" role="alert">
          ${icon("warning")}
          <p>${state.why}</p>
          <button class="button small" @click=${() => unsent.retry(id)}>${this.words("app").retry}</button>
          <button class="button small" @click=${() => unsent.discard(id)}>${words.discard}</button>
        </div>`;
    }
  }
}

customElements.define("chela-unsent", UnsentView);
