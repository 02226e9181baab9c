// Connects a channel or changes what an account connects with: choose, follow the steps, fill in, and see it connect.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { accountState, stateTone } from "./account-state.ts";
import { isSame, type AccountName, type ChannelAccount } from "./accounts-of.ts";
import { renderChoice } from "./channel-choice.ts";
import type { Setup } from "./filled-settings.ts";
import "../../parts/dialog.ts";
import "./setup-form.ts";

/** What is to be set up: nothing chosen yet, a new account of a channel, or one that is there. */
export interface SetupGoal {
  readonly channel?: string;
  readonly accountId?: string;
}

export interface SavedAccount extends AccountName {
  readonly isLinkedByPerson: boolean;
}

/** `<chela-channels-setup .world .goal .accounts @account-saved @dialog-close>`; it is open while it has a goal. */
class SetupDialog extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    goal: { attribute: false },
    accounts: { attribute: false },
    chosen: { state: true },
    saved: { state: true },
  };
  declare goal: SetupGoal | undefined;
  declare accounts: readonly ChannelAccount[];
  declare chosen: string | undefined;
  declare saved: SavedAccount | undefined;
  readonly #setups = this.asking(() => (this.goal ? { method: "channels.setup", params: {}, topics: [] } : undefined));

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!changed.has("goal")) return;
    this.chosen = this.goal?.channel;
    this.saved = undefined;
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#setups.again() };
    return html`<chela-dialog
      .isOpen=${this.goal !== undefined}
      label=${this.#title()}
      closeLabel=${this.words("app").close}
      .content=${() => renderAsked(this.#setups.state, ({ channels }) => this.#renderContent(channels), retry)}
      @dialog-close=${() => this.#close()}
    ></chela-dialog>`;
  }

  #title(): string {
    const words = this.words("channels");
    const { goal, chosen } = this;
    const account = this.#goalAccount;
    if (account) return words.changeOf(account.name);
    const setup = this.#setups.value?.channels.find(({ id }) => id === chosen);
    return setup ? words.setUp(setup.label) : goal ? words.choose : "";
  }

  /** The account that is there already. */
  get #goalAccount(): ChannelAccount | undefined {
    const { channel, accountId } = this.goal ?? {};
    if (channel === undefined || accountId === undefined) return undefined;
    return this.accounts.find((one) => isSame(one, { channel, accountId }));
  }

  #renderContent(setups: readonly Setup[]): unknown {
    const words = this.words("channels");
    if (this.saved) return this.#renderSaved(this.saved, setups);
    const setup = setups.find(({ id }) => id === this.chosen);
    if (!setup) {
      const inUse = new Set(this.accounts.map(({ channel }) => channel));
      return renderChoice(setups, inUse, words, (channel) => (this.chosen = channel));
    }
    if (!setup.installed) return this.#renderPackage(setup);
    return html`<chela-channels-form
      .world=${this.world}
      .setup=${setup}
      .accountId=${this.goal?.accountId}
      .canGoBack=${this.goal?.channel === undefined}
      .taken=${this.accounts.filter(({ channel }) => channel === setup.id).map(({ accountId }) => accountId)}
      @account-saved=${(event: CustomEvent<SavedAccount>) => this.#wasSaved(event.detail)}
      @form-back=${() => (this.chosen = undefined)}
    ></chela-channels-form>`;
  }

  #renderPackage({ label, package: name = "" }: Setup): TemplateResult {
    const words = this.words("channels");
    return html`<div class="stack">
      <p>${words.packageHow(label)}</p>
      <pre class="command"><code>npm install ${name}</code></pre>
      <footer class="dialog-foot">
        ${
          this.goal?.channel === undefined
            ? html`<button class="button quiet channels-back" @click=${() => (this.chosen = undefined)}>
                ${icon("chevronLeft")}${words.back}
              </button>`
            : nothing
        }
        <button class="button primary" @click=${() => this.#setups.again()}>${words.checkAgain}</button>
      </footer>
    </div>`;
  }

  #wasSaved(saved: SavedAccount): void {
    if (!saved.isLinkedByPerson) this.saved = saved;
    this.dispatchEvent(new CustomEvent<SavedAccount>("account-saved", { detail: saved }));
  }

  /** From here on the gateway connects it; how that goes is told as it happens. */
  #renderSaved(saved: SavedAccount, setups: readonly Setup[]): TemplateResult {
    const words = this.words("channels");
    const account = this.accounts.find((one) => isSame(one, saved));
    const label = setups.find(({ id }) => id === saved.channel)?.label ?? saved.channel;
    const state = account ? accountState(account) : "starting";
    const { lastError } = account?.row ?? {};
    const isBad = stateTone(state) === "bad";
    return html`<div class="stack">
      <p class="row wrap">
        <strong>${words.saved(account?.name ?? label)}</strong>
        <span class="channels-state" data-tone=${stateTone(state)} role="status"
          ><i></i>${words[`state_${state}`]}</span
        >
      </p>
      ${lastError && state !== "connected" ? html`<p class="problem channels-why">${lastError}</p>` : nothing}
      ${isBad ? nothing : this.#renderNext(label)}
      <footer class="dialog-foot">
        ${isBad ? html`<button class="button" @click=${() => (this.saved = undefined)}>${words.correct}</button>` : nothing}
        <button class="button primary" @click=${() => this.#close()}>${words.done}</button>
      </footer>
    </div>`;
  }

  #renderNext(label: string): TemplateResult | typeof nothing {
    const words = this.words("channels");
    if (this.goal?.accountId) return nothing;
    return html`<div>
      <h3>${words.goesOn}</h3>
      <ol class="channels-steps">
        ${[words.nextWrite(label), words.nextCode, words.nextApprove].map((step) => html`<li>${step}</li>`)}
      </ol>
    </div>`;
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent("dialog-close"));
  }
}

customElements.define("chela-channels-setup", SetupDialog);
