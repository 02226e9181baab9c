// The head of a conversation: what it is called, where it is led, and what can be done with it as a whole.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { Watching } from "../../state/live.ts";
import { RECENT_SESSIONS, sessionTitle, shortKey } from "../../state/session-title.ts";
import type { Conversation } from "./conversation.ts";
import "../../parts/menu.ts";
import "../../parts/sandbox-chip.ts";
import "./branches-panel.ts";
import "./session-search.ts";

class ChatHead extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    conversation: { attribute: false },
    isRenaming: { state: true },
    over: { state: true },
    progress: { state: true },
  };
  declare conversation: Conversation;
  declare isRenaming: boolean;
  declare over: "branches" | "search" | undefined;
  /** How much of an export is done, from 0 to 1. */
  declare progress: number | undefined;
  readonly #watching = new Watching(this);
  readonly #sessions = this.asking(() => RECENT_SESSIONS);
  #exporting: AbortController | undefined;
  readonly #listen = (event: KeyboardEvent): void => this.#pressed(event);

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.#listen);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.#listen);
    this.#exporting?.abort();
  }

  override render(): TemplateResult {
    const { state, key } = this.conversation;
    this.#watching.show(state);
    const { channel, spawnedBy } = state.value.settings;
    return html`<header class="chat-head">
        ${this.isRenaming ? this.#renderRename() : this.#renderTitle()}
        ${channel && channel !== "webchat" ? html`<span class="badge info" title=${this.words("chat").repliesGoTo(channel)}>${channel}</span>` : nothing}
        ${spawnedBy ? this.#renderParent(spawnedBy) : nothing}
        <chela-sandbox-chip .world=${this.world} .sessionKey=${key}></chela-sandbox-chip>
        <span class="chat-key mono muted cut" title=${key}
          >${this.#title() === shortKey(key) ? nothing : shortKey(key)}</span
        >
        ${this.progress === undefined ? nothing : this.#renderProgress(this.progress)} ${this.#renderActions()}
        <chela-branches-panel
          .world=${this.world}
          .conversation=${this.conversation}
          .isOpen=${this.over === "branches"}
          @dialog-close=${() => (this.over = undefined)}
        ></chela-branches-panel>
      </header>
      ${
        this.over === "search"
          ? html`<chela-session-search
              .world=${this.world}
              .sessionKey=${key}
              @search-close=${() => (this.over = undefined)}
            ></chela-session-search>`
          : nothing
      }`;
  }

  /** Back to the conversation that started this one as a sub-agent. */
  #renderParent(parentKey: string): TemplateResult {
    return html`<span class="hint chat-parent cut"
      >${this.words("subagents").startedFrom}
      <a href=${writeRoute("chat", [parentKey])}>${shortKey(parentKey)}</a></span
    >`;
  }

  #renderProgress(progress: number): TemplateResult {
    const label = this.words("conversation").exportCancel;
    return html`<span class="row">
      <progress max="1" .value=${progress} aria-label=${this.words("chat").exportMarkdown}></progress>
      <button
        class="button quiet square small"
        aria-label=${label}
        title=${label}
        @click=${() => this.#exporting?.abort()}
      >
        ${icon("close")}
      </button>
    </span>`;
  }

  #title(): string {
    const { key, state } = this.conversation;
    const { label, displayName } = state.value.settings;
    const derivedTitle = this.#sessions.value?.sessions.find((row) => row.key === key)?.derivedTitle;
    return sessionTitle({ key, label, displayName, derivedTitle });
  }

  #renderTitle(): TemplateResult {
    const words = this.words("chat");
    return html`<h1 class="cut">
      <button
        class="button quiet"
        title=${words.rename}
        aria-label="${this.#title()}: ${words.rename}"
        @click=${() => this.#startRename()}
      >
        <span class="cut">${this.#title()}</span>
      </button>
    </h1>`;
  }

  #renderRename(): TemplateResult {
    const words = this.words("chat");
    return html`<form class="row" @submit=${(event: SubmitEvent) => void this.#rename(event)}>
      <input
        class="input"
        name="label"
        maxlength="64"
        aria-label=${words.nameOfChat}
        .value=${this.conversation.state.value.settings.label ?? ""}
        @keydown=${(event: KeyboardEvent) => event.key === "Escape" && (this.isRenaming = false)}
      />
      <button class="button primary small">${this.words("app").save}</button>
    </form>`;
  }

  #renderActions(): TemplateResult {
    const words = this.words("chat");
    const choices = [
      { id: "rename", label: words.rename, icon: "edit" },
      { id: "markdown", label: words.exportMarkdown, icon: "download" },
      { id: "lines", label: words.exportLines, icon: "download" },
      { id: "compact", label: words.compact, icon: "memory" },
      { id: "reset", label: words.reset, icon: "retry" },
      { id: "remove", label: words.remove, icon: "trash", isDangerous: true },
    ] as const;
    return html`<span class="row chat-actions">
      <button
        class="button quiet square"
        aria-label=${words.searchHere}
        title=${words.searchHere}
        @click=${() => (this.over = this.over === "search" ? undefined : "search")}
      >
        ${icon("search")}
      </button>
      <button
        class="button quiet square"
        aria-label=${words.branches}
        title=${words.branches}
        @click=${() => (this.over = "branches")}
      >
        ${icon("branch")}
      </button>
      <chela-menu
        .icon=${"more"}
        label=${words.more}
        .choices=${choices}
        @menu-choose=${(event: CustomEvent<{ id: (typeof choices)[number]["id"] }>) => void this.#chose(event.detail.id)}
      ></chela-menu>
    </span>`;
  }

  #startRename(): void {
    this.isRenaming = true;
    void this.updateComplete.then(() => this.querySelector("input")?.focus());
  }

  async #rename(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const label = String(new FormData(event.target as HTMLFormElement).get("label") ?? "").trim();
    const isDone = await this.attempt(() =>
      this.world.wire.call("sessions.patch", { key: this.conversation.key, label: label || null }),
    );
    if (isDone) this.isRenaming = false;
  }

  async #chose(id: string): Promise<void> {
    const { key, unsent } = this.conversation;
    if (id === "rename") return this.#startRename();
    if (id === "compact") return unsent.say("/compact");
    if (id === "reset") return this.#reset();
    if (id === "remove") return this.#remove();
    await this.attempt(async () => {
      const { exportConversation } = await import("../../conversations/export-conversation.ts");
      const format = id === "markdown" ? "markdown" : "lines";
      this.#exporting = new AbortController();
      const { signal } = this.#exporting;
      await exportConversation(this.world, key, format, (share) => (this.progress = share), signal);
    });
    this.progress = undefined;
  }

  #pressed(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || !event.shiftKey || event.key.toLowerCase() !== "f") return;
    event.preventDefault();
    this.over = "search";
    this.querySelector<HTMLElement>("chela-session-search input")?.focus();
  }

  async #reset(): Promise<void> {
    const words = this.words("chat");
    const { wire, notices } = this.world;
    if (!(await notices.ask({ title: words.resetTitle, text: words.resetText, yes: words.reset }))) return;
    await this.attempt(() => wire.call("sessions.reset", { key: this.conversation.key, reason: "reset" }));
  }

  async #remove(): Promise<void> {
    const words = this.words("chat");
    const { wire, notices, router } = this.world;
    const { key } = this.conversation;
    const isMeant = await notices.ask({
      title: words.removeTitle,
      text: words.removeText,
      yes: words.remove,
      isDangerous: true,
    });
    if (!isMeant) return;
    const { sessionId } = this.conversation.state.value;
    await this.attempt(async () => {
      const { archived } = await wire.call("sessions.delete", { key });
      // Where nothing was ever said there is nothing to bring back.
      const canUndo = sessionId !== undefined && archived.length > 0;
      const undo = canUndo ? { label: words.undo, run: () => void this.#restore(sessionId) } : undefined;
      notices.say(words.removed, undo);
      router.go("chat");
    });
  }

  async #restore(sessionId: string): Promise<void> {
    const { wire, router } = this.world;
    await this.attempt(async () => {
      const { key } = await wire.call("sessions.restore", { id: sessionId });
      router.go("chat", [key]);
    });
  }
}

customElements.define("chela-chat-head", ChatHead);
