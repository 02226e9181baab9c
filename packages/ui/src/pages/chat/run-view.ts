// An answer while it is being made: thinking, tools at work, the words so far.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { renderMarkdown } from "../../parts/editor/markdown.ts";
import { Watching } from "../../state/live.ts";
import type { Conversation, ShownRun } from "./conversation.ts";
import { renderThinking } from "./messages/thinking.ts";
import "./tools/tool-card.ts";

class RunView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    conversation: { attribute: false },
    run: { attribute: false },
  };
  declare conversation: Conversation;
  declare run: ShownRun;
  readonly #watching = new Watching(this);

  override render(): TemplateResult {
    const words = this.words("chat");
    const { run } = this;
    if (run.state === "queued") {
      return html`<article class="message user queued">
        <div class="bubble">${run.userText ?? ""}</div>
        <p class="chat-note">${words.queued}</p>
      </article>`;
    }
    this.#watching.show(this.conversation.entries.version);
    // A call that is in the transcript already is shown there, at its place.
    const tools = run.tools.filter(({ toolCallId }) => !this.conversation.entries.hasCall(toolCallId));
    const isSilent = run.text === "" && run.thinking === "" && run.tools.length === 0;
    return html`<article class="message assistant" aria-label=${words.answering}>
      ${run.thinking ? renderThinking(run.thinking, words.thinkingNow, true) : nothing}
      ${run.text ? renderMarkdown(run.text) : nothing}
      ${repeat(
        tools,
        ({ toolCallId }) => toolCallId,
        (tool) =>
          html`<chela-tool-card
            .world=${this.world}
            .sessionKey=${this.conversation.key}
            .call=${{ id: tool.toolCallId, name: tool.name, arguments: tool.args }}
            .running=${tool}
          ></chela-tool-card>`,
      )}
      ${isSilent ? html`<span class="dots" role="status" aria-label=${words.answering}><i></i><i></i><i></i></span>` : nothing}
    </article>`;
  }
}

customElements.define("chela-run", RunView);
