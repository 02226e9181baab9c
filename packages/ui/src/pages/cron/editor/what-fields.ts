// Fields of what a job does: an agent's turn, a reminder, or a command; and what it is called.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import type { IconName } from "../../../parts/icon.ts";
import { renderCheck, renderChoice, renderText } from "./fields.ts";
import { WHATS, type JobDraft, type What } from "./job-draft.ts";

const ICONS: Readonly<Record<What, IconName>> = { turn: "agents", reminder: "bell", command: "console" };
const NAME_CHARS = 48;

/** `<chela-cron-what .world .draft>`; it bubbles `draft-change`. */
class WhatFields extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, draft: { attribute: false } };
  declare draft: JobDraft;

  override render(): TemplateResult {
    const words = this.words("cron");
    const { draft } = this;
    const choices = WHATS.map((id) => ({
      id,
      label: words[`what_${id}`],
      hint: words[`what_${id}Hint`],
      icon: ICONS[id],
    }));
    const choice = { name: "cron-what", label: words.what, chosen: draft.what };
    return html`<div class="form">
      ${renderChoice(choice, choices, (what) => this.#change({ what }))} ${this.#renderText()}
      ${renderText(
        { label: words.name, value: draft.name, placeholder: this.#firstWords() || words.namePlaceholder },
        (name) => this.#change({ name }),
      )}
    </div>`;
  }

  #renderText(): TemplateResult {
    const words = this.words("cron");
    const { draft } = this;
    switch (draft.what) {
      case "turn":
        return this.#renderArea(words.message, draft.message, words.messagePlaceholder, (message) =>
          this.#change({ message }),
        );
      case "reminder":
        return this.#renderArea(words.reminder, draft.reminder, words.reminderPlaceholder, (reminder) =>
          this.#change({ reminder }),
        );
      case "command":
        return html`${this.#renderArea(
          words.command,
          draft.command,
          words.commandPlaceholder,
          (command) => this.#change({ command }),
          true,
        )}
        ${renderCheck(words.isProgram, draft.isProgram, (isProgram) => this.#change({ isProgram }))}`;
    }
  }

  #renderArea(
    label: string,
    value: string,
    placeholder: string,
    typed: (value: string) => void,
    isCode = false,
  ): TemplateResult {
    return html`<label class="field">
      <span>${label}</span>
      <textarea
        class="input cron-text ${isCode ? "mono" : ""}"
        rows="4"
        aria-label=${label}
        placeholder=${placeholder}
        spellcheck=${isCode ? "false" : nothing}
        .value=${value}
        @input=${(event: InputEvent) => typed((event.target as HTMLTextAreaElement).value)}
      ></textarea>
    </label>`;
  }

  /** What it will be called when nobody says. */
  #firstWords(): string {
    const { what, message, reminder, command } = this.draft;
    const text = { turn: message, reminder, command }[what].trim().split("\n")[0] ?? "";
    return text.length > NAME_CHARS ? `${text.slice(0, NAME_CHARS).trimEnd()}…` : text;
  }

  #change(change: Partial<JobDraft>): void {
    this.dispatchEvent(new CustomEvent("draft-change", { detail: change, bubbles: true }));
  }
}

customElements.define("chela-cron-what", WhatFields);
