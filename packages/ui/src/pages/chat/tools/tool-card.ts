// One use of a tool: a calm line that says what is done, and opens to how.
import type { ShownMessage } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { icon } from "../../../parts/icon.ts";
import { countChanges } from "./change-lines.ts";
import { openedCards } from "../messages/opened-cards.ts";
import { renderToolBody } from "./tool-body.ts";
import {
  iconOf,
  stateOf,
  tellingArgument,
  type RunningTool,
  type ToolCall,
  type ToolState,
} from "../../../conversations/tool-call.ts";
import { changesOf } from "./tool-changes.ts";
import "./tool-card.css";

const SECOND_MS = 1000;

/** `<chela-tool-card .world .sessionKey .call .running .result .isOpen>` */
class ToolCard extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    sessionKey: { attribute: false },
    call: { attribute: false },
    running: { attribute: false },
    result: { attribute: false },
    isOpen: { attribute: false },
  };
  declare sessionKey: string;
  declare call: ToolCall;
  declare running: RunningTool | undefined;
  declare result: ShownMessage | undefined;
  /** Open from the start, unless somebody closed it. */
  declare isOpen: boolean | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopClock();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override updated(): void {
    const isRunning = this.#state.kind === "running" && this.isConnected;
    if (!isRunning) return this.#stopClock();
    this.#timer ??= setInterval(() => this.requestUpdate(), SECOND_MS);
  }

  override render(): TemplateResult {
    const isOpen = openedCards.get(this.call.id) ?? this.isOpen ?? false;
    const state = this.#state;
    const telling = tellingArgument(this.call);
    const bodyId = `tool-${this.call.id}`;
    return html`<div class="chat-tool" data-state=${state.kind} ?data-open=${isOpen}>
      <button
        class="chat-tool-line"
        aria-expanded=${isOpen}
        aria-controls=${isOpen ? bodyId : nothing}
        @click=${() => this.#toggle(!isOpen)}
      >
        ${icon(iconOf(this.call.name))}
        <span class="chat-tool-name">${this.#toolName}</span>
        ${telling ? html`<span class="chat-tool-telling cut">${telling}</span>` : nothing} ${this.#renderCount()}
        ${this.#renderState(state)}
        <span class="chat-tool-turn">${icon("chevronRight")}</span>
      </button>
      ${isOpen ? html`<div class="chat-tool-body" id=${bodyId}>${this.#renderBody()}</div>` : nothing}
    </div>`;
  }

  get #state(): ToolState {
    return stateOf(this.running, this.result);
  }

  get #toolName(): string {
    const words: Readonly<Record<string, unknown>> = this.words("conversation");
    const known = words[`tool_${this.call.name}`];
    return typeof known === "string" ? known : this.call.name;
  }

  #renderCount(): TemplateResult | typeof nothing {
    const changes = changesOf(this.call, this.result);
    if (changes?.kind !== "lines") return nothing;
    const words = this.words("conversation");
    const { added, removed } = countChanges(changes.lines);
    return html`<span class="chat-tool-count">
      ${added > 0 ? html`<span class="good" title=${words.diffAdded(added)}>+${added}</span>` : nothing}
      ${removed > 0 ? html`<span class="bad" title=${words.diffRemoved(removed)}>−${removed}</span>` : nothing}
    </span>`;
  }

  #renderState(state: ToolState): TemplateResult | typeof nothing {
    const words = this.words("conversation");
    switch (state.kind) {
      case "unknown":
        return nothing;
      case "running":
        return html`<span class="chat-tool-state">
          <i class="chat-tool-pulse"></i>${words.running} · ${this.#elapsed(state.startedAt)}
        </span>`;
      case "asks":
        return html`<span class="chat-tool-state warn">${words.waitsForYes}</span>`;
      case "background":
        return html`<span class="chat-tool-state">${words.inBackground}</span>`;
      case "exited":
        return html`<span class="chat-tool-state warn">${words.exitCode(state.code)}</span>`;
      case "failed":
        return html`<span class="chat-tool-state bad">${icon("warning")}${words.failed}</span>`;
      case "denied":
        return html`<span class="chat-tool-state bad">${words.notAllowed}</span>`;
      case "done":
        return html`<span class="chat-tool-state">
          ${state.durationMs === undefined ? nothing : this.world.words.duration(state.durationMs)}
          <span class="chat-tool-done">${icon("check")}<span class="seen-by-readers">${words.done}</span></span>
        </span>`;
    }
  }

  /** Whole seconds: anything finer would flicker. */
  #elapsed(startedAt: number): string {
    return this.world.words.duration(Math.max(1, Math.floor((Date.now() - startedAt) / SECOND_MS)) * SECOND_MS);
  }

  #renderBody(): TemplateResult {
    const { world, sessionKey, call, running, result } = this;
    return renderToolBody({ world, sessionKey, call, running, result });
  }

  #toggle(isOpen: boolean): void {
    openedCards.set(this.call.id, isOpen);
    this.requestUpdate();
  }

  #stopClock(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

customElements.define("chela-tool-card", ToolCard);
