// The field a message is written in: what keys do in it, and the commands it offers behind a slash.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { Part } from "../../../app/part.ts";
import { isTouched } from "../../../parts/floating.ts";
import { Watching } from "../../../state/live.ts";
import { CommandOffer, OFFER_ID } from "./command-offer.ts";
import type { Draft } from "./composer-draft.ts";
import type { Conversation } from "../conversation.ts";
import { growWithText } from "./grow-with-text.ts";
import { lastSaid } from "../messages/last-said.ts";

/** `<chela-composer-text .world .conversation .draft @text-send @text-stop @text-files>` */
export class ComposerText extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    conversation: { attribute: false },
    draft: { attribute: false },
  };
  declare conversation: Conversation;
  declare draft: Draft;
  readonly #watching = new Watching(this);
  readonly #offer = new CommandOffer();
  readonly #commands = this.asking(() =>
    this.draft.text.value.startsWith("/")
      ? { method: "commands.list", params: { sessionKey: this.conversation.key }, topics: ["commands"] }
      : undefined,
  );

  override willUpdate(): void {
    this.#watching.show(this.draft.text);
    const { value } = this.draft.text;
    this.#offer.update(value.slice(0, this.#box?.selectionStart ?? value.length), this.#commands.value?.commands ?? []);
  }

  override updated(): void {
    if (this.#box) growWithText(this.#box);
    this.querySelector(".composer-offer [data-active]")?.scrollIntoView({ block: "nearest" });
  }

  override focus(): void {
    this.#box?.focus();
  }

  override render(): TemplateResult {
    const words = this.words("composer");
    const offered = this.#offer.shown;
    // A field of many lines cannot have the role of a combobox; the rest of that pattern holds.
    return html`${this.#offer.render(words.commands, ({ text }) => this.#complete(text))}
      <textarea
        rows="1"
        aria-label=${words.message}
        placeholder=${words.placeholder}
        enterkeyhint=${isTouched() ? "enter" : "send"}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls=${offered ? OFFER_ID : nothing}
        aria-activedescendant=${this.#offer.activeId ?? nothing}
        .value=${live(this.draft.text.value)}
        @input=${(event: Event) => this.draft.write((event.target as HTMLTextAreaElement).value)}
        @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
        @paste=${(event: ClipboardEvent) => this.#pasted(event)}
      ></textarea>
      <span class="seen-by-readers" role="status">${offered ? words.choices(offered.options.length) : ""}</span>`;
  }

  get #box(): HTMLTextAreaElement | null {
    return this.querySelector("textarea");
  }

  #pressed(event: KeyboardEvent): void {
    // Enter and arrows belong to whatever helps to write Chinese or Japanese; some browsers only say so by this code.
    if (event.isComposing || event.keyCode === 229) return;
    const hasModifier = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
    if (!hasModifier && this.#pressedInOffer(event)) return;
    if (event.key === "Enter" && sends(event)) {
      event.preventDefault();
      this.#tell("text-send");
    }
    if (event.key === "Escape") this.#tell("text-stop");
    if (event.key === "ArrowUp" && !hasModifier && this.draft.text.value === "") this.#bringBack(event);
  }

  #pressedInOffer(event: KeyboardEvent): boolean {
    const outcome = this.#offer.pressed(event.key);
    if (outcome.kind === "not-mine") return false;
    event.preventDefault();
    if (outcome.kind === "complete") this.#complete(outcome.text);
    else this.requestUpdate();
    return true;
  }

  #bringBack(event: KeyboardEvent): void {
    const text = lastSaid(this.conversation);
    if (!text) return;
    event.preventDefault();
    this.#put(text, text.length);
  }

  /** Puts a completion in place of the text before the caret. */
  #complete(text: string): void {
    const { value } = this.draft.text;
    this.#put(text + value.slice(this.#box?.selectionStart ?? value.length), text.length);
  }

  #put(text: string, caret: number): void {
    const box = this.#box;
    if (!box) return;
    // The caret has to be right before the next rendering looks at it.
    box.value = text;
    box.setSelectionRange(caret, caret);
    box.focus();
    this.draft.write(text);
  }

  /** Programs such as spreadsheets bring a picture of the text they copy: the text is meant. */
  #pasted(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || event.clipboardData?.types.includes("text/plain")) return;
    event.preventDefault();
    this.#tell<readonly File[]>("text-files", files);
  }

  #tell<T>(name: string, detail?: T): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** Under a finger Enter is for a new line: there is a button to send. */
function sends({ shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return true;
  return !shiftKey && !altKey && !isTouched();
}

customElements.define("chela-composer-text", ComposerText);
