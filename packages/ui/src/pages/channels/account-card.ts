// One account of a channel: how it does in a word, what is wrong and what to do, and everything that can be done with it.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { icon } from "../../parts/icon.ts";
import type { MenuChoice } from "../../parts/menu.ts";
import { renderNotes } from "./account-notes.ts";
import { removalPatch, switchPatch } from "./account-patch.ts";
import { accountState, stateTone, type AccountState } from "./account-state.ts";
import type { AccountWish } from "./account-wish.ts";
import { hueOf, selfOf, type AccountRow, type ChannelAccount } from "./accounts-of.ts";
import { changeAccount } from "./change-account.ts";
import { whenOf } from "./when-of.ts";
import "../../parts/menu.ts";
import "./account-details.ts";

/** `<chela-channels-account .world .account .probed @account-wish>` */
class AccountCard extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    account: { attribute: false },
    probed: { attribute: false },
    isOpen: { state: true },
    isBusy: { state: true },
  };
  declare account: ChannelAccount;
  /** What its platform said when it was asked last. */
  declare probed: AccountRow["probe"];
  declare isOpen: boolean;
  declare isBusy: boolean;

  constructor() {
    super();
    this.isOpen = false;
    this.isBusy = false;
  }

  override render(): TemplateResult {
    const { label, name, channel } = this.account;
    const words = this.words("channels");
    const state = accountState(this.account);
    return html`<article class="channels-account" aria-label=${name}>
      <span class="channels-tile" data-hue=${hueOf(channel)} aria-hidden="true">${label.slice(0, 1)}</span>
      <div class="channels-account-words">
        <h3>${name}</h3>
        <p class="channels-quiet">${this.#describe()}</p>
      </div>
      <span class="channels-state" data-tone=${stateTone(state)} role="status"><i></i>${words[`state_${state}`]}</span>
      <div class="channels-account-actions">${this.#renderAction(state)} ${this.#renderMenu(state)}</div>
      ${renderNotes(this.world, this.account, state, this.probed)}
      ${
        this.isOpen
          ? html`<chela-channels-details .world=${this.world} .account=${this.account}></chela-channels-details>`
          : nothing
      }
    </article>`;
  }

  #describe(): string {
    const words = this.words("channels");
    const { row, siblings } = this.account;
    const { lastInboundAt, lastOutboundAt } = row;
    const when = (at: number): string => whenOf(at, this.world.words, words);
    const last =
      lastInboundAt === undefined && lastOutboundAt === undefined
        ? row.connected && words.silent
        : (lastInboundAt ?? 0) >= (lastOutboundAt ?? 0)
          ? words.lastIn(when(lastInboundAt ?? 0))
          : words.lastOut(when(lastOutboundAt ?? 0));
    const who = selfOf(row) || (siblings.length > 1 && row.name ? words.account(row.accountId) : "");
    return [who, last].filter(Boolean).join(" · ");
  }

  /** The one thing that is most likely wanted now. */
  #renderAction(state: AccountState): TemplateResult | typeof nothing {
    const words = this.words("channels");
    if (state === "off") return this.#renderButton(words.switchOn, () => void this.#switch(true));
    if (state === "unlinked") return this.#renderButton(words.link, () => this.#wish("link"), "primary");
    if (state === "unset" || state === "stopped" || state === "refused")
      return this.#renderButton(words.correct, () => this.#wish("edit"), "primary");
    if (state === "retrying") return this.#renderButton(words.correct, () => this.#wish("edit"));
    return nothing;
  }

  #renderButton(label: string, run: () => void, look = ""): TemplateResult {
    return html`<button class="button small ${look}" ?disabled=${this.isBusy} @click=${run}>${label}</button>`;
  }

  #renderMenu(state: AccountState): TemplateResult {
    const words = this.words("channels");
    const { name } = this.account;
    return html`<button
        class="button quiet square small"
        aria-label=${words.detailsOf(name)}
        title=${words.details}
        aria-expanded=${this.isOpen ? "true" : "false"}
        @click=${() => (this.isOpen = !this.isOpen)}
      >
        ${icon(this.isOpen ? "chevronUp" : "chevronDown")}
      </button>
      <chela-menu
        label=${words.more(name)}
        .icon=${"more"}
        .choices=${this.#choices(state)}
        @menu-choose=${(event: CustomEvent<MenuChoice>) => void this.#chose(event.detail.id)}
      ></chela-menu>`;
  }

  #choices(state: AccountState): MenuChoice[] {
    const words = this.words("channels");
    const { isLinkedByPerson, abilities, row } = this.account;
    const isOn = state !== "off";
    const choices: Array<MenuChoice | false> = [
      row.connected && { id: "test", label: words.test, icon: "send" },
      { id: "edit", label: words.settings, icon: "key" },
      { id: "rules", label: words.changeRules, icon: "config" },
      { id: "logs", label: words.logs, icon: "logs" },
      isOn &&
        isLinkedByPerson === true &&
        state !== "unlinked" && { id: "relink", label: words.linkAgain, icon: "link" },
      isOn ? { id: "off", label: words.switchOff, icon: "pause" } : { id: "on", label: words.switchOn, icon: "play" },
      abilities.has("logout") && { id: "logout", label: words.logOut, icon: "close", isDangerous: true },
      { id: "remove", label: words.remove, icon: "trash", isDangerous: true },
    ];
    return choices.filter((choice) => choice !== false);
  }

  #chose(choice: string): void | Promise<void> {
    const { router } = this.world;
    switch (choice) {
      case "rules":
        return router.go("config", ["channels", this.account.channel]);
      case "logs":
        return router.go("logs", [], { of: this.account.channel });
      case "on":
      case "off":
        return this.#switch(choice === "on");
      case "relink":
        return this.#relink();
      case "logout":
        return this.#logOut();
      case "remove":
        return this.#remove();
      default:
        return this.#wish(choice === "test" ? "test" : "edit");
    }
  }

  #wish(kind: AccountWish["kind"]): void {
    const { channel, accountId } = this.account;
    const detail: AccountWish = { kind, channel, accountId };
    this.dispatchEvent(new CustomEvent<AccountWish>("account-wish", { detail, bubbles: true }));
  }

  async #switch(isOn: boolean): Promise<void> {
    const words = this.words("channels");
    const { channel, accountId, siblings, name } = this.account;
    const worked = await this.#act(() =>
      changeAccount(this.world.wire, channel, (block) => switchPatch(block, siblings, accountId, isOn)),
    );
    if (!worked) return;
    if (isOn) this.world.notices.say(words.switchedOn(name));
    else this.world.notices.say(words.switchedOff(name), { label: words.undo, run: () => void this.#switch(true) });
  }

  async #relink(): Promise<void> {
    const words = this.words("channels");
    const { name } = this.account;
    const isYes = await this.world.notices.ask({
      title: words.linkTitle(name),
      text: words.linkAgainAsk(name),
      yes: words.link,
      isDangerous: true,
    });
    if (isYes) this.#wish("relink");
  }

  async #logOut(): Promise<void> {
    const words = this.words("channels");
    const { channel, accountId, name } = this.account;
    const isYes = await this.world.notices.ask({
      title: name,
      text: words.logOutAsk(name),
      yes: words.logOutYes,
      isDangerous: true,
    });
    if (!isYes) return;
    await this.#act(async () => {
      const { message } = await this.world.wire.call("channels.logout", { channel, accountId });
      this.world.notices.say(message);
    });
  }

  async #remove(): Promise<void> {
    const words = this.words("channels");
    const { channel, accountId, siblings, name } = this.account;
    const isYes = await this.world.notices.ask({
      title: name,
      text: words.removeAsk(name),
      yes: words.removeYes,
      isDangerous: true,
    });
    if (!isYes) return;
    await this.#act(async () => {
      const patch = (block: Parameters<typeof removalPatch>[0]) => removalPatch(block, siblings, accountId);
      // What it shares with others only a person can take apart.
      if (!(await changeAccount(this.world.wire, channel, patch)))
        return this.world.router.go("config", ["channels", channel]);
      this.world.notices.say(words.removed(name));
    });
  }

  async #act(run: () => Promise<unknown>): Promise<boolean> {
    this.isBusy = true;
    const worked = await this.attempt(run);
    this.isBusy = false;
    return worked;
  }
}

customElements.define("chela-channels-account", AccountCard);
