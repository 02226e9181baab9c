// The window with this browser's preferences: theme, language, notifications.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Watching } from "../state/live.ts";
import { Part } from "./part.ts";
import type { Theme } from "./preferences.ts";
import "../parts/dialog.ts";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

class PreferencesView extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, isOpen: { attribute: false } };
  declare isOpen: boolean;
  readonly #watching = new Watching(this);

  override render(): TemplateResult {
    const words = this.words("app");
    this.#watching.show(this.world.preferences.now);
    return html`<chela-dialog
      .isOpen=${this.isOpen}
      label=${words.preferences}
      closeLabel=${words.close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.dispatchEvent(new CustomEvent("dialog-close"))}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("app");
    const { preferences, wire } = this.world;
    const { theme, language, notifies, showsWork } = preferences.now.value;
    return html`<div class="form">
      <fieldset class="choice">
        <legend>${words.theme}</legend>
        ${THEMES.map(
          (one) =>
            html`<label>
              <input
                type="radio"
                name="theme"
                .checked=${one === theme}
                @change=${() => preferences.change({ theme: one })}
              />
              <span>${words[`theme_${one}`]}</span>
            </label>`,
        )}
      </fieldset>
      <label class="field">
        <span>${words.language}</span>
        <select
          class="input"
          @change=${(event: Event) => this.#chooseLanguage((event.target as HTMLSelectElement).value)}
        >
          ${[...this.world.words.languages].map(
            ([id, { name }]) => html`<option value=${id} lang=${id} ?selected=${id === language}>${name}</option>`,
          )}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          .checked=${notifies}
          @change=${(event: Event) => void this.#notify(event.target as HTMLInputElement)}
        />
        <span>${words.notifications}</span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          .checked=${showsWork}
          @change=${(event: Event) => preferences.change({ showsWork: (event.target as HTMLInputElement).checked })}
        />
        <span>${words.showsWork}</span>
      </label>
      ${wire.hello ? html`<p class="muted">${words.version(wire.hello.server.version)}</p>` : nothing}
    </div>`;
  }

  #chooseLanguage(language: string): void {
    this.world.preferences.change({ language });
    // Every text on the page changes: starting anew is simpler than being half in each language.
    location.reload();
  }

  async #notify(box: HTMLInputElement): Promise<void> {
    const isAllowed = box.checked && (await mayNotify());
    if (box.checked && !isAllowed) this.world.notices.complain(this.words("app").notificationsDenied);
    box.checked = isAllowed;
    this.world.preferences.change({ notifies: isAllowed });
  }
}

/** Asks the person once; whether the page may show notifications. */
async function mayNotify(): Promise<boolean> {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

customElements.define("chela-preferences", PreferencesView);
