// Tells an agent of an event, at once or with its next heartbeat.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import "../../parts/dialog.ts";

const MODES = ["now", "next-heartbeat"] as const;
type Mode = (typeof MODES)[number];
const LONGEST_TEXT = 4000;

/** `<chela-automation-wake .world .agentId .agentName @dialog-close>`; open while there is an agent. */
class WakeDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agentName: { attribute: false },
    agentId: { attribute: false },
    isBusy: { state: true },
  };
  declare agentName: string;
  declare agentId: string | undefined;
  declare isBusy: boolean;
  /** What was typed stays when the window is closed by mistake. */
  #text = "";

  constructor() {
    super();
    this.isBusy = false;
  }

  override render(): TemplateResult {
    return html`<chela-dialog
      .isOpen=${this.agentId !== undefined}
      label=${this.words("automation").wakeTitle(this.agentName)}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("automation");
    return html`<form class="form" @submit=${(event: SubmitEvent) => void this.#tell(event)}>
      <p class="muted">${words.wakeHow}</p>
      <label class="field">
        <span>${words.wakeText}</span>
        <textarea
          class="input"
          name="text"
          rows="3"
          required
          maxlength=${LONGEST_TEXT}
          placeholder=${words.wakeExample}
          .value=${this.#text}
          @input=${(event: InputEvent) => (this.#text = (event.target as HTMLTextAreaElement).value)}
        ></textarea>
      </label>
      <fieldset class="choice">
        <legend>${words.wakeWhen}</legend>
        ${MODES.map(
          (mode) =>
            html`<label
              ><input
                type="radio"
                name="mode"
                value=${mode}
                ?checked=${mode === "now"}
              />${words[`wake_${mode}`]}</label
            >`,
        )}
      </fieldset>
      <div class="dialog-foot">
        <button type="button" class="button" @click=${() => this.#close()}>${this.words("app").cancel}</button>
        <button class="button primary" ?disabled=${this.isBusy} aria-busy=${this.isBusy ? "true" : nothing}>
          ${words.wakeButton}
        </button>
      </div>
    </form>`;
  }

  async #tell(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const mode: Mode = MODES.find((one) => one === form.get("mode")) ?? "now";
    const text = this.#text.trim();
    const { agentId } = this;
    if (text === "" || this.isBusy || agentId === undefined) return;
    this.isBusy = true;
    const done = this.words("automation")[`woken_${mode}`];
    const isTold = await this.attempt(() => this.world.wire.call("wake", { mode, text, agentId }), done);
    this.isBusy = false;
    if (!isTold) return;
    this.#text = "";
    this.#close();
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-automation-wake", WakeDialog);
