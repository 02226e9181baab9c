// The channels: people who wait, every account and how it does, and what became of messages.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Page } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { Ticking } from "../../state/ticking.ts";
import type { AccountWish } from "./account-wish.ts";
import { accountsOf, isSame, type AccountName, type ChannelAccount, type Status } from "./accounts-of.ts";
import { renderChoice } from "./channel-choice.ts";
import { deliveryState } from "./deliveries-view.ts";
import type { SavedAccount, SetupGoal } from "./setup-dialog.ts";
import "./account-card.ts";
import "./link-dialog.ts";
import "./page.css";
import "./people-view.ts";
import "./setup-dialog.ts";
import "./test-dialog.ts";

/** What lies over the page. */
type Over =
  | (AccountName & { readonly kind: "link" | "relink" | "test" })
  | { readonly kind: "setup"; readonly goal: SetupGoal };

const MINUTE_MS = 60_000;

class ChannelsPage extends Page {
  static override properties: PropertyDeclarations = {
    ...Page.properties,
    over: { state: true },
    probed: { state: true },
    isProbing: { state: true },
  };
  declare over: Over | undefined;
  /** What the platforms said when they were asked last. */
  declare probed: Status | undefined;
  declare isProbing: boolean;
  #shown = "";
  readonly #status = this.asking(() => ({
    method: "channels.status",
    params: {},
    topics: ["channels", "config", "deliveries"],
  }));
  /** Asking for it loads the channels, which a gateway without any need not do. */
  readonly #abilities = this.asking(() =>
    this.#hasSome ? { method: "channels.capabilities", params: {}, topics: ["channels", "config"] } : undefined,
  );
  readonly #setups = this.asking(() =>
    this.#status.value && !this.#hasSome ? { method: "channels.setup", params: {}, topics: [] } : undefined,
  );

  constructor() {
    super();
    this.isProbing = false;
    this.addController(new Ticking(this, MINUTE_MS / 2));
  }

  get #hasSome(): boolean {
    return (this.#status.value?.channelOrder.length ?? 0) > 0;
  }

  override render(): TemplateResult {
    const words = this.words("channels");
    const retry = { label: this.words("app").retry, run: () => this.#status.again() };
    const accounts = accountsOf(this.#status.value, this.#abilities.value?.channels);
    return html`<header class="page-head">
        <h1>${this.pageTitle("channels")}</h1>
        ${
          accounts.length > 0
            ? html`<button class="button" ?disabled=${this.isProbing} @click=${() => void this.#probe()}>
                  ${icon("retry")}${this.isProbing ? words.probing : words.probe}
                </button>
                <button class="button primary" @click=${() => this.#setUp({})}>${icon("plus")}${words.connect}</button>`
            : nothing
        }
      </header>
      ${renderAsked(
        this.#status.state,
        (status) => (accounts.length > 0 ? this.#renderChannels(status, accounts) : this.#renderWelcome()),
        retry,
      )}
      ${this.#renderDialogs(accounts)}`;
  }

  #renderWelcome(): TemplateResult {
    const words = this.words("channels");
    const retry = { label: this.words("app").retry, run: () => this.#setups.again() };
    return html`<section class="channels-welcome">
      <h2>${words.welcome}</h2>
      <p class="muted">${words.welcomeHint}</p>
      ${renderAsked(
        this.#setups.state,
        ({ channels }) => renderChoice(channels, new Set(), words, (channel) => this.#setUp({ channel })),
        retry,
      )}
    </section>`;
  }

  #renderChannels(status: Status, accounts: readonly ChannelAccount[]): TemplateResult {
    const words = this.words("channels");
    const count = (state: "pending" | "undeliverable"): number =>
      accounts.reduce((sum, { row }) => sum + row.deliveries[state], 0);
    return html`<div class="channels">
      <chela-channels-people .world=${this.world} .labels=${status.channelLabels}></chela-channels-people>
      <section class="channels-section" aria-labelledby="channels-accounts">
        <h2 id="channels-accounts">${words.accounts}</h2>
        <ul class="channels-list" @account-wish=${(event: CustomEvent<AccountWish>) => this.#wished(event.detail)}>
          ${repeat(
            accounts,
            ({ channel, accountId }) => `${channel} ${accountId}`,
            (account) =>
              html`<li data-channel=${account.channel}>
                <chela-channels-account
                  .world=${this.world}
                  .account=${account}
                  .probed=${this.#probeOf(account)}
                ></chela-channels-account>
              </li>`,
          )}
        </ul>
      </section>
      <chela-channels-deliveries
        .world=${this.world}
        .labels=${status.channelLabels}
        .counts=${{ pending: count("pending"), undeliverable: count("undeliverable") }}
        .shown=${deliveryState(this.route.query["messages"])}
        .of=${this.route.query["of"]}
      ></chela-channels-deliveries>
    </div>`;
  }

  #renderDialogs(accounts: readonly ChannelAccount[]): TemplateResult {
    const { over } = this;
    const named = (...kinds: readonly string[]): ChannelAccount | undefined =>
      over && over.kind !== "setup" && kinds.includes(over.kind)
        ? accounts.find((account) => isSame(account, over))
        : undefined;
    const close = (): void => (this.over = undefined);
    return html`<chela-channels-setup
        .world=${this.world}
        .goal=${over?.kind === "setup" ? over.goal : undefined}
        .accounts=${accounts}
        @account-saved=${(event: CustomEvent<SavedAccount>) => this.#saved(event.detail)}
        @dialog-close=${close}
      ></chela-channels-setup>
      <chela-channels-link
        .world=${this.world}
        .account=${named("link", "relink")}
        .isForced=${over?.kind === "relink"}
        @dialog-close=${close}
      ></chela-channels-link>
      <chela-channels-test
        .world=${this.world}
        .account=${named("test")}
        @dialog-close=${close}
      ></chela-channels-test>`;
  }

  /** Links from elsewhere lead to one channel, to the messages, or into a form; once, so that nobody is pulled back. */
  override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { channel, messages, of, add } = this.route.query;
    const name = JSON.stringify([channel, messages, of, add]);
    if (name === this.#shown || !this.#status.value) return;
    this.#shown = name;
    if (add !== undefined) return this.#setUp(add ? { channel: add } : {});
    const goal =
      messages === undefined && of === undefined
        ? [...this.querySelectorAll<HTMLElement>("[data-channel]")].find(
            ({ dataset }) => dataset["channel"] === channel,
          )
        : this.querySelector<HTMLElement>("chela-channels-deliveries");
    goal?.scrollIntoView({ block: "nearest" });
    goal?.toggleAttribute("data-shown", true);
  }

  #setUp(goal: SetupGoal): void {
    this.over = { kind: "setup", goal };
  }

  #wished({ kind, channel, accountId }: AccountWish): void {
    if (kind === "edit") this.#setUp({ channel, accountId });
    else this.over = { kind, channel, accountId };
  }

  /** What is linked by a person goes on with that at once. */
  #saved({ channel, accountId, isLinkedByPerson }: SavedAccount): void {
    this.#status.again();
    if (isLinkedByPerson) this.over = { kind: "link", channel, accountId };
  }

  #probeOf({ channel, accountId, row }: ChannelAccount) {
    if (!row.connected) return undefined;
    return this.probed?.channelAccounts[channel]?.find((one) => one.accountId === accountId)?.probe;
  }

  async #probe(): Promise<void> {
    const words = this.words("channels");
    this.isProbing = true;
    await this.attempt(async () => {
      this.probed = await this.world.wire.call("channels.status", { probe: true });
      const asked = accountsOf(this.probed).flatMap(({ row }) => row.probe ?? []);
      const bad = asked.filter(({ ok }) => !ok).length;
      this.world.notices.say(asked.length === 0 ? words.probeNone : bad > 0 ? words.probeBad(bad) : words.probeFine);
    });
    this.isProbing = false;
  }
}

customElements.define("chela-channels-page", ChannelsPage);
