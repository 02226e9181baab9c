// The conversation from top to bottom: only what can be seen is there, and the newest stays in view.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../../app/part.ts";
import { icon } from "../../../parts/icon.ts";
import { styled } from "../../../parts/styled.ts";
import { VirtualRows } from "../../../parts/list/virtual-rows.ts";
import { Watching } from "../../../state/live.ts";
import type { Conversation } from "../conversation.ts";
import { rowAt, rowsBehind, type TimelineRow } from "./rows.ts";
import "./failure-card.ts";
import "./message-view.ts";
import "./minimap.ts";
import "../run-view.ts";
import "../composer/unsent-view.ts";

const ESTIMATE_PX = 90;

class Timeline extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    conversation: { attribute: false },
    target: { attribute: false },
  };
  declare conversation: Conversation;
  /** The entry to go to, once. */
  declare target: { readonly index: number; readonly id: string } | undefined;
  readonly #watching = new Watching(this);
  #total = 0;
  #behind: readonly TimelineRow[] = [];
  readonly #rows = new VirtualRows(this, () => ({
    count: this.#total + this.#behind.length,
    scroller: () => this.querySelector<HTMLElement>(".timeline"),
    estimate: (index) => (this.conversation.entries.peek(index)?.hidden ? 0 : ESTIMATE_PX),
    keyOf: (index) => (index < this.#total ? index : (this.#behind[index - this.#total]?.key ?? index)),
    sticksToEnd: true,
  }));
  #wasShown: Conversation | undefined;
  #waiting = 0;

  override willUpdate(changed: Map<string, unknown>): void {
    const { state, entries, unsent } = this.conversation;
    if (changed.get("conversation")) this.#rows.forget();
    this.#watching.show(state, entries.version, unsent.all);
    this.#total = entries.total;
    this.#behind = rowsBehind(this.conversation);
  }

  override updated(changed: Map<string, unknown>): void {
    const { conversation } = this;
    const waiting = conversation.unsent.all.value.length;
    const hasSpoken = this.#wasShown === conversation && waiting > this.#waiting;
    this.#waiting = waiting;
    if (changed.has("target") && this.target) return this.#rows.goTo(this.target.index, "center");
    // Whoever says something wants to see what comes of it.
    if (hasSpoken) this.#rows.goToEnd();
    if (this.#wasShown === conversation || !conversation.state.value.isKnown) return;
    this.#wasShown = conversation;
    if (!this.target) this.#rows.goToEnd();
  }

  override render(): TemplateResult {
    const words = this.words("chat");
    const isFar = !this.#rows.isAtEnd;
    return html`<h2 class="seen-by-readers">${words.conversation}</h2>
      <div
        class="timeline"
        tabindex="0"
        role="log"
        aria-label=${words.conversation}
        aria-live="polite"
        aria-busy=${this.conversation.state.value.runs.length > 0}
        @keydown=${(event: KeyboardEvent) => this.#jump(event)}
      >
        <div class="timeline-all" ${styled({ height: `${this.#rows.height}px` })}>
          ${repeat(
            this.#rows.rows,
            ({ index }) => keyAt(this.conversation, this.#behind, index),
            ({ index, start }) =>
              html`<div class="timeline-row" data-index=${index} ${styled({ translate: `0 ${start}px` })}>
                ${this.#renderRow(index)}
              </div>`,
          )}
        </div>
      </div>
      <chela-minimap .world=${this.world} .conversation=${this.conversation}></chela-minimap>
      ${
        isFar
          ? html`<button
              class="button square timeline-end"
              aria-label=${words.newest}
              title=${words.newest}
              @click=${() => this.#rows.goToEnd()}
            >
              ${icon("arrowDown")}
            </button>`
          : nothing
      }`;
  }

  /** A browser would glide there, and stop wherever a row on its way turns out to be higher than it was thought to be. */
  #jump(event: KeyboardEvent): void {
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (event.target !== event.currentTarget || !isPlain) return;
    if (event.key === "Home") this.#rows.goTo(0);
    else if (event.key === "End") this.#rows.goToEnd();
    else return;
    event.preventDefault();
  }

  #renderRow(index: number): unknown {
    const row = rowAt(this.conversation, this.#behind, index);
    if (!row) return nothing;
    const { world, conversation } = this;
    switch (row.kind) {
      case "entry":
        if (!row.message) return html`<div class="waiting"><span></span><span></span></div>`;
        return html`<chela-message
          .world=${world}
          .conversation=${conversation}
          .message=${row.message}
          .version=${conversation.entries.version.value}
          ?data-target=${row.message.id === this.target?.id}
        ></chela-message>`;
      case "unsent":
        return html`<chela-unsent
          .world=${world}
          .conversation=${conversation}
          .message=${row.message}
        ></chela-unsent>`;
      case "run":
        return html`<chela-run .world=${world} .conversation=${conversation} .run=${row.run}></chela-run>`;
      case "compacting":
        return html`<p class="chat-note" role="status">${this.words("chat").compacting}</p>`;
      case "problem":
        return html`<chela-failure
          .world=${world}
          .conversation=${conversation}
          .failure=${row.problem.failure}
          .text=${row.problem.text}
          .index=${conversation.entries.total}
          .version=${conversation.entries.version.value}
        ></chela-failure>`;
    }
  }
}

/** By what a row is known again when it moves, or when another branch takes its place. */
function keyAt({ entries }: Conversation, behind: readonly TimelineRow[], index: number): string {
  if (index >= entries.total) return behind[index - entries.total]?.key ?? `behind ${index}`;
  return entries.peek(index)?.id ?? `at ${index}`;
}

customElements.define("chela-timeline", Timeline);
