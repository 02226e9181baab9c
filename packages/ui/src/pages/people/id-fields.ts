// The fields in which somebody writes who a person is on a channel.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { KnownChannels } from "./known-channels.ts";
import type { PersonId } from "./person-facts.ts";

/** `<chela-people-id .world .isNeeded>`: what was written is in `value`. */
class IdFields extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    isNeeded: { attribute: false },
    picked: { state: true },
  };
  declare isNeeded: boolean;
  declare picked: string;
  readonly #channels = new KnownChannels(this, () => this.world);

  constructor() {
    super();
    this.isNeeded = false;
    this.picked = "";
  }

  /** Undefined when nothing was written. */
  get value(): PersonId | undefined {
    const id = this.querySelector<HTMLInputElement>("[name=id]")?.value.trim() ?? "";
    const account = this.querySelector<HTMLSelectElement>("[name=account]")?.value ?? "";
    return id === "" ? undefined : { channel: this.#channel, ...(account ? { account } : {}), id };
  }

  get #channel(): string {
    return this.picked || (this.#channels.all[0]?.id ?? "");
  }

  override render(): TemplateResult {
    const words = this.words("people");
    const accounts = this.#channels.accountsOf(this.#channel);
    return html`<div class="people-id-fields">
        <label class="field">
          <span>${words.channel}</span>
          <select
            class="input"
            name="channel"
            @change=${(event: Event) => (this.picked = (event.target as HTMLSelectElement).value)}
          >
            ${this.#channels.all.map(
              ({ id, label }) => html`<option value=${id} ?selected=${id === this.#channel}>${label}</option>`,
            )}
          </select>
        </label>
        <label class="field">
          <span>${words.idThere}</span>
          <input
            class="input mono"
            name="id"
            maxlength="256"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            aria-describedby="people-id-hint"
            ?required=${this.isNeeded}
          />
        </label>
        ${
          accounts.length > 0
            ? html`<label class="field">
                <span>${words.account}</span>
                <select class="input" name="account">
                  <option value="">${words.everyAccount}</option>
                  ${accounts.map((account) => html`<option value=${account}>${account}</option>`)}
                </select>
              </label>`
            : nothing
        }
      </div>
      <p class="hint" id="people-id-hint">${words.idHow}</p>`;
  }
}

/** What the fields hold, wherever they stand in a form. */
export function writtenId(form: ParentNode): PersonId | undefined {
  return form.querySelector<IdFields>("chela-people-id")?.value;
}

customElements.define("chela-people-id", IdFields);
