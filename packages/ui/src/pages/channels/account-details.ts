// Details of an account: who it is at its platform, every flag, and who may write to it.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import type { AccountWish } from "./account-wish.ts";
import { selfOf, type AccountRow, type ChannelAccount } from "./accounts-of.ts";
import { whenOf } from "./when-of.ts";

const FLAGS = ["enabled", "configured", "linked", "running", "connected"] as const;

/** `<chela-channels-details .world .account>` */
class AccountDetails extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, account: { attribute: false } };
  declare account: ChannelAccount;
  readonly #self = this.asking(() => {
    const { channel, accountId, row, abilities } = this.account;
    if (!row.connected || !abilities.has("directory")) return undefined;
    return { method: "directory.self", params: { channel, accountId }, topics: ["channels"] };
  });

  override render(): TemplateResult {
    const words = this.words("channels");
    const { row, channel } = this.account;
    return html`<div class="channels-details">
      <dl class="pairs">
        <dt>${words.who}</dt>
        <dd>${this.#who()}</dd>
        <dt>${words.account("").trim()}</dt>
        <dd><code>${row.accountId}</code></dd>
        <dt>${words.flags}</dt>
        <dd>${this.#renderFlags()}</dd>
        ${this.#renderTimes(row)} ${row.dmPolicy ? this.#renderRules(row) : nothing}
      </dl>
      <p class="row wrap">
        ${
          row.connected
            ? html`<button class="button small" @click=${() => this.#test()}>${words.test}</button>`
            : nothing
        }
        <a class="button small" href=${writeRoute("config", ["channels", channel])}>${words.changeRules}</a>
        <a class="button small" href=${writeRoute("logs", [], { of: channel })}>${words.logs}</a>
      </p>
    </div>`;
  }

  #test(): void {
    const { channel, accountId } = this.account;
    const detail: AccountWish = { kind: "test", channel, accountId };
    this.dispatchEvent(new CustomEvent<AccountWish>("account-wish", { detail, bubbles: true }));
  }

  #who(): string {
    const self = this.#self.value?.self;
    if (!self) return selfOf(this.account.row) || this.words("channels").noOne;
    const { name, username, id } = self;
    const handle = username && username !== name ? `@${username.replace(/^@/, "")}` : "";
    return [...new Set([name, handle, id])].filter(Boolean).join(" · ");
  }

  #renderFlags(): TemplateResult {
    const words = this.words("channels");
    return html`<ul class="channels-flags">
      ${FLAGS.map((flag) => {
        const isSo = this.account.row[flag];
        const label = words[`flag_${flag}`];
        return html`<li data-is=${isSo}>
          ${icon(isSo ? "check" : "close")}
          ${isSo ? label : html`<span aria-hidden="true">${label}</span><span class="seen-by-readers">${words.flagNot(label)}</span>`}
        </li>`;
      })}
    </ul>`;
  }

  #renderTimes({
    connected,
    lastConnectedAt,
    lastDisconnect,
    lastInboundAt,
    lastOutboundAt,
  }: AccountRow): TemplateResult {
    const words = this.words("channels");
    const when = (at: number | undefined): string =>
      at === undefined ? words.never : whenOf(at, this.world.words, words);
    return html`${
        connected && lastConnectedAt !== undefined
          ? html`<dt>${words.since}</dt>
              <dd>${this.world.words.date(lastConnectedAt)}</dd>`
          : nothing
      }
      <dt>${words.lastHeard}</dt>
      <dd>${when(lastInboundAt)}</dd>
      <dt>${words.lastWrote}</dt>
      <dd>${when(lastOutboundAt)}</dd>
      ${
        lastDisconnect
          ? html`<dt>${words.lastBreak}</dt>
              <dd>${when(lastDisconnect.at)}: ${lastDisconnect.error}</dd>`
          : nothing
      }`;
  }

  #renderRules({ dmPolicy = "", groupPolicy = "", allowFrom = [] }: AccountRow): TemplateResult {
    const words = this.words("channels");
    const direct: Readonly<Record<string, string>> = {
      pairing: words.dm_pairing,
      allowlist: words.dm_allowlist,
      open: words.dm_open,
      disabled: words.dm_disabled,
    };
    const groups: Readonly<Record<string, string>> = {
      allowlist: words.group_allowlist,
      open: words.group_open,
      disabled: words.group_disabled,
    };
    const count = allowFrom.filter((entry) => entry !== "*").length;
    return html`<dt>${words.direct}</dt>
      <dd>
        ${direct[dmPolicy] ?? dmPolicy}
        ${count > 0 ? html`<span class="muted">(${words.onList(count)})</span>` : nothing}
      </dd>
      <dt>${words.groups}</dt>
      <dd>${groups[groupPolicy] ?? groupPolicy}</dd>`;
  }
}

customElements.define("chela-channels-details", AccountDetails);
