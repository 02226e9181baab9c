// The window in which a binding is made: a channel is enough, everything more makes it narrower.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { listOf, type Binding, type Match } from "./bindings.ts";
import { readForm, renderChoices, renderTextField } from "./text-field.ts";
import "../../parts/dialog.ts";

const FORM = "agents-binding";

/** `<chela-agents-binding .world .agentId .channels .isOpen @dialog-close @binding-wanted>`: the detail is the binding. */
class BindingDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agentId: { attribute: false },
    channels: { attribute: false },
    isOpen: { attribute: false },
    kind: { state: true },
  };
  declare agentId: string;
  declare channels: readonly string[];
  declare isOpen: boolean;
  declare kind: string;

  constructor() {
    super();
    this.kind = "";
  }

  override render(): TemplateResult {
    return html`<chela-dialog
      .isOpen=${this.isOpen}
      label=${this.words("agents").addBinding}
      closeLabel=${this.words("app").close}
      .content=${() => this.#renderForm()}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("agents");
    const { channel, channelHint, account, accountHint, roles, rolesHint } = words;
    return html`<form class="form" @submit=${(event: SubmitEvent) => this.#add(event)}>
      ${renderChoices("agents-binding-channels", this.channels)}
      <div class="agents-fields">
        ${renderTextField({ form: FORM, name: "channel", label: channel, hint: channelHint, list: "agents-binding-channels", isRequired: true })}
        ${renderTextField({ form: FORM, name: "accountId", label: account, hint: accountHint })}
        <label class="field">
          <span>${words.chatKind}</span>
          <select
            class="input"
            name="kind"
            aria-label=${words.chatKind}
            @change=${(event: Event) => (this.kind = (event.target as HTMLSelectElement).value)}
          >
            <option value="">${words.kind_any}</option>
            <option value="direct">${words.kind_direct}</option>
            <option value="group">${words.kind_group}</option>
            <option value="channel">${words.kind_channel}</option>
          </select>
        </label>
        ${this.kind ? renderTextField({ form: FORM, name: "id", label: words.chatId, isRequired: true }) : ""}
      </div>
      <details class="agents-more">
        <summary>${words.more}</summary>
        <div class="agents-fields">
          ${renderTextField({ form: FORM, name: "guildId", label: words.guild })}
          ${renderTextField({ form: FORM, name: "teamId", label: words.team })}
          ${renderTextField({ form: FORM, name: "roles", label: roles, hint: rolesHint })}
          ${renderTextField({ form: FORM, name: "comment", label: words.comment })}
        </div>
      </details>
      <footer class="dialog-foot">
        <button type="button" class="button" @click=${() => this.#close()}>${this.words("app").cancel}</button>
        <button class="button primary">${words.addButton}</button>
      </footer>
    </form>`;
  }

  #add(event: SubmitEvent): void {
    event.preventDefault();
    const { channel, accountId, kind, id, guildId, teamId, roles, comment } = readForm(event.target as HTMLFormElement);
    if (!channel) return;
    const match: Match = {
      channel: channel.toLowerCase(),
      ...(accountId ? { accountId } : {}),
      ...(kind && id ? { peer: { kind, id } } : {}),
      ...(guildId ? { guildId } : {}),
      ...(teamId ? { teamId } : {}),
      ...(roles ? { roles: listOf(roles) } : {}),
    };
    const binding: Binding = { agentId: this.agentId, ...(comment ? { comment } : {}), match };
    this.kind = "";
    this.dispatchEvent(new CustomEvent<Binding>("binding-wanted", { detail: binding }));
  }

  #close(): void {
    this.kind = "";
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-agents-binding", BindingDialog);
