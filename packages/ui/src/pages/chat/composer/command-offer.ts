// The list of commands above the text: which of it is active, and what keys do to it.
import { html, nothing, type TemplateResult } from "lit";
import { nextItem } from "../../../parts/list/list-keys.ts";
import { completionOf, type ChatCommand, type Completion, type CompletionOption } from "./command-completion.ts";

export const OFFER_ID = "composer-commands";

/** What a key means: put this in, nothing more to do, or not for the list. */
type KeyOutcome =
  | { readonly kind: "complete"; readonly text: string }
  | { readonly kind: "handled" }
  | { readonly kind: "not-mine" };

const NOT_MINE: KeyOutcome = { kind: "not-mine" };

export class CommandOffer {
  #completion: Completion | undefined;
  #before = "";
  #at = -1;
  /** The list somebody closed; another one may open. */
  #dismissed: string | undefined;

  get shown(): Completion | undefined {
    return this.#completion && this.#completion.id !== this.#dismissed ? this.#completion : undefined;
  }

  /** The id of the active option, for those who only hear the list. */
  get activeId(): string | undefined {
    return this.shown?.options[this.#at] ? `${OFFER_ID}-${this.#at}` : undefined;
  }

  update(before: string, commands: readonly ChatCommand[]): void {
    const known = this.#completion?.options.map(({ text }) => text).join("\n");
    this.#before = before;
    this.#completion = completionOf(before, commands);
    if (this.#completion?.id !== this.#dismissed) this.#dismissed = undefined;
    if (this.#completion?.options.map(({ text }) => text).join("\n") !== known)
      this.#at = this.#completion?.first ?? -1;
  }

  pressed(key: string): KeyOutcome {
    const { shown } = this;
    if (!shown) return NOT_MINE;
    const active = shown.options[this.#at];
    switch (key) {
      case "ArrowDown":
      case "ArrowUp":
        this.#at = nextItem(key, this.#at, shown.options.length) ?? -1;
        return { kind: "handled" };
      case "Escape":
        this.#dismissed = shown.id;
        return { kind: "handled" };
      case "Tab":
        return { kind: "complete", text: (active ?? shown.options[0])?.text ?? this.#before };
      case "Enter":
        // What stands there already is meant to be said.
        return !active || active.text.trim() === this.#before.trim()
          ? NOT_MINE
          : { kind: "complete", text: active.text };
      default:
        return NOT_MINE;
    }
  }

  render(label: string, choose: (option: CompletionOption) => void): TemplateResult | typeof nothing {
    const { shown } = this;
    if (!shown) return nothing;
    return html`<ul class="composer-offer" id=${OFFER_ID} role="listbox" aria-label=${label} tabindex="0">
      ${shown.options.map(
        (option, index) =>
          html`<li
            class="menu-item"
            id="${OFFER_ID}-${index}"
            role="option"
            aria-selected=${index === this.#at ? "true" : "false"}
            ?data-active=${index === this.#at}
            @mousedown=${(event: Event) => event.preventDefault()}
            @click=${() => choose(option)}
          >
            <span class="composer-offer-call">
              <span class="composer-offer-name">${option.label}</span>
              ${option.usage ? html`<span class="composer-offer-usage mono muted cut">${option.usage}</span>` : nothing}
            </span>
            <span class="composer-offer-says cut">${option.says ?? ""}</span>
          </li>`,
      )}
    </ul>`;
  }
}
