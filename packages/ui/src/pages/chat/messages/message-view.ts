// One entry of the conversation, and what can be done with it.
import type { ShownBlock, ShownMessage } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { writeRoute } from "../../../app/route.ts";
import { icon } from "../../../parts/icon.ts";
import { renderMarkdown } from "../../../parts/editor/markdown.ts";
import { Watching } from "../../../state/live.ts";
import { shortKey } from "../../../state/session-title.ts";
import type { Conversation } from "../conversation.ts";
import { askAgain, moveTo, sayAgain, takeBranch, textOf, wholeTextOf } from "../composer/steer.ts";
import { renderThinking } from "./thinking.ts";
import "./failure-card.ts";
import "./message-media.ts";
import "../tools/tool-card.ts";

type ToolCall = Extract<ShownBlock, { type: "toolCall" }>;

class MessageView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    conversation: { attribute: false },
    message: { attribute: false },
    version: { attribute: false },
    whole: { state: true },
    draft: { state: true },
    isCopied: { state: true },
  };
  declare conversation: Conversation;
  declare message: ShownMessage;
  /** Changes when other entries do: the result of a tool may have come. */
  declare version: number;
  /** All of a message that was too long to come at once, when somebody asked for it. */
  declare whole: ShownMessage | undefined;
  /** The text while it is being edited. */
  declare draft: string | undefined;
  declare isCopied: boolean;
  readonly #watching = new Watching(this);

  override willUpdate(): void {
    if (this.whole?.id !== this.message.id) this.whole = undefined;
    // A tool at work tells of itself; a message whose tools are done has nothing to wait for.
    const isOpen = (this.message.content ?? []).some(
      (block) => block.type === "toolCall" && !this.conversation.entries.resultOf(block.id),
    );
    this.#watching.show(...(isOpen ? [this.conversation.state] : []));
  }

  override render(): TemplateResult | typeof nothing {
    const { message } = this;
    if (message.hidden) return nothing;
    if (message.kind === "compaction" || message.kind === "summary") return this.#renderSummary();
    if (message.kind === "command") return this.#renderCommand();
    if (message.kind === "errand") return this.#renderErrand();
    switch (message.role) {
      case "user":
        return this.#renderUser();
      case "assistant":
        return this.#renderAssistant();
      case "toolResult":
        return this.#renderLoneResult();
      default:
        return html`<p class="chat-note">${textOf(message)}</p>`;
    }
  }

  #renderSummary(): TemplateResult {
    const words = this.words("chat");
    return html`<details class="chat-summary">
      <summary>${this.message.kind === "compaction" ? words.compacted : words.otherBranch}</summary>
      ${renderMarkdown(textOf(this.message))}
    </details>`;
  }

  #renderCommand(): TemplateResult {
    const { message } = this;
    return html`<article class="message user"><div class="bubble mono">${textOf(message)}</div></article>
      ${message.reply ? html`<article class="message assistant from-gateway">${renderMarkdown(message.reply)}</article>` : nothing}`;
  }

  /** In a person's place, but typed by nobody here: it says where it comes from, and is nobody's to edit. */
  #renderErrand(): TemplateResult {
    const text = textOf(this.#shown);
    return html`<article class="message user errand">
      ${this.#renderSource()} ${this.#renderMedia()}
      ${text ? html`<div class="bubble" dir="auto">${text}</div>` : nothing} ${this.#renderCut()}
      <footer class="message-foot">${this.#renderFork()} ${this.#renderCopy()} ${this.#renderTime()}</footer>
      ${this.#renderLabels()}
    </article>`;
  }

  #renderSource(): TemplateResult | typeof nothing {
    const { webhook, fromSession } = this.message;
    const words = this.words("chat");
    if (webhook !== undefined)
      return html`<p class="message-job">${icon("automation")}<span>${words.fromWebhook}</span> ${webhook}</p>`;
    if (fromSession !== undefined)
      return html`<p class="message-job">
        ${icon("chat")}<span>${words.fromSession}</span>
        <a href=${writeRoute("chat", [fromSession])}>${shortKey(fromSession)}</a>
      </p>`;
    return this.#renderJob();
  }

  #renderUser(): TemplateResult {
    const { draft } = this;
    if (draft !== undefined) return this.#renderEditor(draft);
    const text = textOf(this.#shown);
    return html`<article class="message user">
      ${this.#renderMedia()} ${text ? html`<div class="bubble" dir="auto">${text}</div>` : nothing} ${this.#renderCut()}
      <footer class="message-foot">${this.#renderFork()} ${this.#renderUserActions()} ${this.#renderTime()}</footer>
      ${this.#renderLabels()}
    </article>`;
  }

  #renderEditor(draft: string): TemplateResult {
    const words = this.words("chat");
    return html`<form class="message user message-edit" @submit=${(event: Event) => void this.#submitEdit(event)}>
      <textarea
        class="input"
        rows="4"
        aria-label=${words.edit}
        .value=${draft}
        @input=${(event: Event) => (this.draft = (event.target as HTMLTextAreaElement).value)}
        @keydown=${(event: KeyboardEvent) => this.#editKey(event)}
      ></textarea>
      <p class="hint">${words.editHint}</p>
      <div class="row">
        <button type="button" class="button" @click=${() => (this.draft = undefined)}>
          ${this.words("app").cancel}
        </button>
        <button class="button primary">${words.send}</button>
      </div>
    </form>`;
  }

  #renderAssistant(): TemplateResult {
    const { message } = this;
    const { content = [] } = this.#shown;
    const text = textOf(this.#shown);
    const calls = content.filter((block): block is ToolCall => block.type === "toolCall");
    return html`<article class="message assistant">
      ${this.#renderJob()} ${content.map((block) => this.#renderBlock(block))} ${this.#renderCut()}
      ${this.#renderMedia()} ${this.#renderFailure()}
      ${message.stopReason === "aborted" ? html`<p class="chat-stopped">${this.words("chat").stopped}</p>` : nothing}
      ${
        text || calls.length === 0
          ? html`<footer class="message-foot">
              ${this.#renderFork()} ${text ? this.#renderCopy() : nothing} ${this.#renderAssistantActions()}
              ${this.#renderCost()} ${this.#renderTime()}
            </footer>`
          : nothing
      }
      ${this.#renderLabels()}
    </article>`;
  }

  /** Nobody asked for the result of a job here, nor what the job itself asks: it says where it comes from. */
  #renderJob(): TemplateResult | typeof nothing {
    const { job } = this.message;
    if (!job) return nothing;
    return html`<p class="message-job">
      ${icon("cron")}<span>${this.words("chat").fromJob}</span> <a href=${writeRoute("cron", [job.id])}>${job.name}</a>
    </p>`;
  }

  #renderFailure(): TemplateResult | typeof nothing {
    const { errorMessage, failure, index } = this.message;
    if (!errorMessage) return nothing;
    return html`<chela-failure
      .world=${this.world}
      .conversation=${this.conversation}
      .failure=${failure}
      .text=${errorMessage}
      .index=${index}
      .version=${this.version}
    ></chela-failure>`;
  }

  get #shown(): ShownMessage {
    return this.whole ?? this.message;
  }

  /** Says that there is more, and fetches it. */
  #renderCut(): TemplateResult | typeof nothing {
    const { message } = this;
    // Calls and their results say for themselves that they go on.
    const isLong = message.cut && (message.content ?? []).some(({ type }) => type === "text" || type === "thinking");
    if (!isLong || this.whole) return nothing;
    const words = this.words("chat");
    return html`<p class="row wrap chat-cut">
      <span class="hint">${words.goesOn}</span>
      <button
        class="button small"
        @click=${() => void this.attempt(async () => (this.whole = await this.#fetchWhole()))}
      >
        ${words.showAll}
      </button>
    </p>`;
  }

  #fetchWhole(): Promise<ShownMessage> {
    return this.world.wire.call("chat.entry", { sessionKey: this.conversation.key, id: this.message.id });
  }

  /** What is copied, edited and said again is everything that was said, however little of it is shown. */
  async #wholeText(): Promise<string> {
    return this.whole ? textOf(this.whole) : wholeTextOf(this.world, this.conversation, this.message);
  }

  #renderBlock(block: ShownBlock): TemplateResult | typeof nothing {
    const words = this.words("chat");
    const isOpen = this.world.preferences.now.value.showsWork;
    switch (block.type) {
      case "text":
        return block.text ? renderMarkdown(block.text) : nothing;
      case "thinking":
        return block.thinking ? renderThinking(block.thinking, words.thought, isOpen) : nothing;
      case "toolCall":
        return html`<chela-tool-card
          .world=${this.world}
          .sessionKey=${this.conversation.key}
          .call=${block}
          .running=${this.#runningTool(block.id)}
          .result=${this.conversation.entries.resultOf(block.id)}
          .isOpen=${isOpen}
        ></chela-tool-card>`;
      case "image":
      case "media":
        return nothing;
    }
  }

  #runningTool(toolCallId: string): unknown {
    return this.conversation.state.value.runs
      .flatMap(({ tools }) => tools)
      .find((tool) => tool.toolCallId === toolCallId);
  }

  /** Results are shown with their call; one whose call is not on this page stands alone. */
  #renderLoneResult(): TemplateResult | typeof nothing {
    const { message, conversation } = this;
    const callIsHere = Array.from({ length: 40 }, (_, back) =>
      conversation.entries.peek(message.index - 1 - back),
    ).some((earlier) =>
      earlier?.content?.some((block) => block.type === "toolCall" && block.id === message.toolCallId),
    );
    if (callIsHere) return nothing;
    const call = { id: message.toolCallId ?? "", name: message.toolName ?? "", arguments: {} };
    return html`<article class="message assistant">
      <chela-tool-card
        .world=${this.world}
        .sessionKey=${conversation.key}
        .call=${call}
        .result=${message}
      ></chela-tool-card>
    </article>`;
  }

  #renderMedia(): TemplateResult | typeof nothing {
    const { message } = this;
    const hasMedia = (message.content ?? []).some(({ type }) => type === "image" || type === "media");
    if (!hasMedia) return nothing;
    return html`<chela-message-media
      .world=${this.world}
      .sessionKey=${this.conversation.key}
      .message=${message}
    ></chela-message-media>`;
  }

  /** Where the conversation forks: which of the ways this is, and the others. */
  #renderFork(): TemplateResult | typeof nothing {
    const words = this.words("chat");
    const { siblings = [], id } = this.message;
    if (siblings.length < 2) return nothing;
    const at = siblings.indexOf(id);
    const go = (step: number): void =>
      void this.attempt(() => takeBranch(this.world, this.conversation, siblings[at + step] ?? id));
    return html`<span class="fork" role="group" aria-label=${words.versions}>
      <button
        class="button quiet square small"
        aria-label=${words.previousVersion}
        ?disabled=${at <= 0}
        @click=${() => go(-1)}
      >
        ${icon("chevronLeft")}
      </button>
      <span>${at + 1}/${siblings.length}</span>
      <button
        class="button quiet square small"
        aria-label=${words.nextVersion}
        ?disabled=${at >= siblings.length - 1}
        @click=${() => go(1)}
      >
        ${icon("chevronRight")}
      </button>
    </span>`;
  }

  #renderUserActions(): TemplateResult {
    const words = this.words("chat");
    return html`${this.#renderCopy()}
      <button
        class="button quiet square small"
        aria-label=${words.edit}
        title=${words.edit}
        @click=${() => void this.attempt(() => this.#startEdit())}
      >
        ${icon("edit")}
      </button>
      <button
        class="button quiet square small"
        aria-label=${words.retry}
        title=${words.retry}
        @click=${() => this.#retry()}
      >
        ${icon("retry")}
      </button>
      <button
        class="button quiet square small"
        aria-label=${words.rewindHere}
        title=${words.rewindHere}
        @click=${() => void this.#rewind()}
      >
        ${icon("rewind")}
      </button>`;
  }

  #renderAssistantActions(): TemplateResult {
    const words = this.words("chat");
    return html`<button
        class="button quiet square small"
        aria-label=${words.branchHere}
        title=${words.branchHere}
        @click=${() => void this.#rewind()}
      >
        ${icon("branch")}
      </button>
      ${
        this.message.runId
          ? html`<a
              class="button quiet square small"
              aria-label=${words.explain}
              title=${words.explain}
              href=${writeRoute("explain", [this.message.runId])}
              >${icon("explain")}</a
            >`
          : nothing
      }`;
  }

  #renderCopy(): TemplateResult {
    const words = this.words("app");
    const label = this.isCopied ? words.copied : words.copy;
    return html`<button
      class="button quiet square small"
      aria-label=${label}
      title=${label}
      @click=${() => void this.#copy()}
    >
      ${icon(this.isCopied ? "check" : "copy")}
    </button>`;
  }

  #renderCost(): TemplateResult | typeof nothing {
    const { usage, model } = this.message;
    if (!usage) return nothing;
    const { words } = this.world;
    const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
    // Nobody was asked, or nobody counted.
    if (tokens === 0) return nothing;
    const cost = usage.cost?.total ? ` · ${words.money(usage.cost.total)}` : "";
    return html`<span class="message-meta" title=${model ?? ""}
      >${this.words("chat").tokens(words.compact(tokens))}${cost}</span
    >`;
  }

  #renderTime(): TemplateResult | typeof nothing {
    const { timestamp } = this.message;
    if (timestamp === undefined) return nothing;
    const { words } = this.world;
    return html`<time class="message-meta" datetime=${new Date(timestamp).toISOString()} title=${words.date(timestamp)}
      >${words.moment(timestamp)}</time
    >`;
  }

  #renderLabels(): TemplateResult | typeof nothing {
    const { labels = [] } = this.message;
    if (labels.length === 0) return nothing;
    return html`<p class="row wrap">
      ${labels.map((label) => html`<span class="badge info">${icon("flag")}${label}</span>`)}
    </p>`;
  }

  async #startEdit(): Promise<void> {
    this.draft = await this.#wholeText();
    await this.updateComplete;
    this.querySelector("textarea")?.focus();
  }

  #editKey(event: KeyboardEvent): void {
    if (event.key === "Escape") this.draft = undefined;
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) void this.#submitEdit(event);
  }

  async #submitEdit(event: Event): Promise<void> {
    event.preventDefault();
    const text = this.draft?.trim();
    if (!text) return;
    if (await this.attempt(() => sayAgain(this.world, this.conversation, this.message, text))) this.draft = undefined;
  }

  #retry(): void {
    void this.attempt(() => askAgain(this.world, this.conversation, this.message));
  }

  async #rewind(): Promise<void> {
    const words = this.words("chat");
    await this.attempt(() => moveTo(this.world, this.conversation, this.message.id), words.movedHere);
  }

  async #copy(): Promise<void> {
    if (!(await this.attempt(async () => navigator.clipboard.writeText(await this.#wholeText())))) return;
    this.isCopied = true;
    setTimeout(() => (this.isCopied = false), 1500);
  }
}

customElements.define("chela-message", MessageView);
