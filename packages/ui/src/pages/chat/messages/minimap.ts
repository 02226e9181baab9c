// Map of what you said in this conversation, marks at its edge: near them it becomes a list, and a click leads there.
import type { ShownMessage } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../../app/part.ts";
import { Watching } from "../../../state/live.ts";
import type { Conversation } from "../conversation.ts";
import { marksOf } from "./minimap-marks.ts";
import "./minimap.css";

/** Fewer need no map. */
const LEAST = 3;

/** `<chela-minimap .world .conversation>`; `go-to-entry` says which entry somebody wants to see. */
class Minimap extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    conversation: { attribute: false },
    at: { state: true },
  };
  declare conversation: Conversation;
  /** The entry the keyboard is at. */
  declare at: string | undefined;
  readonly #watching = new Watching(this);

  override render(): TemplateResult | typeof nothing {
    const { entries } = this.conversation;
    this.#watching.show(entries.version);
    const marks = marksOf(entries.known());
    if (marks.length < LEAST) return nothing;
    const current = marks.find(({ id }) => id === this.at) ?? marks.at(-1);
    return html`<nav
      class="chat-minimap"
      aria-label=${this.words("conversation").yourMessages}
      @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
    >
      <ol>
        ${repeat(
          marks,
          ({ id }) => id,
          ({ message, id, text }) =>
            html`<li>
              <button tabindex=${id === current?.id ? 0 : -1} @click=${() => this.#go(message)}>
                <i aria-hidden="true"></i><span>${text}</span>
              </button>
            </li>`,
        )}
      </ol>
    </nav>`;
  }

  #pressed(event: KeyboardEvent): void {
    const buttons = [...this.querySelectorAll<HTMLElement>("button")];
    const at = buttons.indexOf(event.target as HTMLElement);
    const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons[next]?.focus();
  }

  #go({ id, index }: ShownMessage): void {
    this.at = id;
    this.dispatchEvent(new CustomEvent("go-to-entry", { detail: { entryId: id, index }, bubbles: true }));
  }
}

customElements.define("chela-minimap", Minimap);
