// The chat page: one conversation at a time, of any agent, from anywhere.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Page } from "../../app/part.ts";
import { Watching } from "../../state/live.ts";
import { agentOf } from "../../state/session-title.ts";
import { freshKey } from "./chat-key.ts";
import type { ComposerSettings } from "./composer/composer-settings.ts";
import { Conversation } from "./conversation.ts";
import "./chat-head.ts";
import "./composer/composer.ts";
import "./tools/inline-approvals.ts";
import "./page.css";
import "./subagents-panel.ts";
import "./messages/timeline.ts";
import "../../parts/setup-card.ts";

class ChatPage extends Page {
  static override properties: PropertyDeclarations = { ...Page.properties, target: { state: true } };
  /** The entry somebody asked to see. */
  declare target: { readonly index: number; readonly id: string } | undefined;
  readonly #watching = new Watching(this);
  #conversation: Conversation | undefined;

  override willUpdate(): void {
    const { rest, query } = this.route;
    if (query["new"]) return this.#startNew();
    const key = rest[0] ?? this.world.wire.hello?.snapshot.sessionDefaults?.mainSessionKey;
    if (key === undefined || this.#conversation?.key === key) return this.#findTarget();
    this.#leave();
    this.target = undefined;
    this.#conversation = new Conversation(this.world.wire, key);
    this.#conversation.open();
    this.#watching.show(
      this.world.wire.state,
      this.#conversation.state,
      this.#conversation.entries.version,
      this.#conversation.unsent.all,
    );
    this.#findTarget();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
  }

  override render(): TemplateResult {
    const conversation = this.#conversation;
    if (!conversation)
      return html`<div class="waiting" role="status" aria-busy="true"><span></span><span></span></div>`;
    const { world } = this;
    const isEmpty =
      conversation.state.value.isKnown &&
      conversation.entries.total === 0 &&
      conversation.state.value.runs.length === 0 &&
      conversation.unsent.all.value.length === 0;
    return html`<div
      class="chat"
      ?data-empty=${isEmpty}
      @choose-model=${() => this.querySelector<ComposerSettings>("chela-composer-settings")?.chooseModel()}
      @go-to-entry=${(event: CustomEvent<{ entryId: string }>) => void this.#goTo(event.detail.entryId)}
    >
      <chela-chat-head .world=${world} .conversation=${conversation}></chela-chat-head>
      ${isEmpty ? this.#renderGreeting() : html`<chela-timeline .world=${world} .conversation=${conversation} .target=${this.target}></chela-timeline>`}
      <div class="chat-foot">
        <chela-subagents .world=${world} .sessionKey=${conversation.key}></chela-subagents>
        <chela-inline-approvals .world=${world} .sessionKey=${conversation.key}></chela-inline-approvals>
        <chela-composer .world=${world} .conversation=${conversation}></chela-composer>
      </div>
    </div>`;
  }

  #renderGreeting(): TemplateResult {
    const words = this.words("chat");
    return html`<div class="chat-greeting">
      <img src="./icons/chela.svg" alt="" width="48" height="48" />
      <h1>${words.greeting}</h1>
      <p class="muted">${words.greetingHint}</p>
      ${this.world.wire.has("setup.status") ? html`<chela-setup-card .world=${this.world}></chela-setup-card>` : nothing}
    </div>`;
  }

  #startNew(): void {
    const current = this.#conversation?.key;
    const defaults = this.world.wire.hello?.snapshot.sessionDefaults;
    const agentId = (current && agentOf(current)) ?? this.route.query["agent"] ?? defaults?.defaultAgentId ?? "main";
    this.world.router.replace("chat", [freshKey(this.route.query["agent"] ?? agentId)]);
  }

  #findTarget(): void {
    const { entry } = this.route.query;
    if (entry && this.#conversation && this.target?.id !== entry) void this.#goTo(entry);
  }

  async #goTo(entryId: string): Promise<void> {
    const conversation = this.#conversation;
    if (!conversation) return;
    await this.attempt(async () => {
      const { index, id } = await this.world.wire.call("chat.entry", { sessionKey: conversation.key, id: entryId });
      if (index >= 0) this.target = { index, id };
      // It is on another branch: going there is the only way to see it in its place.
      else await this.world.wire.call("sessions.switch", { key: conversation.key, to: id, end: true });
    });
  }

  #leave(): void {
    this.#conversation?.close();
    this.#conversation = undefined;
  }
}

customElements.define("chela-chat-page", ChatPage);
